import type { DeploymentId } from '@sluice/contracts';
import { problem, type SecretBox } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import type { components } from '../../generated/api.ts';
import { deploymentView, type ViewOptions } from './deployment-view.ts';
import { dnsRecordsOf, findDeployment, nodesOf, type Deployment } from './deployments.store.ts';

export interface DeploymentsOptions {
  database: Database;
  secrets: SecretBox;
  view: ViewOptions;
}

export type Deployments = ReturnType<typeof createDeployments>;

/** What is known of a deployment while it runs (interface, 2.5 and 4.5). */
export function createDeployments({ database, secrets, view }: DeploymentsOptions) {
  return {
    async get(id: DeploymentId): Promise<components['schemas']['Deployment']> {
      const deployment = await requireDeployment(database, id);
      const nodes = await nodesOf(database, id);
      return deploymentView(deployment, nodes, await dnsRecordsOf(database, id), view);
    },

    async credentials(id: DeploymentId): Promise<components['schemas']['Credentials']> {
      const { username, sealed_password } = await requireDeployment(database, id);
      return { username, password: await secrets.open(sealed_password) };
    },
  };
}

/** @throws Problem `not_found`: it was removed since the request was authorized */
export async function requireDeployment(database: Database, id: DeploymentId): Promise<Deployment> {
  const deployment = await findDeployment(database, id);
  if (!deployment) throw problem('not_found');
  return deployment;
}
