import type { V1NetworkPolicyPeer } from '@kubernetes/client-node';
import { defineDriver, type DriverHost, type NodeProvider } from '@sluice/drivers';
import { ConfigError } from '@sluice/system';
import ipaddr from 'ipaddr.js';
import { namespacePeer } from './compute/installation.ts';
import { noTemplate } from './compute/node-template.ts';
import { pullCredentials } from './compute/pull-secret.ts';
import { kubernetesSettings, listed, type KubernetesSettings } from './settings.ts';

export const drivers = [
  defineDriver({
    name: 'kubernetes',
    settings: kubernetesSettings,
    compute: { check: (settings) => void templatesOf(settings), create: createPods },
  }),
];

async function createPods(host: DriverHost, settings: KubernetesSettings): Promise<NodeProvider> {
  const { createKubernetesDriver } = await import('./compute/kubernetes-driver.ts');
  const { createKubernetesVolumes } = await import('./volumes/kubernetes-volumes.ts');
  const { snapshotsAvailable } = await import('./volumes/availability.ts');
  const { createKubernetesApi } = await import('./compute/kubernetes-api.ts');
  const { connectTo, readKubeconfig } = await import('./compute/connection.ts');
  const { underPolicy } = await import('./compute/admission.ts');
  const { agents, stopping, now, log } = host;
  const { KUBERNETES_OWNER: owner, KUBERNETES_SNAPSHOT_CLASS: snapshotClass } = settings;
  const { KUBERNETES_PULL_CREDENTIALS: credentials } = settings;
  const connection = connectTo(readKubeconfig(settings.KUBECONFIG), stopping);
  const isChecked = settings.KUBERNETES_POLICY === 'required';
  const api = createKubernetesApi(isChecked ? underPolicy(connection, owner, log) : connection);
  const compute = createKubernetesDriver({
    api,
    installation: {
      owner,
      image: settings.NODE_IMAGE,
      serviceType: settings.KUBERNETES_SERVICE_TYPE,
      ...templatesOf(settings),
      pull: credentials === undefined ? undefined : pullCredentials(credentials, owner),
      zones: settings.KUBERNETES_ZONES,
      dedicatedNodes: settings.KUBERNETES_DEDICATED_NODES,
      storageClasses: settings.KUBERNETES_STORAGE_CLASSES,
      role: settings.KUBERNETES_NODE_ROLE,
      clusterSpread: settings.KUBERNETES_CLUSTER_SPREAD,
      agentEnvironment: agents.remoteEnvironment,
      supervisorUrl: agents.supervisorUrl,
      supervisorPeers: listed(settings.KUBERNETES_AGENT_API_PEERS).map(peerOf),
      ...(agents.authority !== undefined && { authority: agents.authority }),
      refusedBlocks: blocksIn(host.refusedDestinations),
      allowedBlocks: blocksIn(host.allowedDestinations),
      refusedPorts: listed(settings.KUBERNETES_REFUSED_PORTS).map(Number),
      resolvers: blocksIn(settings.KUBERNETES_RESOLVERS),
    },
    ...{ stopping, now, log },
  });
  return {
    compute,
    volumes: createKubernetesVolumes({ api, owner, snapshotClass }),
    hasBackups: snapshotsAvailable({ api, snapshotClass, log }),
  };
}

/**
 * What the template and other settings say together.
 * @throws ConfigError for a load balancer that would be public, and for a template that contradicts other settings
 */
function templatesOf(settings: KubernetesSettings) {
  const {
    KUBERNETES_NODE_TEMPLATE: { pods, services, privateServices } = noTemplate,
    KUBERNETES_SERVICE_TYPE: serviceType,
    KUBERNETES_PRIVATE_SERVICE_TYPE: type,
    KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS: internal,
    KUBERNETES_DEDICATED_NODES: dedicated,
  } = settings;
  const refuse = (problem: string) => {
    throw new ConfigError(`KUBERNETES_NODE_TEMPLATE is not usable: ${problem}`);
  };
  const keys = [...Object.keys(pods.nodeSelector), ...pods.tolerations.map(({ key }) => key)];
  if (dedicated && keys.includes(dedicated.key))
    refuse(`${dedicated.key} is the label of KUBERNETES_DEDICATED_NODES`);
  for (const [place, { loadBalancerClass, perDeployment, annotations: given }, kind, name] of [
    ['services', services, serviceType, 'KUBERNETES_SERVICE_TYPE'],
    ['privateServices', privateServices, type, 'KUBERNETES_PRIVATE_SERVICE_TYPE'],
  ] as const) {
    if (kind !== 'LoadBalancer' && (loadBalancerClass !== undefined || perDeployment))
      refuse(
        `${perDeployment ? 'perDeployment' : 'loadBalancerClass'} of ${place} needs ${name}=LoadBalancer`,
      );
    const ofNode = Object.keys(given).find((key) => given[key]?.includes('{node}'));
    if (perDeployment && ofNode !== undefined)
      refuse(`${ofNode} of ${place} names {node}, but with perDeployment nodes of a cluster share it`);
  }
  for (const name of Object.keys(internal))
    if (name in privateServices.annotations)
      refuse(`${name} is given twice, also by KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS`);
  const annotations = { ...privateServices.annotations, ...internal };
  const isInternal = privateServices.loadBalancerClass ?? Object.keys(annotations)[0];
  if (type === 'LoadBalancer' && isInternal === undefined)
    throw new ConfigError(
      'KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS is missing: KUBERNETES_PRIVATE_SERVICE_TYPE=LoadBalancer needs it, or privateServices of KUBERNETES_NODE_TEMPLATE',
    );
  const privateService = { ...privateServices, type, annotations };
  return { podTemplate: pods, serviceTemplate: services, privateService };
}

function peerOf(entry: string): V1NetworkPolicyPeer {
  const [, name] = /^namespace\/(.+)$/.exec(entry) ?? [];
  return name === undefined ? { ipBlock: { cidr: blockOf(entry) } } : namespacePeer(name);
}

const blocksIn = (text: string) => listed(text).map(blockOf);

/** An address or a block in the one form that Kubernetes takes. */
const blockOf = (entry: string) =>
  entry.includes('/') ? entry : `${entry}/${ipaddr.parse(entry).kind() === 'ipv4' ? 32 : 128}`;
