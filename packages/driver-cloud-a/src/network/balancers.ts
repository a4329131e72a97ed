import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DeregisterTargetsCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  RegisterTargetsCommand,
  paginateDescribeListeners,
  type LoadBalancer,
  type TargetDescription,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { linkProtocols, type DriverCall, type LinkProtocol, type WantedLink } from '@sluice/drivers';
import { itemsOf } from '../pages.ts';
import type { Clients } from './clients.ts';
import type { DeploymentNetwork } from './networks.ts';
import { codeOf } from '../error-code.ts';
import { linkTag } from '../tags.ts';

/** What endpoints are connected with: a balancer per endpoint service, which leads to the deployment's brokers. */

/** the ports of listeners, which do not depend on those of brokers */
const listenerPorts: Record<LinkProtocol, number> = {
  broker_tcp: 4222,
  broker_http: 8222,
  broker_websocket: 8080,
};

const short = (uid: string, characters: number) => uid.replaceAll('-', '').slice(0, characters);
const balancerName = (uid: string) => `sluice-${short(uid, 24)}`;
const groupName = (uid: string, protocol: LinkProtocol) =>
  `sluice-${short(uid, 12)}-${protocol.replace('broker_', '')}`;

export async function ensureBalancer(
  clients: Clients,
  link: WantedLink,
  network: DeploymentNetwork,
  call: DriverCall,
): Promise<{ arn: string; isActive: boolean }> {
  const balancer =
    (await findBalancer(clients, link.uid, call)) ?? (await createBalancer(clients, link, network, call));
  const { LoadBalancerArn: arn = '', State } = balancer;
  for (const protocol of linkProtocols) await ensureListener(clients, link, { protocol, arn, network }, call);
  return { arn, isActive: State?.Code === 'active' || State?.Code === 'active_impaired' };
}

/** Takes away what there is of a balancer. @returns whether nothing is left */
export async function removeBalancer(
  clients: Clients,
  { uid }: WantedLink,
  call: DriverCall,
): Promise<boolean> {
  const { balancing } = clients;
  const { signal: abortSignal } = call;
  const balancer = await findBalancer(clients, uid, call);
  if (balancer) {
    const { LoadBalancerArn } = balancer;
    await balancing.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }), { abortSignal });
    return false;
  }
  for (const protocol of linkProtocols) {
    const group = await findGroup(clients, groupName(uid, protocol), call);
    if (!group) continue;
    const { TargetGroupArn } = group;
    await balancing.send(new DeleteTargetGroupCommand({ TargetGroupArn }), { abortSignal });
  }
  return true;
}

async function findBalancer(
  { balancing }: Clients,
  uid: string,
  { signal }: DriverCall,
): Promise<LoadBalancer | undefined> {
  const command = new DescribeLoadBalancersCommand({ Names: [balancerName(uid)] });
  const found = await balancing.send(command, { abortSignal: signal }).catch(unlessAbsent);
  return found?.LoadBalancers?.[0];
}

async function findGroup(
  { balancing }: Clients,
  name: string,
  { signal }: DriverCall,
): Promise<TargetGroup | undefined> {
  const command = new DescribeTargetGroupsCommand({ Names: [name] });
  const found = await balancing.send(command, { abortSignal: signal }).catch(unlessAbsent);
  return found?.TargetGroups?.[0];
}

function unlessAbsent(error: unknown): undefined {
  if (!/^(LoadBalancer|TargetGroup)NotFound/.test(codeOf(error))) throw error;
}

async function createBalancer(
  { balancing }: Clients,
  { uid }: WantedLink,
  { subnetId }: DeploymentNetwork,
  call: DriverCall,
): Promise<LoadBalancer> {
  await call.confirm();
  const command = new CreateLoadBalancerCommand({
    ...{ Name: balancerName(uid), Type: 'network', Scheme: 'internal', Subnets: [subnetId] },
    Tags: [{ Key: linkTag, Value: uid }],
  });
  const { LoadBalancers: [made] = [] } = await balancing.send(command, { abortSignal: call.signal });
  if (!made) throw new Error('the cloud has made a balancer and does not say which');
  return made;
}

interface Entrance {
  protocol: LinkProtocol;
  arn: string;
  network: DeploymentNetwork;
}

async function ensureListener(
  clients: Clients,
  link: WantedLink,
  { protocol, arn, network }: Entrance,
  call: DriverCall,
): Promise<void> {
  const name = groupName(link.uid, protocol);
  const wanted = link.deployment.brokers.flatMap(({ address, ports }) => {
    const port = ports[protocol];
    return port === undefined ? [] : [{ Id: address, Port: port }];
  });
  const known = await findGroup(clients, name, call);
  if (!known && wanted.length === 0) return;
  const group = known ?? (await createGroup(clients, link, { name, protocol, network }, call));
  const { TargetGroupArn = '' } = group;
  const { balancing } = clients;
  const send = { abortSignal: call.signal };
  const pages = paginateDescribeListeners({ client: balancing }, { LoadBalancerArn: arn }, send);
  const listeners = await itemsOf(pages, ({ Listeners }) => Listeners);
  if (!listeners.some(({ Port }) => Port === listenerPorts[protocol])) {
    await call.confirm();
    const command = new CreateListenerCommand({
      ...{ LoadBalancerArn: arn, Protocol: 'TCP', Port: listenerPorts[protocol] },
      DefaultActions: [{ Type: 'forward', TargetGroupArn }],
    });
    await balancing.send(command, send);
  }
  await keepTargets(clients, TargetGroupArn, wanted, call);
}

async function createGroup(
  { balancing }: Clients,
  { uid }: WantedLink,
  { name, protocol, network }: Pick<Entrance, 'protocol' | 'network'> & { name: string },
  call: DriverCall,
): Promise<TargetGroup> {
  await call.confirm();
  const command = new CreateTargetGroupCommand({
    ...{ Name: name, Protocol: 'TCP', Port: listenerPorts[protocol], TargetType: 'ip', VpcId: network.vpcId },
    Tags: [{ Key: linkTag, Value: uid }],
  });
  const { TargetGroups: [made] = [] } = await balancing.send(command, { abortSignal: call.signal });
  if (!made) throw new Error('the cloud has made a target group and does not say which');
  return made;
}

async function keepTargets(
  { balancing }: Clients,
  TargetGroupArn: string,
  wanted: readonly TargetDescription[],
  call: DriverCall,
): Promise<void> {
  const send = { abortSignal: call.signal };
  const health = await balancing.send(new DescribeTargetHealthCommand({ TargetGroupArn }), send);
  const found = (health.TargetHealthDescriptions ?? [])
    .filter(({ TargetHealth }) => TargetHealth?.State !== 'draining')
    .flatMap(({ Target }) => Target ?? []);
  const lacks = (all: readonly TargetDescription[], { Id, Port }: TargetDescription) =>
    !all.some((one) => one.Id === Id && one.Port === Port);
  const added = wanted.filter((target) => lacks(found, target));
  const gone = found
    .filter((target) => lacks(wanted, target))
    .map(({ Id, Port }): TargetDescription => ({ Id, Port }));
  if (added.length + gone.length > 0) await call.confirm();
  if (gone.length > 0)
    await balancing.send(new DeregisterTargetsCommand({ TargetGroupArn, Targets: gone }), send);
  if (added.length > 0)
    await balancing.send(new RegisterTargetsCommand({ TargetGroupArn, Targets: added }), send);
}
