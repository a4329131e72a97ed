import { ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import type { ByocService } from './byoc.service.ts';

export function byocOperations(byoc: ByocService) {
  return {
    async validateCloudAccess({ body }) {
      return ok(byoc.validate(body));
    },
  } satisfies Partial<Handlers<operations>>;
}
