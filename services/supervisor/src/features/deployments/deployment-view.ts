import { idOf, protocols, type Heartbeat, type Id, type Machine, type Protocol } from '@sluice/contracts';
import ipaddr from 'ipaddr.js';
import type { components } from '../../generated/api.ts';
import { isPeering } from '@sluice/drivers';
import { domainOf } from '../../network/domain-of.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { LiveDeployment, ShownCondition, ShownNode } from './live-deployment.store.ts';

type Schemas = components['schemas'];

/** What the views of deployments need to know of this installation. */
export interface ViewOptions {
  baseDomain: string;
  /** where the gateways listen */
  gatewayHost: string;
}

/** The same of each protocol. */
const perProtocol = <Of>(of: (protocol: Protocol) => Of) =>
  Object.fromEntries(protocols.map((protocol) => [protocol, of(protocol)])) as Record<Protocol, Of>;

/** A deployment as the Supervisor API shows it (interface, 2.5). */
export function deploymentView(
  { deployment, nodes, records: dns, configs, links }: LiveDeployment,
  conditions: readonly ShownCondition[],
  options: ViewOptions,
): Schemas['LiveDeployment'] {
  const { spec } = deployment;
  const { id, tenant_id, name, code, cloud, region, variant, tier, created_at } = spec;
  const { network_mode, cidr, domain, public_ips, private_ips } = networkView(deployment, nodes, options);
  const named = (peerings: boolean) =>
    links
      .filter(({ kind }) => isPeering(kind) === peerings)
      .map(({ id: linkId, name: linkName }) => ({ id: idOf<Id>(linkId), name: linkName }));
  const [peerings, private_endpoints] = [named(true), named(false)];
  return {
    ...{ id, tenant_id, name, code, domain, cloud, region, variant, tier, created_at, network_mode, cidr },
    ...{ division_id: spec.division.id, environment_id: spec.environment.id },
    ...{ status: deployment.status, status_reason: deployment.status_reason },
    runtime_version: brokerOf(nodes[0])?.version ?? null,
    endpoints: endpointsOf(deployment, nodes, options),
    network: { public_ips, private_ips, dns, peerings, private_endpoints },
    configs: configs.map(({ id: config_id, ...config }) => ({ config_id, ...config })),
    nodes: nodes.map((node) => nodeView(node, deployment, options)),
    conditions: conditions
      .map((condition) => ({ ...condition, changed_at: new Date(condition.changed_at).toISOString() }))
      .sort((one, other) => (one.type < other.type ? -1 : 1)),
  };
}

/** The network of a deployment (interface, 4.8, "info"), without its access rules. */
export function networkView(
  deployment: Deployment,
  nodes: readonly ShownNode[],
  options: ViewOptions,
): Omit<Schemas['NetworkInfo'], 'access_rules'> {
  const { spec, subnet } = deployment;
  const host = hostOf(deployment, nodes, options);
  return {
    network_mode: spec.public_ip_enabled ? 'public' : 'private',
    cidr: customerBlock(spec) ?? subnet,
    domain: domainOf(spec, options.baseDomain),
    public_ips: spec.public_ip_enabled && subnet !== null && host !== null ? [host] : [],
    private_ips: nodes.flatMap((node) => privateIpOf(node, deployment) ?? []),
    ports: portsOf(nodes),
  };
}

/** Clients connect to any node; the first one that has reported says how. */
const speaking = (nodes: readonly ShownNode[]) => nodes.find(({ ports }) => ports !== null);

/** On which ports: those that lead to the gateway's, where the node is reached elsewhere. */
function portsOf(nodes: readonly ShownNode[]): Heartbeat['ports'] {
  const { ports, address } = speaking(nodes) ?? {};
  const leads = address?.ports ?? ports;
  return perProtocol((protocol) => (ports?.[protocol] ? (leads?.[protocol] ?? null) : null));
}

