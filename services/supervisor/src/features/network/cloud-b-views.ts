import type { components } from '../../generated/api.ts';
import type { AttachmentConnection } from './attachment-connections.store.ts';
import type { PlacedLink } from './links.service.ts';

type Schemas = components['schemas'];

/** A peering on cloud_b as the interface shows it (2.10). */
export function cloudBPeeringView({
  deployment: { subnet },
  link,
}: PlacedLink<'cloud_b_peering'>): Schemas['CloudBPeering'] {
  const { wanted, facts } = link;
  return {
    id: link.id,
    name: link.name,
    vpc_name: facts.vpc_name ?? null,
    project_id: facts.project_id ?? null,
    cidr: subnet,
    peer_vpc_name: wanted.peer_vpc_name,
    peer_project_id: wanted.peer_project_id,
    peer_vpc_cidr: wanted.peer_vpc_cidr,
    state: link.status,
    status_reason: link.status_reason,
    remarks: link.remarks,
    created_at: link.created_at.toISOString(),
  };
}

/** An attachment as the interface shows it (2.10). */
export function serviceAttachmentView({
  link,
}: PlacedLink<'cloud_b_attachment'>): Schemas['ServiceAttachment'] {
  const { wanted, facts } = link;
  return {
    id: link.id,
    name: link.name,
    service_attachment_uri: facts.service_attachment_uri ?? null,
    connection_preference: wanted.connection_preference,
    consumer_accept_lists: wanted.consumer_accept_lists,
    state: link.status,
    status_reason: link.status_reason,
    remarks: link.remarks,
    created_at: link.created_at.toISOString(),
  };
}

/** Who is connected to an attachment (2.10). */
export function attachmentConnectionView({
  created_at,
  ...connection
}: AttachmentConnection): Schemas['AttachmentConnection'] {
  const { id, connection_id, consumer_project_id, consumer_network, consumer_forwarding_rule, status } =
    connection;
  return {
    ...{ id, connection_id, consumer_project_id, consumer_network, consumer_forwarding_rule, status },
    created_at: created_at.toISOString(),
  };
}
