import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { ByocService } from './byoc.service.ts';
import { begun } from './deployment-view.ts';
import type { DeploymentsService } from './deployments.service.ts';

export const byocOperations = (byoc: ByocService, deployments: DeploymentsService) =>
  ({
    setUpByoc: async ({ caller, params, body }) => ok(await byoc.setup(caller, params, body)),
    createByocDeployment: async ({ caller, params, body }) =>
      begun(await deployments.createByoc(caller, params, body)),
  }) satisfies Partial<Handlers<operations>>;
