import { done, ok, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { IdentityRow } from '@sluice/main-store/identities.store';
import type { IdentitiesService } from './identities.service.ts';

export const identitiesOperations = (identities: IdentitiesService) =>
  ({
    listIdentities: async ({ caller }) => ok((await identities.list(caller)).map(identityView)),
    deleteIdentity: ({ caller, params }) => done(identities.delete(caller, params)),
  }) satisfies Partial<Handlers<operations>>;

export const identityView = (identity: IdentityRow): components['schemas']['Identity'] =>
  shown(identity, 'id', 'source', 'email', 'created_at');
