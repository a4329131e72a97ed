import { accepted, done, ok, paged, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { DeploymentChangesService } from './deployment-changes.service.ts';
import { begun, deploymentView, shownDetail, tenantDeploymentView } from './deployment-view.ts';
import type { DeploymentsService } from './deployments.service.ts';

export function deploymentsOperations(deployments: DeploymentsService, changes: DeploymentChangesService) {
  return {
    createStarterDeployment: async ({ caller, params, body }) =>
      begun(await deployments.createStarter(caller, params, body)),
    createManagedDeployment: async ({ caller, params, body }) =>
      begun(await deployments.createManaged(caller, params, body)),
    listDeployments: ({ caller, params, query, url }) =>
      paged({ query, url }, (page) => deployments.list(caller, params, page), deploymentView),
    listAllDeployments: ({ caller, params, query: { page, results, ...list }, url }) =>
      paged(
        { query: { page, results }, url },
        (part) => deployments.listAll(caller, params, list, part),
        tenantDeploymentView,
      ),
    updateDeployment: ({ caller, params, body, ifMatch }) =>
      done(changes.update(caller, params, body, (detail) => ifMatch(() => shownDetail(detail)))),

    async setSpendLimit({ caller, params, body }) {
      await changes.setSpendLimit(caller, params, body);
      return ok(body);
    },

    async setRetention({ caller, params, body }) {
      await changes.setRetention(caller, params, body);
      return ok(body);
    },

    async deleteDeployment({ caller, params, query, ifMatch }) {
      await deployments.delete(caller, params, query.code, (detail) => ifMatch(() => shownDetail(detail)));
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
