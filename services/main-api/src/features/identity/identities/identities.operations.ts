import { noContent, ok, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { IdentityRow } from '../../../stores/identities.entity.ts';
import type { IdentitiesService } from './identities.service.ts';

export function identitiesOperations(identities: IdentitiesService) {
  return {
    async listIdentities({ caller }) {
      return ok((await identities.list(caller)).map(identityView));
    },

    async deleteIdentity({ caller, params }) {
      await identities.delete(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

export function identityView({
  id,
  source,
  email,
  created_at,
}: IdentityRow): components['schemas']['Identity'] {
  return { id, source, email, created_at: created_at.toISOString() };
}
