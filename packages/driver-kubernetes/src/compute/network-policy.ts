import type { V1NetworkPolicyPeer, V1NetworkPolicyPort } from '@kubernetes/client-node';
import type { DeploymentId } from '@sluice/contracts';
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

type Blocks = Pick<Installation, 'refusedBlocks' | 'resolvers' | 'supervisorUrl'>;

/** Where machines get their identity from, which is always refused. */
const ofMachines = ['169.254.0.0/16', 'fe80::/10', ...metadataBlocks];

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
  installation: Blocks,
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

function egressOf({ refusedBlocks, resolvers, supervisorUrl }: Blocks): NetworkPolicySpec['egress'] {
  const supervisor = supervisorPeer(supervisorUrl);
  const refused = [...new Set([...ofMachines, ...refusedBlocks])];
  const outside = (cidr: string, separator: string) => ({
    ipBlock: { cidr, except: refused.filter((block) => block.includes(separator)) },
  });
  return [
    {
      to: [clusterDns, ...resolvers.map((cidr) => ({ ipBlock: { cidr } }))],
      ports: [
        { protocol: 'UDP', port: 53 },
        { protocol: 'TCP', port: 53 },
      ],
    },
    ...(supervisor ? [{ to: [supervisor] }] : []),
    { to: [outside('0.0.0.0/0', '.'), outside('::/0', ':')] },
  ];
}
