import type { DeploymentId } from '@sluice/contracts';
import type { Database } from '../../database.ts';
import type { components } from '../../generated/api.ts';
import { accessRuleView } from '../access-rules/access-rule-view.ts';
import { listRules } from '../access-rules/access-rules.store.ts';
import { networkView, type ViewOptions } from '../deployments/deployment-view.ts';
import { requireDeployment } from '../deployments/deployments.service.ts';
import { nodesOf } from '../deployments/deployments.store.ts';

export type Network = ReturnType<typeof createNetwork>;

/** How a deployment is reached, and by whom (interface, 4.8). */
export function createNetwork({ database, view }: { database: Database; view: ViewOptions }) {
  return {
    async of(deploymentId: DeploymentId): Promise<components['schemas']['NetworkInfo']> {
      const deployment = await requireDeployment(database, deploymentId);
      const nodes = await nodesOf(database, deploymentId);
      const rules = await listRules(database, deploymentId);
      return { ...networkView(deployment, nodes, view), access_rules: rules.map(accessRuleView) };
    },
  };
}
