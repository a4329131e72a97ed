import type {
  V1Container,
  V1PersistentVolumeClaimSpec,
  V1PodSpec,
  V1StatefulSetSpec,
  V1Volume,
} from '@kubernetes/client-node';
import type { NodeId } from '@sluice/contracts';
import type { NetworkRule, NodeSize } from '@sluice/drivers';
import type { ApiObject, ObjectMetadata, Wanted } from './api-object.ts';
import { brokersService, clusterPort, clusterPortName } from './brokers-service.ts';
import { labelsOf, wanted, type DeploymentObjectsInput } from './deployment-input.ts';
import { digestOf } from './enrolment.ts';
import {
  gatewayPorts,
  portName,
  servedProtocols,
  type Installation,
  type StorageType,
} from './installation.ts';
import { annotations, labels, nameOf, namespaceOf } from './labels.ts';
import { networkPolicySpec, privateBlocks } from './network-policy.ts';
import { dataVolume } from './node-claim.ts';
import { pullSecretName } from './pull-secret.ts';
import { dedicatedTolerations, schedulingOf } from './scheduling.ts';
import { nodeService } from './service-objects.ts';
import { cpuQuantity, memoryQuantity, storageQuantity } from './quantities.ts';

export interface NodeObjectsInput {
  id: NodeId;
  size: NodeSize;
  storageType: StorageType;
  claim: string;
  /** as it is there: the class of a load balancer cannot be changed */
  service: ApiObject | undefined;
  rules: readonly NetworkRule[];
}

const user = 1_000;
const volumePath = '/var/lib/sluice';
const secretPath = '/run/sluice/enrolment';
const sealingPath = '/run/sluice/sealing';
const runtimePath = '/run/sluice/runtime';
const authorityPath = '/run/sluice/authority';
/** a machine that is silent for so long is given up, seconds */
const silence = 60;
/** as long as an agent takes to end its broker, and more; seconds */
const ending = 30;
const sealingVolume = 'sealing';

export interface NodeObjects {
  volume: Wanted;
  /** what follows the wishes at any time, in the order in which it is made */
  others: Wanted[];
}

/**
 * What a node is made of. `enrolment` is what tells its agent's token from another. A Secret with the token is made beside, since
 * only the issuer of a token knows it.
 */
export function nodeObjects(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  node: NodeObjectsInput,
  enrolment: string,
  now: Date,
): NodeObjects {
  const metadata = nodeMetadata(installation, deployment, node.id);
  const cluster = deployment.isCluster ? deployment.id : undefined;
  const policy = networkPolicySpec(installation, String(node.id), node.rules, now, cluster);
  return {
    volume: wanted(
      'PersistentVolumeClaim',
      { ...metadata, name: node.claim },
      { spec: volumeSpec(installation, node) },
    ),
    others: [
      wanted('NetworkPolicy', metadata, { spec: policy }),
      nodeService(installation, deployment, metadata, node.service),
      wanted('StatefulSet', metadata, {
        spec: statefulSetSpec(installation, deployment, node, enrolment),
      }),
    ],
  };
}

export function enrolmentSecret(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  node: NodeId,
  token: string,
): Wanted {
  const data = { token: Buffer.from(token).toString('base64') };
  return wanted('Secret', nodeMetadata(installation, deployment, node), { type: 'Opaque', data });
}

/** With the key that seals secrets on the node's volume. It is made once: another would open none of them. */
export function sealingSecret(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  node: NodeId,
  key: string,
): Wanted {
  const metadata = { ...nodeMetadata(installation, deployment, node), name: sealingName(node) };
  const data = { key: Buffer.from(key).toString('base64') };
  return wanted('Secret', metadata, { type: 'Opaque', immutable: true, data });
}

export const sealingName = (node: NodeId) => `${nameOf(node)}-sealing`;

function nodeMetadata(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  node: NodeId,
): ObjectMetadata {
  return {
    name: nameOf(node),
    namespace: namespaceOf(installation.owner, deployment.id),
    labels: { ...labelsOf(installation, deployment), [labels.node]: String(node) },
  };
}

function volumeSpec(
  { storageClasses }: Installation,
  { size, storageType }: NodeObjectsInput,
): V1PersistentVolumeClaimSpec {
  const storageClassName = storageClasses[storageType];
  return {
    accessModes: ['ReadWriteOnce'],
    ...(storageClassName !== undefined && { storageClassName }),
    resources: { requests: { storage: storageQuantity(size.storage) } },
  };
}

