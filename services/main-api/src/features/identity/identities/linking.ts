import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { sendMail } from '../../../mails/mails.ts';
import { type IdentityRow, insertIdentity, type ProvidedIdentity } from '@sluice/main-store/identities.store';
import { type UserRow, renewAddress } from '@sluice/main-store/users.store';
import { recordInTenantsOf } from '../member-events.ts';

/**
 * Gives a locked user one more identity, and mails them: it signs in as them from now on.
 * @throws Problem `account_exists` when it is in use
 */
export async function linkIdentity(
  tx: Transaction,
  { mailCipher, consoleUrl }: Pick<Core, 'mailCipher' | 'consoleUrl'>,
  user: UserRow,
  identity: ProvidedIdentity,
): Promise<IdentityRow> {
  const { source } = identity;
  const linked = await insertIdentity(tx, user.id, identity);
  await renewAddress(tx, user.id);
  const url = `${consoleUrl.replace(/\/$/, '')}/account`;
  await sendMail(tx, mailCipher, 'provider_linked', user.email, { name: user.name, source, url });
  await recordInTenantsOf(tx, user, 'provider_linked', { source });
  return linked;
}
