import type { components } from '../../generated/api.ts';
import type { LinkStatuses } from '@sluice/drivers';
import { cloudBPeeringView, serviceAttachmentView } from './cloud-b-views.ts';
import type { PlacedLink } from './links.service.ts';

type Schemas = components['schemas'];
type Instructions = Schemas['NetworkInstructions'];
type Text = Pick<Instructions, 'title' | 'steps'>;

/** What the owner of the other network does, by the state of a peering (interface, 2.10). */
export function cloudBPeeringInstructions(placed: PlacedLink<'cloud_b_peering'>): Instructions {
  const peering = cloudBPeeringView(placed);
  return {
    status: peering.state,
    ...peeringTexts[peering.state](peering),
    values: {
      deployment_vpc_name: peering.vpc_name,
      deployment_project_id: peering.project_id,
      deployment_cidr: peering.cidr,
      your_vpc_name: peering.peer_vpc_name,
      your_project_id: peering.peer_project_id,
      your_cidr: peering.peer_vpc_cidr,
      reason: peering.status_reason,
    },
  };
}

const peeringTexts: Record<LinkStatuses['cloud_b_peering'], (peering: Schemas['CloudBPeering']) => Text> = {
  inactive: (peering) => ({
    title: 'Make the same peering on your side',
    steps: [
      {
        title: 'Peer your network with that of the deployment',
        text: `In the project ${peering.peer_project_id}, peer ${peering.peer_vpc_name} with the network of the deployment. The peering becomes active once both sides have it.`,
        command: `cloud_b compute networks peerings create sluice-${peering.id} --project=${peering.peer_project_id} --network=${peering.peer_vpc_name} --peer-project=${peering.project_id ?? '<project>'} --peer-network=${peering.vpc_name ?? '<network>'}`,
      },
    ],
  }),
  active: (peering) => ({
    title: 'The networks are connected',
    steps: [
      {
        title: 'Let the traffic through',
        text: `Firewall rules of ${peering.peer_vpc_name} have to let clients connect to ${peering.cidr ?? 'the subnet of the deployment'}, and an access rule of the deployment has to let ${peering.peer_vpc_cidr} in. Routes come with the peering.`,
      },
    ],
  }),
  deleted: (peering) => ({
    title: 'The peering is gone',
    steps: [
      {
        title: 'Delete your side of it',
        text: `In the project ${peering.peer_project_id}, delete the peering of ${peering.peer_vpc_name} and the firewall rules that were made for it. Only you can.`,
        command: `cloud_b compute networks peerings delete sluice-${peering.id} --project=${peering.peer_project_id} --network=${peering.peer_vpc_name}`,
      },
    ],
  }),
};

/** How customers connect to an attachment, by its state (interface, 2.10). */
export function serviceAttachmentInstructions(placed: PlacedLink<'cloud_b_attachment'>): Instructions {
  const attachment = serviceAttachmentView(placed);
  return {
    status: attachment.state,
    ...attachmentTexts[attachment.state](attachment),
    values: {
      service_attachment_uri: attachment.service_attachment_uri,
      connection_preference: attachment.connection_preference,
      region: placed.deployment.spec.region,
      reason: attachment.status_reason,
    },
  };
}

const attachmentTexts: Record<
  LinkStatuses['cloud_b_attachment'],
  (attachment: Schemas['ServiceAttachment']) => Text
> = {
  pending: () => ({
    title: 'The attachment is being made',
    steps: [
      {
        title: 'Wait for the attachment',
        text: 'Endpoints can be made for it once it is active.',
      },
    ],
  }),
  active: (attachment) => ({
    title: 'Make an endpoint in your network',
    steps: [
      {
        title: 'Reserve an address',
        text: 'An internal address in a subnet of yours becomes that of the brokers.',
        command: 'cloud_b compute addresses create sluice-endpoint --region=<region> --subnet=<subnet>',
      },
      {
        title: 'Make the endpoint',
        text: `A forwarding rule leads from the address to the attachment. ${admission(attachment)}`,
        command: `cloud_b compute forwarding-rules create sluice-endpoint --region=<region> --network=<network> --address=sluice-endpoint --target-service-attachment=${attachment.service_attachment_uri ?? '<attachment>'}`,
      },
    ],
  }),
  closed: () => ({
    title: 'The attachment is gone',
    steps: [
      {
        title: 'Delete your endpoints',
        text: 'Endpoints for it have stopped working; delete their forwarding rules and addresses.',
        command: 'cloud_b compute forwarding-rules delete sluice-endpoint --region=<region>',
      },
    ],
  }),
};

function admission({
  connection_preference: preference,
  consumer_accept_lists: list,
}: Schemas['ServiceAttachment']): string {
  if (preference === 'accept_automatic' || list.length === 0) return 'Endpoints of any project are let in.';
  return `Endpoints of ${list.join(', ')} are let in, others wait.`;
}
