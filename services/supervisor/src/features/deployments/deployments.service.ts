import type { ParamsOf, SecretBox } from '@sluice/service-kit';
import type { Database } from '../../database/tables.ts';
import type { components, operations } from '../../generated/api.ts';
import { getDeployment, getLiveDeployment } from '../../stores/deployments.store.ts';
import { deploymentView, type ViewOptions } from './deployment-view.ts';

type DeploymentPath = ParamsOf<operations['getDeployment']>;

export interface DeploymentsOptions {
  database: Database;
  secrets: SecretBox;
  view: ViewOptions;
}

export type DeploymentsService = ReturnType<typeof deploymentsService>;

/** What is known of a deployment while it runs (interface, 2.5 and 4.5). */
export function deploymentsService({ database, secrets, view }: DeploymentsOptions) {
  return {
    async get({ deployment_id }: DeploymentPath): Promise<components['schemas']['LiveDeployment']> {
      const { deployment, nodes, records } = await getLiveDeployment(database, deployment_id);
      return deploymentView(deployment, nodes, records, view);
    },

    async credentials({ deployment_id }: DeploymentPath): Promise<components['schemas']['Credentials']> {
      const { username, sealed_password } = await getDeployment(database, deployment_id);
      return { username, password: await secrets.open(sealed_password) };
    },
  };
}
