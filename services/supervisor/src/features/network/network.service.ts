import type { ParamsOf } from '@sluice/http';
import type { Database } from '@sluice/region-store/tables';
import type { components, operations } from '../../generated/api.ts';
import { listRules } from '../access-rules/access-rules.store.ts';
import { getDeployment } from '@sluice/region-store/deployments.store';
import { listNodes } from '@sluice/region-store/nodes.store';
import { accessRuleView } from '../access-rules/access-rule-view.ts';
import { networkView, type ViewOptions } from '../deployments/deployment-view.ts';

export type NetworkService = ReturnType<typeof networkService>;

/** How a deployment is reached, and by whom (interface, 4.8). */
export function networkService({ database, view }: { database: Database; view: ViewOptions }) {
  return {
    async get({
      deployment_id,
    }: ParamsOf<operations['getNetworkInfo']>): Promise<components['schemas']['NetworkInfo']> {
      const deployment = await getDeployment(database, deployment_id);
      const nodes = await listNodes(database, deployment_id);
      const rules = await listRules(database, deployment_id);
      return { ...networkView(deployment, nodes, view), access_rules: rules.map(accessRuleView) };
    },
  };
}
