import { createHmac, hkdfSync } from 'node:crypto';
import { mailboxKey } from '@sluice/contracts';
import type { Database } from '../../database/tables.ts';
import { takeMail } from './mail-allowances.store.ts';

/** How many mails one address gets from the channels of all tenants. */
export interface MailAllowance {
  perDay: number;
  /** Counts one more. @returns whether it may be sent */
  take(address: string): Promise<boolean>;
}

export interface MailAllowanceOptions {
  database: Database;
  perDay: number;
  /** addresses are not to be read in the database: the first of these stands before them */
  keys: ReadonlyMap<string, Uint8Array>;
}

export function mailAllowance({ database, perDay, keys }: MailAllowanceOptions): MailAllowance {
  const [newest] = keys.values();
  if (!newest) throw new Error('There is no key to count mails with');
  const key = new Uint8Array(hkdfSync('sha256', newest, '', 'sluice mail allowances', 32));
  const subjectOf = (address: string) =>
    createHmac('sha256', key).update(mailboxKey(address)).digest('base64');
  return { perDay, take: (address) => takeMail(database, subjectOf(address), perDay) };
}
