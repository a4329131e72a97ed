import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { ByocService } from './byoc.service.ts';

export function byocOperations(byoc: ByocService) {
  return {
    async validateCloudAccess({ caller, body, signal }) {
      return ok(await byoc.validate(caller, body, signal));
    },
  } satisfies Partial<Handlers<operations>>;
}
