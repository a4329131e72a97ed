import type { components } from '../../generated/api.ts';
import type { LinkStatuses } from '@sluice/drivers';
import { cloudAPeeringView } from './cloud-a-views.ts';
import type { PlacedLink } from './links.service.ts';

type Instructions = components['schemas']['NetworkInstructions'];
type Peering = components['schemas']['CloudAPeering'];
type Text = Pick<Instructions, 'title' | 'steps'>;

/** What the owner of the other VPC does, by the status of a peering (interface, 2.10). */
export function cloudAPeeringInstructions(placed: PlacedLink<'cloud_a_peering'>): Instructions {
  const peering = cloudAPeeringView(placed);
  const text = { ...texts[peering.status](peering), status: peering.status };
  return {
    ...text,
    values: {
      peering_connection_id: peering.peering_connection_id,
      deployment_vpc_id: peering.requester_vpc_id,
      deployment_cidr: peering.requester_cidr,
      deployment_owner_id: peering.requester_owner_id,
      deployment_region: peering.requester_region,
      your_vpc_id: peering.accepter_vpc_id,
      your_cidr: peering.accepter_cidr,
      your_owner_id: peering.accepter_owner_id,
      your_region: peering.accepter_region,
      reason: peering.status_reason,
    },
  };
}

const texts: Record<LinkStatuses['cloud_a_peering'], (peering: Peering) => Text> = {
  initiating_request: () => ({
    title: 'The request is being made',
    steps: [
      {
        title: 'Wait for the request',
        text: 'The cloud is asked for the peering. There is nothing to do until the status is pending_acceptance.',
      },
    ],
  }),
  pending_acceptance: (peering) => ({
    title: 'Accept the request in your account',
    steps: [
      {
        title: 'Accept the peering',
        text: `Sign in to the account ${peering.accepter_owner_id} and accept the request for ${peering.accepter_vpc_id} within seven days.`,
        command: `cloud_a ec2 accept-vpc-peering-connection --region ${peering.accepter_region} --vpc-peering-connection-id ${id(peering)}`,
      },
      routeStep(peering),
      admissionStep(peering),
    ],
  }),
  provisioning: (peering) => ({
    title: 'Add your routes while ours are being made',
    steps: [routeStep(peering), admissionStep(peering)],
  }),
  active: (peering) => ({
    title: 'The networks are connected',
    steps: [
      {
        title: 'Check your routes',
        text: 'If brokers cannot be reached, a route or a rule of a security group is missing on your side.',
        command: `cloud_a ec2 describe-route-tables --region ${peering.accepter_region} --filters Name=route.vpc-peering-connection-id,Values=${id(peering)}`,
      },
      {
        title: 'Let your addresses in',
        text: `Brokers are reached by their addresses in ${peering.requester_cidr ?? 'the subnet of the deployment'}. An access rule of the deployment has to let ${peering.accepter_cidr} in.`,
      },
    ],
  }),
  rejected: (peering) => ({
    title: 'The request was rejected',
    steps: [
      {
        title: 'Delete the peering, and ask again',
        text: `The account ${peering.accepter_owner_id} has rejected the request. Agree with its owner, delete this peering and create another.`,
      },
    ],
  }),
  expired: (peering) => ({
    title: 'The request has expired',
    steps: [
      {
        title: 'Delete the peering, and ask again',
        text: `The account ${peering.accepter_owner_id} has not accepted the request within seven days. Delete this peering, create another and accept it in time.`,
      },
    ],
  }),
  failed: (peering) => ({
    title: 'The peering could not be made',
    steps: [
      {
        title: 'Correct what is wrong',
        text: `The cloud has refused it: ${peering.status_reason ?? 'it does not say why'}. Check the VPC, its account, its region and its block, delete this peering and create another.`,
      },
    ],
  }),
  deleting: (peering) => ({
    title: 'The peering is being deleted',
    steps: [
      {
        title: 'Stop using it',
        text: 'Clients have to reach the brokers by another way from now on.',
      },
      cleaningStep(peering),
    ],
  }),
  deleted: (peering) => ({
    title: 'The peering is gone',
    steps: [cleaningStep(peering)],
  }),
};

const id = ({ peering_connection_id }: Peering) => peering_connection_id ?? '<peering>';

function routeStep(peering: Peering): Text['steps'][number] {
  const { requester_cidr, accepter_vpc_id, accepter_region } = peering;
  return {
    title: 'Route to the deployment',
    text: `In ${accepter_vpc_id}, in the route table of each subnet that has clients, add a route to ${requester_cidr ?? 'the subnet of the deployment'} by the peering.`,
    command: `cloud_a ec2 create-route --region ${accepter_region} --route-table-id <route table> --destination-cidr-block ${requester_cidr ?? '<subnet>'} --vpc-peering-connection-id ${id(peering)}`,
  };
}

function admissionStep({ accepter_cidr, requester_cidr }: Peering): Text['steps'][number] {
  return {
    title: 'Let the traffic through',
    text: `Security groups of your clients have to let them connect to ${requester_cidr ?? 'the subnet of the deployment'}, and an access rule of the deployment has to let ${accepter_cidr} in.`,
  };
}

function cleaningStep({ accepter_vpc_id, requester_cidr }: Peering): Text['steps'][number] {
  return {
    title: 'Clean up on your side',
    text: `Remove the routes to ${requester_cidr ?? 'the deployment'} from the route tables of ${accepter_vpc_id}, and the rules of security groups that were made for it. Only you can.`,
  };
}
