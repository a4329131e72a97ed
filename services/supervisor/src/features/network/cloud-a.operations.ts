import { created, createdHeaders, done, noContent, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { cloudAPeeringInstructions } from './cloud-a-instructions.ts';
import { cloudAPeeringView, endpointServiceView } from './cloud-a-views.ts';
import type { LinksService } from './links.service.ts';

export function cloudANetworkOperations(links: LinksService) {
  return {
    async listCloudAPeerings({ params }) {
      return ok((await links.list(params.deployment_id, 'cloud_a_peering')).map(cloudAPeeringView));
    },
    async createCloudAPeering({ caller, params: { deployment_id }, body }) {
      const { name, remarks, peer_region = null, ...wanted } = body;
      const request = { name, remarks, wanted: { ...wanted, peer_region } };
      const { link } = await links.create(caller, deployment_id, 'cloud_a_peering', request);
      const location = `/deployments/${deployment_id}/network/cloud_a/vpc_peering/${link.id}`;
      return { ...noContent(), headers: createdHeaders('vpc_peering', link.id, location) };
    },
    deleteCloudAPeering: ({ caller, params: { deployment_id, peering_id } }) =>
      done(links.delete(caller, deployment_id, 'cloud_a_peering', peering_id)),
    async getCloudAPeeringInstructions({ params: { deployment_id, peering_id } }) {
      return ok(cloudAPeeringInstructions(await links.get(deployment_id, 'cloud_a_peering', peering_id)));
    },
    async listEndpointServices({ params }) {
      return ok((await links.list(params.deployment_id, 'cloud_a_service')).map(endpointServiceView));
    },
    async createEndpointService({ caller, params: { deployment_id }, body }) {
      const { name, remarks, acceptance_required, allowed_principals } = body;
      const wanted = {
        acceptance_required: acceptance_required ?? true,
        allowed_principals: allowed_principals ?? [],
      };
      const service = await links.create(caller, deployment_id, 'cloud_a_service', { name, remarks, wanted });
      const location = `/deployments/${deployment_id}/network/cloud_a/private_link/${service.link.id}`;
      return created('private_link', location, endpointServiceView(service));
    },
    deleteEndpointService: ({ caller, params: { deployment_id, service_id } }) =>
      done(links.delete(caller, deployment_id, 'cloud_a_service', service_id)),
  } satisfies Partial<Handlers<operations>>;
}
