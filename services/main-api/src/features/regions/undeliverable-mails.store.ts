import type { ReportData } from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { recordMailFailure } from '@sluice/main-store/invitations.store';
import { recordCodeFailure } from '@sluice/main-store/protection-codes.store';
import { findTerms, lockTenants } from '@sluice/main-store/tenants.store';
import { table, time, uuid } from '@sluice/main-store/columns';

const UndeliverableMail = table('undeliverable_mails', {
  mail_id: uuid({ primary: true }),
  reported_at: time(),
});

/** Notes that a mail could not be delivered. @returns whether that is news */
async function insertUndeliverable(db: Transaction, mailId: string): Promise<boolean> {
  const row = { mail_id: mailId, reported_at: () => 'now()' };
  const insert = db.manager.createQueryBuilder().insert().into(UndeliverableMail).values(row).orIgnore();
  const rows = (await insert.returning('mail_id').execute()).raw as unknown[];
  return rows.length > 0;
}

/** Records a mail that could not be delivered in its tenant's audit log, and with the invitation or the protection code that it was of. */
export async function recordUndeliverable(
  tx: Transaction,
  { mail_id, template, to: email, reason, about }: ReportData<'mail_undeliverable'>,
): Promise<void> {
  const { invitation_id, ...subjects } = about;
  // its deletion is the last that is said of a tenant
  await lockTenants(tx, [about.tenant_id]);
  if ((await findTerms(tx, [about.tenant_id])).length === 0) return;
  if (!(await insertUndeliverable(tx, mail_id))) return;
  if (invitation_id !== undefined) await recordMailFailure(tx, about.tenant_id, invitation_id, reason);
  if (template === 'protection_code') await recordCodeFailure(tx, about.tenant_id, mail_id, reason);
  tx.emit('mail_undeliverable', subjects, { template, email, reason });
}
