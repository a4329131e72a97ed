import type { Caller } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { operations } from '../../../generated/api.ts';
import { deleteIdentity, listIdentities } from '@sluice/main-store/identities.store';
import { deleteSessionsOfSource } from '@sluice/main-store/sessions.store';
import { lockUsers, renewAddress } from '@sluice/main-store/users.store';
import { withdrawSessions } from '@sluice/grant-publication/session-grants';
import { recordInTenantsOf } from '../member-events.ts';

export type IdentitiesService = ReturnType<typeof identitiesService>;

/** By what identity providers know a person who is signed in. */
export function identitiesService({ database, work }: Pick<Core, 'database' | 'work'>) {
  return {
    list: ({ user }: Caller) => listIdentities(database, user.id),

    /** Unlinks an identity, and ends the sessions that its provider has vouched for. */
    delete: (caller: Caller, { identity_id: id }: ParamsOf<operations['deleteIdentity']>) =>
      work(caller, async (tx) => {
        const { user } = caller;
        await lockUsers(tx, [user.id]);
        const identities = await listIdentities(tx, user.id);
        const identity = identities.find((each) => each.id === id);
        if (!identity) throw problem('not_found');
        if (identities.length === 1)
          throw problem('state_conflict', { detail: 'Without this identity the user could not sign in.' });
        await deleteIdentity(tx, id);
        if (!(await renewAddress(tx, user.id)) && identity.email !== null)
          throw problem('state_conflict', {
            detail: 'No other linked identity has a verified address that is no other account’s.',
          });
        await withdrawSessions(tx, await deleteSessionsOfSource(tx, user.id, identity.source));
        await recordInTenantsOf(tx, user, 'provider_unlinked', { source: identity.source });
      }),
  };
}
