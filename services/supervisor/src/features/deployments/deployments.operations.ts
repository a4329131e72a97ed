import { accepted, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { DeploymentsService } from './deployments.service.ts';

export function deploymentsOperations(deployments: DeploymentsService) {
  return {
    async getDeployment({ params }) {
      return ok(await deployments.get(params));
    },
    async acceptDataLoss({ caller, params }) {
      await deployments.acceptDataLoss(caller, params);
      return accepted({}, undefined);
    },
    async retryDeployment({ caller, params }) {
      await deployments.retry(caller, params);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
