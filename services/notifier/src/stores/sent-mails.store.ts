import type { Mail, MailAbout, TenantId } from '@sluice/contracts';
import type { PruningRule } from '@sluice/service';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

type SentMailRow = Selectable<Tables['sent_mails']>;

/** Keeps what a mail was about; one that is sent again is the same one. */
export async function insertSentMail(
  db: Database,
  id: string,
  { template, to }: Mail,
  about: MailAbout,
): Promise<void> {
  await db
    .insertInto('sent_mails')
    .values({
      mail_id: id,
      tenant_id: about.tenant_id,
      template,
      recipient: to,
      about: JSON.stringify(about),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Notes that a mail has come back. @returns what it was, if that is news */
export async function markReturned(db: Database, id: string): Promise<SentMailRow | undefined> {
  return await db
    .updateTable('sent_mails')
    .set({ returned_at: sql<Date>`now()` })
    .where('mail_id', '=', id)
    .where('returned_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function isSent(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sent_mails')
    .select('mail_id')
    .where('mail_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSentMailsOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.deleteFrom('sent_mails').where('tenant_id', '=', tenantId).execute();
}

/** for longer than return paths hold */
export const sentMailsRule: PruningRule = { table: 'sent_mails', since: 'sent_at', keep: '15 days' };
