import type { InvitationId } from '@sluice/contracts';
import type { Caller } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import { listInvitationsOf } from '../../../stores/invitations.store.ts';
import { getUser } from '../../../stores/users.store.ts';
import { acceptInvitation, rejectInvitation } from './invitation-answers.ts';

export type OwnInvitationsService = ReturnType<typeof ownInvitationsService>;

/** The invitations of a person who is signed in, whose address a provider has verified. */
export function ownInvitationsService(core: Pick<Core, 'database' | 'work' | 'catalogue' | 'now'>) {
  const { database, work } = core;
  return {
    async list({ user }: Caller) {
      return await listInvitationsOf(database, (await getUser(database, user.id)).email);
    },

    /** @throws Problem `not_found`, `invitation_expired`, `state_conflict`, `already_member`, `limit_reached` */
    accept: (caller: Caller, id: InvitationId) =>
      work(caller, async (tx) => acceptInvitation(tx, core, await getUser(tx, caller.user.id), id)),

    /** @throws Problem `not_found`, `invitation_expired`, `state_conflict` */
    reject: (caller: Caller, id: InvitationId) =>
      work(caller, async (tx) => rejectInvitation(tx, core, await getUser(tx, caller.user.id), id)),
  };
}
