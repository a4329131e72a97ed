import type { Caller } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import type { Core } from '../../../core.ts';
import type { operations } from '../../../generated/api.ts';
import { listInvitationsOf } from '../../../stores/invitations.store.ts';
import { acceptInvitation, rejectInvitation } from './invitation-answers.ts';

type InvitationPath = ParamsOf<operations['acceptInvitation']>;
export type OwnInvitationsService = ReturnType<typeof ownInvitationsService>;

/** The invitations of a person who is signed in, to the verified addresses of their linked identities. */
export function ownInvitationsService(core: Pick<Core, 'database' | 'work' | 'catalogue' | 'now'>) {
  const { database, work } = core;
  return {
    list: ({ user }: Caller) => listInvitationsOf(database, user.id),

    accept: (caller: Caller, { invitation_id }: InvitationPath) =>
      work(caller, (tx) => acceptInvitation(tx, core, caller.user, invitation_id)),

    reject: (caller: Caller, { invitation_id }: InvitationPath) =>
      work(caller, (tx) => rejectInvitation(tx, core, caller.user, invitation_id)),
  };
}
