import type { Caller, ParamsOf } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import type { operations } from '../../../generated/api.ts';
import { listInvitationsOf } from '../../../stores/invitations.store.ts';
import { getUser } from '../../../stores/users.store.ts';
import { acceptInvitation, rejectInvitation } from './invitation-answers.ts';

type InvitationPath = ParamsOf<operations['acceptInvitation']>;
export type OwnInvitationsService = ReturnType<typeof ownInvitationsService>;

/** The invitations of a person who is signed in, whose address a provider has verified. */
export function ownInvitationsService(core: Pick<Core, 'database' | 'work' | 'catalogue' | 'now'>) {
  const { database, work } = core;
  return {
    async list({ user }: Caller) {
      return await listInvitationsOf(database, (await getUser(database, user.id)).email);
    },

    /** @throws Problem `not_found`, `invitation_expired`, `state_conflict`, `already_member`, `limit_reached` */
    accept: (caller: Caller, { invitation_id }: InvitationPath) =>
      work(caller, async (tx) =>
        acceptInvitation(tx, core, await getUser(tx, caller.user.id), invitation_id),
      ),

    /** @throws Problem `not_found`, `invitation_expired`, `state_conflict` */
    reject: (caller: Caller, { invitation_id }: InvitationPath) =>
      work(caller, async (tx) =>
        rejectInvitation(tx, core, await getUser(tx, caller.user.id), invitation_id),
      ),
  };
}
