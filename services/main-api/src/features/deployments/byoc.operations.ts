import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { ByocService } from './byoc.service.ts';
import { begun } from './deployment-view.ts';
import type { DeploymentsService } from './deployments.service.ts';

export function byocOperations(byoc: ByocService, deployments: DeploymentsService) {
  return {
    async setUpByoc({ caller, params, body }) {
      return ok(await byoc.setup(caller, params, body));
    },

    async createByocDeployment({ caller, params, body }) {
      return begun(await deployments.createByoc(caller, params, body));
    },
  } satisfies Partial<Handlers<operations>>;
}
