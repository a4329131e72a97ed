import type { components } from '../../generated/api.ts';
import { linkView, type PlacedLink } from './links.service.ts';

type Schemas = components['schemas'];

/** A peering on cloud_a as the interface shows it (2.10). */
export function cloudAPeeringView({
  deployment: { spec, subnet },
  link,
}: PlacedLink<'cloud_a_peering'>): Schemas['CloudAPeering'] {
  const { wanted, facts } = link;
  return {
    ...linkView(link),
    peering_connection_id: facts.peering_connection_id ?? null,
    requester_vpc_id: facts.requester_vpc_id ?? null,
    requester_cidr: subnet,
    accepter_vpc_id: wanted.peer_vpc_id,
    accepter_cidr: wanted.peer_vpc_cidr,
    requester_region: spec.region,
    accepter_region: wanted.peer_region ?? spec.region,
    requester_owner_id: facts.requester_owner_id ?? null,
    accepter_owner_id: wanted.peer_owner_id,
    status: link.status,
  };
}

/** An endpoint service as the interface shows it (2.10). */
export function endpointServiceView({ link }: PlacedLink<'cloud_a_service'>): Schemas['EndpointService'] {
  const { wanted, facts } = link;
  return {
    ...linkView(link),
    vpc_endpoint_service_id: facts.vpc_endpoint_service_id ?? null,
    service_name: facts.service_name ?? null,
    acceptance_required: wanted.acceptance_required,
    allowed_principals: wanted.allowed_principals,
    state: link.status,
  };
}
