import type { TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Core } from './core.ts';
import type { Database } from './database.ts';
import { mailsOf, mailsTo, takeMail } from './stores/mail-allowances.store.ts';

type Counting = Pick<Core, 'mailLimits' | 'now'>;

/**
 * Counts a mail that somebody has sent to an address of their choice, in the transaction that sends it.
 * @throws Problem `too_many_mails`, with the time to wait, when the tenant or the address has had too many
 */
export async function requireMailAllowance(
  tx: Database,
  core: Counting,
  tenantId: TenantId,
  to: string,
): Promise<void> {
  const wait = await takeAllowance(tx, core, tenantId, to);
  if (wait > 0) throw problem('too_many_mails', { headers: { 'retry-after': String(Math.ceil(wait)) } });
}

/** The same for a mail that can be left out. @returns whether it may be sent */
export async function hasMailAllowance(
  tx: Database,
  core: Counting,
  tenantId: TenantId,
  to: string,
): Promise<boolean> {
  return (await takeAllowance(tx, core, tenantId, to)) === 0;
}

async function takeAllowance(
  tx: Database,
  { mailLimits, now }: Counting,
  tenantId: TenantId,
  to: string,
): Promise<number> {
  const wait = await takeMail(tx, mailsOf(tenantId), mailLimits.perTenant, now());
  return wait > 0 ? wait : await takeMail(tx, mailsTo(to), mailLimits.perAddress, now());
}
