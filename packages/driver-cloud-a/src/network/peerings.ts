import {
  CreateRouteCommand,
  CreateVpcPeeringConnectionCommand,
  DeleteRouteCommand,
  DeleteVpcPeeringConnectionCommand,
  ReplaceRouteCommand,
  paginateDescribeRouteTables,
  paginateDescribeVpcPeeringConnections,
  type RouteTable,
  type VpcPeeringConnection,
} from '@aws-sdk/client-ec2';
import type { DriverCall, LinkState, LinkStatuses, WantedLink } from '@sluice/drivers';
import { itemsOf } from '../pages.ts';
import { asPeopleReadIt, type Clients } from './clients.ts';
import { ensureNetwork } from './networks.ts';
import { hasTag, linkTag, tagged, withTag } from '../tags.ts';

type Peering = Extract<WantedLink, { kind: 'cloud_a_peering' }>;
type Status = LinkStatuses['cloud_a_peering'];

const statuses: Record<string, Status> = {
  'initiating-request': 'initiating_request',
  'pending-acceptance': 'pending_acceptance',
  provisioning: 'provisioning',
  active: 'active',
  rejected: 'rejected',
  expired: 'expired',
  failed: 'failed',
  deleting: 'deleted',
  deleted: 'deleted',
};

/** in these it needs no deletion, or cannot be deleted */
const over: readonly (string | undefined)[] = ['rejected', 'expired', 'failed', 'deleted'];
const seconds = { underWay: 1, waiting: 15, settled: 60 };

/** Asks for a peering unless that has been done, and has the deployment's routes lead there once it is accepted. */
export async function advancePeering(clients: Clients, link: Peering, call: DriverCall): Promise<LinkState> {
  const found = await findPeerings(clients, link.uid, call);
  const peering =
    found.find(({ Status: status }) => !over.includes(status?.Code)) ??
    found[0] ??
    (await request(clients, link, call));
  const { Code: code = '', Message: message } = peering.Status ?? {};
  const status = statuses[code];
  if (status === undefined) throw new Error('the peering is in an unknown state');
  const facts = factsOf(peering);
  if (status === 'active') {
    const routed = await ensureRoute(clients, link, peering, call);
    // the next call finds the routes
    if (!routed) return { status: 'provisioning', facts, lookAgainSeconds: seconds.underWay / 10 };
    return { status, facts, lookAgainSeconds: seconds.settled };
  }
  const reason =
    over.includes(code) && message !== undefined && status !== 'deleted' ? { reason: message } : {};
  const waits = status === 'pending_acceptance' ? seconds.waiting : seconds.underWay;
  return { status, facts, ...reason, lookAgainSeconds: waits };
}

/** Removes the routes and the peering, however many were made. @returns whether nothing is left */
export async function removePeering(
  clients: Clients,
  { uid }: WantedLink,
  call: DriverCall,
): Promise<boolean> {
  const { ec2 } = clients;
  let left = false;
  for (const { VpcPeeringConnectionId, Status: status, RequesterVpcInfo } of await findPeerings(
    clients,
    uid,
    call,
  )) {
    await removeRoutes(clients, RequesterVpcInfo?.VpcId ?? '', VpcPeeringConnectionId ?? '', call);
    if (over.includes(status?.Code)) continue;
    left = true;
    if (status?.Code === 'deleting') continue;
    const command = new DeleteVpcPeeringConnectionCommand({ VpcPeeringConnectionId });
    await ec2.send(command, { abortSignal: call.signal });
  }
  return !left;
}

async function findPeerings(
  { ec2 }: Clients,
  uid: string,
  { signal }: DriverCall,
): Promise<VpcPeeringConnection[]> {
  const Filters = withTag(linkTag, uid);
  const pages = paginateDescribeVpcPeeringConnections({ client: ec2 }, { Filters }, { abortSignal: signal });
  const found = await itemsOf(pages, ({ VpcPeeringConnections }) => VpcPeeringConnections);
  return found.filter((peering) => hasTag(peering, linkTag, uid));
}

async function request(clients: Clients, link: Peering, call: DriverCall): Promise<VpcPeeringConnection> {
  const { vpcId: VpcId } = await ensureNetwork(clients, link.deployment, call);
  const { peer_vpc_id, peer_owner_id, peer_region } = link.wanted;
  await call.confirm();
  const command = new CreateVpcPeeringConnectionCommand({
    ...{ VpcId, PeerVpcId: peer_vpc_id, PeerOwnerId: peer_owner_id },
    ...(peer_region !== null && { PeerRegion: peer_region }),
    TagSpecifications: tagged('vpc-peering-connection', { [linkTag]: link.uid }),
  });
  const made = await clients.ec2.send(command, { abortSignal: call.signal }).catch((error: unknown) => {
    throw asPeopleReadIt(error, [peer_vpc_id]);
  });
  if (!made.VpcPeeringConnection) throw new Error('the cloud has made a peering and does not say which');
  return made.VpcPeeringConnection;
}

function factsOf({ VpcPeeringConnectionId, RequesterVpcInfo }: VpcPeeringConnection): LinkState['facts'] {
  const { VpcId, OwnerId } = RequesterVpcInfo ?? {};
  return {
    ...(VpcPeeringConnectionId !== undefined && { peering_connection_id: VpcPeeringConnectionId }),
    ...(VpcId !== undefined && { requester_vpc_id: VpcId }),
    ...(OwnerId !== undefined && { requester_owner_id: OwnerId }),
  };
}

/** Every route table of the deployment's VPC leads to the peer's block by the peering. @returns whether that was so before */
async function ensureRoute(
  clients: Clients,
  link: Peering,
  { VpcPeeringConnectionId, RequesterVpcInfo }: VpcPeeringConnection,
  call: DriverCall,
): Promise<boolean> {
  const DestinationCidrBlock = link.wanted.peer_vpc_cidr;
  let routed = true;
  for (const { RouteTableId, Routes = [] } of await findRouteTables(
    clients,
    RequesterVpcInfo?.VpcId ?? '',
    call,
  )) {
    const route = Routes.find((one) => one.DestinationCidrBlock === DestinationCidrBlock);
    if (route?.VpcPeeringConnectionId === VpcPeeringConnectionId) continue;
    routed = false;
    await call.confirm();
    const wanted = { RouteTableId, DestinationCidrBlock, VpcPeeringConnectionId };
    // one that a peering before has left behind leads nowhere
    const command = route ? new ReplaceRouteCommand(wanted) : new CreateRouteCommand(wanted);
    await clients.ec2.send(command, { abortSignal: call.signal });
  }
  return routed;
}

async function removeRoutes(
  clients: Clients,
  vpcId: string,
  peeringId: string,
  call: DriverCall,
): Promise<void> {
  for (const { RouteTableId, Routes = [] } of await findRouteTables(clients, vpcId, call))
    for (const { DestinationCidrBlock, VpcPeeringConnectionId } of Routes)
      if (VpcPeeringConnectionId === peeringId)
        await clients.ec2.send(new DeleteRouteCommand({ RouteTableId, DestinationCidrBlock }), {
          abortSignal: call.signal,
        });
}

async function findRouteTables(
  { ec2 }: Clients,
  vpcId: string,
  { signal }: DriverCall,
): Promise<RouteTable[]> {
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  const pages = paginateDescribeRouteTables({ client: ec2 }, { Filters }, { abortSignal: signal });
  const found = await itemsOf(pages, ({ RouteTables }) => RouteTables);
  return found.filter((table) => table.VpcId === vpcId);
}