/** Where the gateways listen is for public deployments alone: a private one has no address before its driver says so. */
function hostOf(
  { spec }: Deployment,
  nodes: readonly ShownNode[],
  { gatewayHost }: ViewOptions,
): string | null {
  return speaking(nodes)?.address?.host ?? (spec.public_ip_enabled ? gatewayHost : null);
}

/** Where clients reach the deployment, or these nodes of it. */
export function endpointsOf(
  deployment: Deployment,
  nodes: readonly ShownNode[],
  options: ViewOptions,
): Schemas['Endpoints'] {
  const found = hostOf(deployment, nodes, options);
  const host = found?.includes(':') ? `[${found}]` : found;
  const ports = portsOf(nodes);
  return perProtocol((protocol) => {
    const port = ports[protocol];
    return port === null || host === null ? null : `${host}:${port}`;
  });
}

function nodeView(node: ShownNode, deployment: Deployment, options: ViewOptions): Schemas['Node'] {
  const { spec, subnet, byoc_driver } = deployment;
  return {
    id: node.id,
    name: node.name,
    status: nodeStatus(node, byoc_driver === 'enrol'),
    runtimes: runtimesOf(node),
    private_ip: privateIpOf(node, deployment),
    public_ip: spec.public_ip_enabled && subnet !== null ? (node.address?.host ?? options.gatewayHost) : null,
    storage_type: spec.storage.type,
    agent_version: node.agent_version,
    last_heartbeat_at: node.last_heartbeat_at?.toISOString() ?? null,
    endpoints: endpointsOf(deployment, [node], options),
    leader: node.unreachable_since === null ? (node.cluster?.leader ?? null) : null,
    machine: node.machine && machineView(node.machine),
  };
}

function runtimesOf({ runtimes, connectors, agent_version }: ShownNode): Schemas['NodeRuntime'][] {
  const shown = runtimes.map(({ runtime, status, version }) => ({ runtime, status, version }));
  if (!connectors) return shown;
  // it comes with the agent, which replaces one of another release
  return [...shown, { runtime: 'connectors', status: connectors.status, version: agent_version }];
}

/** An agent may report more than is shown, and than this release knows. */
function machineView(machine: Machine): Schemas['NodeMachine'] {
  const { hostname, system, kernel, architecture, processors, memory_bytes, disk_bytes, address } = machine;
  return { hostname, system, kernel, architecture, processors, memory_bytes, disk_bytes, address };
}

function nodeStatus(node: ShownNode, enrols: boolean): Schemas['Node']['status'] {
  if (enrols && node.public_key === null) return 'waiting_for_enrolment';
  if (node.last_heartbeat_at === null) return 'pending';
  if (node.unreachable_since !== null) return 'unreachable';
  return brokerOf(node)?.status === 'running' ? 'healthy' : 'unhealthy';
}

function brokerOf(node: Pick<ShownNode, 'runtimes'> | undefined) {
  return node?.runtimes.find(({ runtime }) => runtime === 'broker');
}

/** Clouds keep the first addresses of a subnet for themselves. */
const firstHost = 10;

/** Where clients reach a node of a private deployment; of a public one, where it is in the deployment's subnet. */
function privateIpOf(node: ShownNode, { spec, subnet }: Deployment): string | null {
  if (!spec.public_ip_enabled) return node.address?.host ?? null;
  return customerBlock(spec) === null ? privateAddress(node, subnet) : null;
}

/** The block of the customer's network that nodes are placed in, where the customer has named it. */
function customerBlock({ cloud_access: access }: Deployment['spec']): string | null {
  return Object.values(access ?? {})[0]?.vpc_cidr ?? null;
}

/** Where a node is in its deployment's subnet. */
export function privateAddress(
  { position }: Pick<ShownNode, 'position'>,
  subnet: string | null,
): string | null {
  if (subnet === null) return null;
  const octets = ipaddr.IPv4.networkAddressFromCIDR(subnet).octets;
  return new ipaddr.IPv4([...octets.slice(0, 3), firstHost + position]).toString();
}
