import { ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import type { Deployments } from './deployments.service.ts';

export function deploymentsOperations(deployments: Deployments) {
  return {
    getDeployment: async ({ params }) => ok(await deployments.get(params.deployment_id)),
    getCredentials: async ({ params }) => ok(await deployments.credentials(params.deployment_id)),
  } satisfies Partial<Handlers<operations>>;
}