function statefulSetSpec(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  node: NodeObjectsInput,
  enrolment: string,
): V1StatefulSetSpec {
  const { authority, podTemplate, pull } = installation;
  const template = digestOf(JSON.stringify([podTemplate, pull !== undefined]));
  return {
    replicas: 1,
    // gives the pod its name
    serviceName: deployment.isCluster ? brokersService : nameOf(node.id),
    selector: { matchLabels: { [labels.node]: String(node.id) } },
    template: {
      metadata: {
        labels: {
          ...podTemplate.labels,
          ...labelsOf(installation, deployment),
          [labels.node]: String(node.id),
        },
        annotations: {
          ...podTemplate.annotations,
          [annotations.template]: template,
          [annotations.enrolment]: enrolment,
          ...(authority !== undefined && { [annotations.authority]: authority }),
        },
      },
      spec: podSpec(installation, deployment, node),
    },
  };
}

function podSpec(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  node: NodeObjectsInput,
): V1PodSpec {
  const { isCluster } = deployment;
  const { podTemplate, pull } = installation;
  const lost = (key: string) =>
    ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: silence }) as const;
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: ending,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(pull && { imagePullSecrets: [{ name: pullSecretName }] }),
    ...schedulingOf(installation, deployment),
    tolerations: [
      lost('node.kubernetes.io/not-ready'),
      lost('node.kubernetes.io/unreachable'),
      ...dedicatedTolerations(installation, deployment),
      ...podTemplate.tolerations,
    ],
    containers: [agentContainer(installation, node, isCluster)],
    volumes: volumesOf(installation, node),
  };
}

function agentContainer(
  installation: Installation,
  { size }: NodeObjectsInput,
  isCluster: boolean,
): V1Container {
  const { image, supervisorUrl, agentEnvironment, authority, refusedBlocks } = installation;
  const memory = memoryQuantity(size.memory);
  const environment = {
    ...agentEnvironment,
    // the network refuses them without a word: so a connector says why it does not connect
    AGENT_CONNECTORS_REFUSED: [...privateBlocks, ...refusedBlocks].join(','),
    AGENT_HOME: `${volumePath}/node`,
    AGENT_SUPERVISOR_URL: supervisorUrl,
    AGENT_GATEWAY_HOST: '0.0.0.0',
    AGENT_PROTOCOL_PORTS: servedProtocols.map((one) => `${one}=${gatewayPorts[one]}`).join(','),
    AGENT_TOKEN_FILE: `${secretPath}/token`,
    AGENT_SEALING_KEY_FILE: `${sealingPath}/key`,
    // one of its own: the mounted one is open to its group
    AGENT_RUNTIME_DIR: `${runtimePath}/node`,
    AGENT_ENDS_NODE: 'true',
    ...(isCluster && { AGENT_CLUSTER_PORT: String(clusterPort) }),
    ...(authority !== undefined && { NODE_EXTRA_CA_CERTS: `${authorityPath}/ca.pem` }),
  };
  return {
    name: 'node',
    image,
    imagePullPolicy: 'IfNotPresent',
    env: variables(environment),
    ports: [
      ...servedProtocols.map((protocol) => ({
        name: portName(protocol),
        containerPort: gatewayPorts[protocol],
        protocol: 'TCP',
      })),
      ...(isCluster ? [{ name: clusterPortName, containerPort: clusterPort, protocol: 'TCP' }] : []),
    ],
    // an agent that hangs is heard of by its silence; to restart it would cut all clients
    readinessProbe: { tcpSocket: { port: portName('broker_tcp') }, periodSeconds: 5, timeoutSeconds: 3 },
    resources: {
      requests: { cpu: cpuQuantity(size.cpu.request), memory },
      limits: { cpu: cpuQuantity(size.cpu.limit), memory },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: dataVolume, mountPath: volumePath },
      { name: 'enrolment', mountPath: secretPath, readOnly: true },
      { name: sealingVolume, mountPath: sealingPath, readOnly: true },
      { name: 'runtime', mountPath: runtimePath },
      { name: 'tmp', mountPath: '/tmp' },
      ...(authority === undefined ? [] : [{ name: 'authority', mountPath: authorityPath, readOnly: true }]),
    ],
  };
}

/** Without those that are empty, which the API server leaves out. */
const variables = (environment: Readonly<Record<string, string>>) =>
  Object.entries(environment).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));

function volumesOf({ authority }: Installation, { id, claim }: NodeObjectsInput): V1Volume[] {
  const fieldPath = `metadata.annotations['${annotations.authority}']`;
  const files = [{ path: 'ca.pem', fieldRef: { fieldPath } }];
  return [
    { name: dataVolume, persistentVolumeClaim: { claimName: claim } },
    // an agent that has enrolled does without
    { name: 'enrolment', secret: { secretName: nameOf(id), optional: true, defaultMode: 0o440 } },
    { name: sealingVolume, secret: { secretName: sealingName(id), defaultMode: 0o440 } },
    { name: 'runtime', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
    { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ...(authority === undefined ? [] : [{ name: 'authority', downwardAPI: { items: files } }]),
  ];
}
