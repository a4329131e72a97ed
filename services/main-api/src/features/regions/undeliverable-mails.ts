import type { ReportData } from '@sluice/contracts';
import type { Transaction } from '../../database.ts';
import { recordMailFailure } from '../../stores/invitations.store.ts';
import { recordCodeFailure } from '../../stores/protection-codes.store.ts';
import { findTerms, lockTenants } from '../../stores/tenants.store.ts';
import { insertUndeliverable } from './undeliverable-mails.store.ts';

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
