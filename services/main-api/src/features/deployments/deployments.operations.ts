import { accepted, listed, ok, pageOf, type Answer, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../generated/api.ts';
import type { PlacedDeployment } from '../../stores/deployments.store.ts';
import type { DeploymentsService } from './deployments.service.ts';

type DeploymentView = components['schemas']['Deployment'];
type DetailView = components['schemas']['DeploymentDetail'];

export function deploymentsOperations(deployments: DeploymentsService) {
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

    async getDeployment({ params }) {
      return ok(detailView(await deployments.get(params)));
    },

    async deleteDeployment({ caller, params, query }) {
      await deployments.delete(caller, params, query.code);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}

function begun(deployment: PlacedDeployment): Answer<202, DetailView> {
  const { id, tenant_id, division_id, environment_id } = deployment;
  const environment = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}`;
  const headers = {
    location: `${environment}/deployments/${id}`,
    'svc-environment': String(environment_id),
    'svc-deployment': String(id),
  };
  return accepted(headers, detailView(deployment));
}

function detailView(deployment: PlacedDeployment): DetailView {
  return {
    ...deploymentView(deployment),
    code: deployment.code,
    protected: deployment.protected,
    description: deployment.description,
    status_reason: deployment.status_reason,
    upgrades: [],
  };
}

function deploymentView(deployment: PlacedDeployment): DeploymentView {
  return {
    id: deployment.id,
    name: deployment.name,
    variant: deployment.variant,
    domain: deployment.domain,
    cloud: deployment.cloud,
    region: deployment.region,
    area: deployment.area,
    tier: deployment.tier,
    cluster: deployment.cluster,
    nodes_count: deployment.nodes.length,
    supervisor_url: deployment.supervisor_url,
    status: deployment.status,
    created_at: deployment.created_at.toISOString(),
    updated_at: deployment.updated_at.toISOString(),
  };
}
