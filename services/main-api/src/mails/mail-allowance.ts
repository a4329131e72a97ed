import { createHash } from 'node:crypto';
import { mailboxKey, type TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Core } from '../core.ts';
import type { Database } from '@sluice/main-store/database';
import { takeMail } from './mail-allowances.store.ts';

type Counting = Pick<Core, 'mailLimits' | 'now'>;

/**
 * Counts a mail to an address that a caller has chosen, in the transaction that sends it.
 * @throws Problem `too_many_mails`, with the time to wait, when the tenant or the address has had too many
 */
export async function requireMailAllowance(tx: Database, core: Counting, tenantId: TenantId, to: string) {
  const wait = await takeAllowance(tx, core, tenantId, to);
  if (wait > 0) throw problem('too_many_mails', { headers: { 'retry-after': String(Math.ceil(wait)) } });
}

/** The same for a mail that can be left out. @returns whether it may be sent */
export const hasMailAllowance = async (tx: Database, core: Counting, tenantId: TenantId, to: string) =>
  (await takeAllowance(tx, core, tenantId, to)) === 0;

async function takeAllowance(tx: Database, { mailLimits, now }: Counting, tenantId: TenantId, to: string) {
  const address = createHash('sha256').update(mailboxKey(to)).digest('hex');
  const wait = await takeMail(tx, `tenant ${tenantId}`, mailLimits.perTenant, now());
  return wait > 0 ? wait : await takeMail(tx, `address ${address}`, mailLimits.perAddress, now());
}
