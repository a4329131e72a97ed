import { accepted, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { CredentialsService } from './credentials.service.ts';

export function credentialsOperations(credentials: CredentialsService) {
  return {
    getCredentials: async ({ caller, params }) => ok(await credentials.get(caller, params)),
    async rotateCredentials({ caller, params, body }) {
      await credentials.rotate(caller, params, body);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
