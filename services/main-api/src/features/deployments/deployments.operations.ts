import { accepted, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { DeploymentChangesService } from './deployment-changes.service.ts';
import { begun, deploymentView } from './deployment-view.ts';
import type { DeploymentsService } from './deployments.service.ts';

export function deploymentsOperations(deployments: DeploymentsService, changes: DeploymentChangesService) {
  return {
    async createStarterDeployment({ caller, params, body }) {
      return begun(await deployments.createStarter(caller, params, body));
    },

    async createManagedDeployment({ caller, params, body }) {
      return begun(await deployments.createManaged(caller, params, body));
    },

    async listDeployments({ caller, params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await deployments.list(caller, params, page);
      return listed(url, page, rows.map(deploymentView), total);
    },

    async updateDeployment({ caller, params, body }) {
      await changes.update(caller, params, body);
      return noContent();
    },

    async setSpendLimit({ caller, params, body }) {
      await changes.setSpendLimit(caller, params, body);
      return ok(body);
    },

    async setRetention({ caller, params, body }) {
      await changes.setRetention(caller, params, body);
      return ok(body);
    },

    async deleteDeployment({ caller, params, query }) {
      await deployments.delete(caller, params, query.code);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
