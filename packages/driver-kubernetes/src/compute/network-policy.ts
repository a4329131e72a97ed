import type { V1NetworkPolicyPeer, V1NetworkPolicyPort } from '@kubernetes/client-node';
import type { DeploymentId } from '@sluice/contracts';
import { parseAddress, parseBlock } from '@sluice/system';
import { metadataBlocks } from '@sluice/system/destinations';
import type { NetworkRule } from '@sluice/drivers';
import { clusterPort } from './brokers-service.ts';
import { gatewayPorts, servedProtocols, supervisorPeer, type Installation } from './installation.ts';
import { labels } from './labels.ts';

/** The rules of a network policy as the API writes them: the client's types have another name for `from`. */
export interface NetworkPolicySpec {
  podSelector: { matchLabels: Record<string, string> };
  policyTypes: string[];
  ingress: { from: V1NetworkPolicyPeer[]; ports: V1NetworkPolicyPort[] }[];
  egress: { to?: V1NetworkPolicyPeer[]; ports?: V1NetworkPolicyPort[] }[];
}

type Egress = Pick<
  Installation,
  'allowedBlocks' | 'refusedBlocks' | 'refusedPorts' | 'resolvers' | 'supervisorUrl' | 'supervisorPeers'
>;

/** Where machines get their identity from, and neighbours on the link: no setting opens these together with others. */
const ofMachines = ['169.254.0.0/16', 'fe80::/10', ...metadataBlocks];

/** Every address that is none of the internet: the networks of the installation, of its neighbours and of its provider. */
export const privateBlocks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3', 'fc00::/7'],
];
/** of IPv6 what is given out for the internet, without what leads to IPv4 (Teredo, 6to4) */
const internet = { ipv4: '0.0.0.0/0', ipv6: '2000::/3', translated: ['2001::/32', '2002::/16'] };

/** of names, which are the cluster's to answer: in plain text, and by TLS */
const namePorts = [53, 853];

/** The DNS servers of a cluster, by the label that CoreDNS has kept from kube-dns. */
const clusterDns: V1NetworkPolicyPeer = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
  podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
};

/**
 * Who gets to a node, and where it gets to: before its gateway, which checks the same rules, and for connectors, which check
 * the same blocks. Packets keep the address of their sender up to here (externalTrafficPolicy). Brokers of a cluster reach each other
 * besides, on their own port and in their own namespace alone.
 * @param cluster the deployment whose nodes are one cluster; undefined where they are not
 */
export function networkPolicySpec(
  installation: Egress,
  node: string,
  rules: readonly NetworkRule[],
  now: Date,
  cluster?: DeploymentId,
): NetworkPolicySpec {
  const brokers = cluster === undefined ? undefined : brokersOf(cluster);
  return {
    podSelector: { matchLabels: { [labels.node]: node } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      ...rules.filter(({ valid_to }) => valid_to === null || valid_to > now).flatMap(ingressOf),
      ...(brokers ? [{ from: brokers.peers, ports: brokers.ports }] : []),
    ],
    egress: [...egressOf(installation), ...(brokers ? [{ to: brokers.peers, ports: brokers.ports }] : [])],
  };
}

/** Without a selector for namespaces these are pods of the policy's own. */
const brokersOf = (deployment: DeploymentId) => ({
  peers: [{ podSelector: { matchLabels: { [labels.deployment]: String(deployment) } } }],
  ports: [{ protocol: 'TCP', port: clusterPort }],
});

function ingressOf({ protocols, cidr_blocks }: NetworkRule): NetworkPolicySpec['ingress'] {
  const ports = servedProtocols
    .filter((protocol) => protocols.includes(protocol))
    .map((protocol) => ({ protocol: 'TCP', port: gatewayPorts[protocol] }));
  // without ports, or without anybody, a rule would let in all
  if (ports.length === 0 || cidr_blocks.length === 0) return [];
  return [{ from: cidr_blocks.map((cidr) => ({ ipBlock: { cidr } })), ports }];
}

function egressOf(installation: Egress): NetworkPolicySpec['egress'] {
  const { allowedBlocks, refusedBlocks, refusedPorts, resolvers } = installation;
  const supervisor = [supervisorPeer(installation.supervisorUrl) ?? [], installation.supervisorPeers].flat();
  const refused = [...new Set([...ofMachines, ...privateBlocks, ...internet.translated, ...refusedBlocks])];
  const outside = [internet.ipv4, internet.ipv6].flatMap((cidr) => without(cidr, refused));
  const allowed = allowedBlocks.flatMap((cidr) => without(cidr, ofMachines));
  return [
    {
      to: [clusterDns, ...resolvers.map((cidr) => ({ ipBlock: { cidr } }))],
      ports: [
        { protocol: 'UDP', port: 53 },
        { protocol: 'TCP', port: 53 },
      ],
    },
    ...(supervisor.length > 0 ? [{ to: supervisor }] : []),
    ...(allowed.length > 0 ? [{ to: allowed, ports: tcpExcept([]) }] : []),
    ...(outside.length > 0 ? [{ to: outside, ports: tcpExcept([...refusedPorts, ...namePorts]) }] : []),
  ];
}

/** A block without others; nothing where one of them has all of it. */
function without(cidr: string, others: readonly string[]): V1NetworkPolicyPeer[] {
  if (others.some((other) => isWithin(cidr, other))) return [];
  const except = others.filter((other) => isWithin(other, cidr));
  return [{ ipBlock: { cidr, ...(except.length > 0 && { except }) } }];
}

function isWithin(inner: string, outer: string): boolean {
  const [[address, bits], [, outerBits]] = [inner.split('/'), outer.split('/')];
  const first = parseAddress(address);
  return first !== null && Number(bits) >= Number(outerBits) && parseBlock(outer).contains(first);
}

/** All ports of TCP, which is all that nodes use, but some. */
function tcpExcept(ports: readonly number[]): V1NetworkPolicyPort[] {
  const closed = [...new Set(ports)].toSorted((one, other) => one - other);
  const starts = [1, ...closed.map((port) => port + 1)];
  const ends = [...closed.map((port) => port - 1), 65_535];
  return starts.flatMap((port, at) => {
    const endPort = ends[at] ?? 0;
    return endPort < port ? [] : [{ protocol: 'TCP', port, endPort }];
  });
}
