import type { components } from '../../generated/api.ts';
import type { AttachmentConnection } from './attachment-connections.store.ts';
import { linkView, type PlacedLink } from './links.service.ts';

type Schemas = components['schemas'];

/** A peering on cloud_b as the interface shows it (2.10). */
export function cloudBPeeringView({
  deployment: { subnet },
  link,
}: PlacedLink<'cloud_b_peering'>): Schemas['CloudBPeering'] {
  const { wanted, facts } = link;
  return {
    ...linkView(link),
    vpc_name: facts.vpc_name ?? null,
    project_id: facts.project_id ?? null,
    cidr: subnet,
    peer_vpc_name: wanted.peer_vpc_name,
    peer_project_id: wanted.peer_project_id,
    peer_vpc_cidr: wanted.peer_vpc_cidr,
    state: link.status,
  };
}

/** An attachment as the interface shows it (2.10). */
export function serviceAttachmentView({
  link,
}: PlacedLink<'cloud_b_attachment'>): Schemas['ServiceAttachment'] {
  const { wanted, facts } = link;
  return {
    ...linkView(link),
    service_attachment_uri: facts.service_attachment_uri ?? null,
    connection_preference: wanted.connection_preference,
    consumer_accept_lists: wanted.consumer_accept_lists,
    state: link.status,
  };
}

/** Who is connected to an attachment (2.10). */
export const attachmentConnectionView = ({
  link_id: _,
  created_at,
  ...connection
}: AttachmentConnection): Schemas['AttachmentConnection'] => ({
  ...connection,
  created_at: created_at.toISOString(),
});
