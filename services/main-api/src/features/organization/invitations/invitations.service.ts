import { consoleLink } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { Database, Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { requireMailAllowance } from '../../../mails/mail-allowance.ts';
import { sendMail } from '../../../mails/mails.ts';
import {
  countRecentInvitations,
  deleteUnanswered,
  getInvitation,
  insertInvitation,
  listInvitations,
  listInvitationsOf,
  listPendingOf,
  type InvitationWithRoles,
} from '@sluice/main-store/invitations.store';
import { isMemberByEmail } from '@sluice/main-store/members.store';
import { type TenantPath, getTenant, lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { requireRoles, requireRolesHeld } from '../../access/roles/granting.ts';
import { acceptInvitation, rejectInvitation } from './invitation-answers.ts';
import { requireMayInvite } from './invitation-policy.ts';
import { isWithdrawn } from './invitation-standing.ts';

export type InvitationsService = ReturnType<typeof invitationsService>;

export type OwnInvitationsService = ReturnType<typeof ownInvitationsService>;

type OwnInvitationPath = ParamsOf<operations['acceptInvitation']>;
type InvitationPath = ParamsOf<operations['deleteInvitation']>;
type InvitationInput = BodyOf<operations['createInvitation']>;

const validMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** The rules of invitations (interface, 2.2 and 4.6). */
export function invitationsService(core: Core) {
  const { database, work, now } = core;
  return {
    list: ({ tenant_id }: TenantPath, page: Page) => listInvitations(database, tenant_id, page),

    get: (path: InvitationPath) => getInvitationOf(database, path),

    create: (caller: Caller, { tenant_id }: TenantPath, { email, roles }: InvitationInput) =>
      work(caller, async (tx): Promise<InvitationWithRoles> => {
        const terms = await lockTenant(tx, tenant_id);
        const given = await requireRoles(tx, tenant_id, roles ?? []);
        requireRolesHeld(caller, given);
        const tenant = await getTenant(tx, tenant_id);
        if (await isMemberByEmail(tx, tenant_id, email)) throw problem('already_member');
        const pending = await listPendingOf(tx, tenant_id, email, now());
        if (!pending.every(isWithdrawn)) throw problem('already_invited');
        await requireMayInvite(tx, tenant, email);
        await requireRoomForInvitation(tx, core, terms);

        const created_at = now();
        const expires_at = new Date(created_at.getTime() + validMilliseconds);
        const row = { tenant_id, email, invited_by: caller.user.id, created_at, expires_at };
        const roleIds = given.map(({ id }) => id);
        const invitation = await getInvitation(tx, await insertInvitation(tx, row, roleIds));
        await requireMailAllowance(tx, core, tenant_id, email);
        await mailInvitation(tx, core, invitation);
        const invited = { email, roles: given.map(({ name }) => name) };
        tx.emit('member_invited', { tenant_id }, invited);
        tx.emit('invitation_created', { tenant_id }, { ...invited, tenant: tenant.name });
        return invitation;
      }),

    /** Takes back an unanswered invitation. */
    delete: (caller: Caller, path: InvitationPath) =>
      work(caller, async (tx) => {
        const { tenant_id } = path;
        await lockTenant(tx, tenant_id);
        const { id, email, roles } = await getInvitationOf(tx, path);
        requireRolesHeld(caller, roles);
        if (!(await deleteUnanswered(tx, id)))
          throw problem('state_conflict', { detail: 'The invitation has been answered.' });
        tx.emit('invitation_deleted', { tenant_id }, { email, roles: roles.map(({ name }) => name) });
      }),
  };
}

/** An invitation into the tenant of a path. @throws Problem `not_found` */
async function getInvitationOf(
  db: Database,
  { tenant_id, invitation_id }: InvitationPath,
): Promise<InvitationWithRoles> {
  const invitation = await getInvitation(db, invitation_id);
  if (invitation.tenant_id !== tenant_id) throw problem('not_found');
  return invitation;
}

/** One limit counts what was made in the last seven days, answered or not; the other what is unanswered. */
async function requireRoomForInvitation(
  tx: Transaction,
  { catalogue, now }: Pick<Core, 'catalogue' | 'now'>,
  tenant: TenantTerms,
): Promise<void> {
  const features = featuresOf(catalogue, tenant);
  const { made, pending } = await countRecentInvitations(tx, tenant.id, now());
  requireRoom(features, 'invitations_limit', made);
  requireRoom(features, 'pending_invitations_limit', pending);
}

async function mailInvitation(
  tx: Transaction,
  { mailCipher, consoleUrl }: Pick<Core, 'mailCipher' | 'consoleUrl'>,
  { id, tenant_id, tenant_name, email, invited_by, expires_at }: InvitationWithRoles,
): Promise<void> {
  const content = {
    tenant: tenant_name,
    invited_by: invited_by.name,
    url: consoleLink(consoleUrl, 'invitations', {}),
    expires_at: expires_at.toISOString(),
  };
  await sendMail(tx, mailCipher, 'invitation', email, content, { tenant_id, invitation_id: id });
}

/** The invitations of a person who is signed in, to the verified addresses of their linked identities. */
export const ownInvitationsService = (core: Core) => ({
  list: ({ user }: Caller) => listInvitationsOf(core.database, user.id),
  accept: (caller: Caller, { invitation_id }: OwnInvitationPath) =>
    core.work(caller, (tx) => acceptInvitation(tx, core, caller.user, invitation_id)),
  reject: (caller: Caller, { invitation_id }: OwnInvitationPath) =>
    core.work(caller, (tx) => rejectInvitation(tx, core, caller.user, invitation_id)),
});
