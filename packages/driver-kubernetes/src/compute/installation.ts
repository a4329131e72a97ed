import { isIP } from 'node:net';
import type { RbacV1Subject, V1NetworkPolicyPeer } from '@kubernetes/client-node';
import type { DeploymentSpec, Protocol, RegionOption } from '@sluice/contracts';
import type { PodTemplate, ServiceTemplate } from './node-template.ts';

export type StorageType = DeploymentSpec['storage']['type'];

export const serviceTypes = ['LoadBalancer', 'NodePort', 'ClusterIP'] as const;
export type ServiceType = (typeof serviceTypes)[number];

/** Credentials of a registry. */
export interface PullCredentials {
  /** as Docker keeps them */
  text: string;
  /** tells them from former ones */
  mark: string;
}

export interface Installation {
  /** labels what is ours, and begins the names of its namespaces */
  owner: string;
  image: string;
  serviceType: ServiceType;
  /** of nodes without a public address, with what has a load balancer be internal */
  privateService: ServiceTemplate & { type: Exclude<ServiceType, 'NodePort'> };
  podTemplate: PodTemplate;
  /** of Services by which clients reach nodes with a public address */
  serviceTemplate: ServiceTemplate;
  /** for images of a private registry */
  pull?: PullCredentials | undefined;
  zones: number;
  /** the label, and the taint, of machines that hold one tenant's brokers each; absent where there are none */
  dedicatedNodes?: { key: string; value: string } | undefined;
  /** classes of volumes; the cluster's default where none is named */
  storageClasses: Partial<Record<StorageType, string>>;
  /** environment of agents besides their node's own */
  agentEnvironment: Readonly<Record<string, string>>;
  supervisorUrl: string;
  /** certificates that agents trust for it besides the public authorities, PEM */
  authority?: string;
  /** where that address leads to in this cluster or at private addresses, if its name does not say so */
  supervisorPeers: readonly V1NetworkPolicyPeer[];
  /** blocks that nothing on a node may connect to, besides private ones */
  refusedBlocks: readonly string[];
  /** blocks that may be connected to nevertheless, at any port */
  allowedBlocks: readonly string[];
  /** ports of the internet that may not be connected to */
  refusedPorts: readonly number[];
  /** blocks of DNS servers that pods ask besides those of the cluster */
  resolvers: readonly string[];
  /** whether nodes of one cluster have to be on machines of their own, or are where there are enough */
  clusterSpread: 'required' | 'preferred';
  /** the ClusterRole that the supervisor gives itself in the namespaces of deployments */
  role: string;
}

/** Where the gateway of a node listens. A runtime that offers more protocols needs an entry here. */
export const gatewayPorts = {
  broker_tcp: 4222,
  broker_websocket: 8080,
  broker_http: 8222,
} as const satisfies Partial<Record<Protocol, number>>;
export type ServedProtocol = keyof typeof gatewayPorts;
export const servedProtocols = Object.keys(gatewayPorts) as ServedProtocol[];

/** As ports are called in a cluster, in which names are short. */
export const portName = (protocol: ServedProtocol) => protocol.replace('broker_', '');

/** Where agents find the supervisor, for the rules of their network: a Service of this cluster, or an address; else nothing. */
export function supervisorPeer(url: string): V1NetworkPolicyPeer | undefined {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version !== 0) return { ipBlock: { cidr: `${host}/${version === 4 ? 32 : 128}` } };
  const [, namespace] = /^[a-z0-9-]+\.([a-z0-9-]+)\.svc(\.|$)/.exec(host) ?? [];
  return namespace === undefined ? undefined : namespacePeer(namespace);
}

export const namespacePeer = (name: string): V1NetworkPolicyPeer => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

export function subjectOf(username: string): RbacV1Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace !== undefined && name !== undefined) return { kind: 'ServiceAccount', name, namespace };
  return { kind: 'User', name: username, apiGroup: 'rbac.authorization.k8s.io' };
}

export function optionsOf({ zones, dedicatedNodes }: Installation): RegionOption[] {
  return [
    'private_address',
    ...(zones > 1 ? (['multi_az'] as const) : []),
    ...(dedicatedNodes ? (['dedicated'] as const) : []),
  ];
}

/** The kind of Service by which clients reach the nodes of a deployment with these options. */
export const serviceTypeOf = (
  { serviceType, privateService }: Installation,
  options: readonly RegionOption[],
): ServiceType => (options.includes('private_address') ? privateService.type : serviceType);

export const serviceTemplateOf = (
  { serviceTemplate, privateService }: Installation,
  options: readonly RegionOption[],
): ServiceTemplate => (options.includes('private_address') ? privateService : serviceTemplate);
