import { storageSchema } from '@sluice/contracts';
import { pairsIn } from '@sluice/drivers';
import { isAddressOrBlock } from '@sluice/system';
import { z } from 'zod';
import { serviceTypes } from './compute/installation.ts';
import { nodeTemplateIn } from './compute/node-template.ts';
import { isDockerConfig } from './compute/pull-secret.ts';

const storageClasses = z.partialRecord(
  storageSchema.shape.type,
  z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/),
);
const label = {
  name: z.string().regex(/^[a-z0-9A-Z]([\w./-]{0,315}[a-z0-9A-Z])?$/),
  value: z.string().regex(/^[\w.:/-]{1,250}$/),
};
const labels = z.record(label.name, label.value);
/** Entries that are listed with commas. */
export const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
const namespace = /^namespace\/[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const oneLabel = labels
  .refine((entries) => Object.keys(entries).length === 1)
  .transform((entries) => Object.entries(entries).map(([key, value]) => ({ key, value }))[0]);

export const kubernetesSettings = {
  KUBECONFIG: z
    .string()
    .min(1)
    .optional()
    .describe('access to the cluster of the nodes; default: the service account of the pod'),
  KUBERNETES_OWNER: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/, 'has to be up to 40 lowercase letters, digits and hyphens')
    .default('sluice')
    .describe(
      'labels what this region makes in the cluster, and begins the names of its namespaces: no two regions in one cluster have the same',
    ),
  KUBERNETES_NODE_ROLE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.:-]{0,250}[a-z0-9])?$/, 'has to be the name of a ClusterRole')
    .default('sluice-nodes')
    .describe('ClusterRole that the supervisor gives itself in each namespace that it makes'),
  KUBERNETES_POLICY: z
    .enum(['required', 'unchecked'])
    .default('required')
    .describe(
      'whether the supervisor changes nothing in a cluster that does not enforce the admission policy of k8s/overlays/cluster; unchecked for a user whose rights are narrowed in another way',
    ),
  KUBERNETES_SERVICE_TYPE: z
    .enum(serviceTypes)
    .default('LoadBalancer')
    .describe('kind of Service by which clients reach a node'),
  KUBERNETES_PRIVATE_SERVICE_TYPE: z
    .enum(['ClusterIP', 'LoadBalancer'])
    .default('ClusterIP')
    .describe('kind of Service by which clients reach a node without a public address'),
  KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS: z
    .string()
    .default('')
    .transform(pairsIn(labels, '<annotation>=<value>'))
    .describe(
      'annotations of such a Service that have its load balancer be internal, such as networking.gke.io/load-balancer-type=Internal; a LoadBalancer needs them, or `privateServices` of KUBERNETES_NODE_TEMPLATE',
    ),
  KUBERNETES_NODE_TEMPLATE: z
    .string()
    .max(100_000)
    .transform(nodeTemplateIn)
    .optional()
    .describe(
      'what pods and Services of nodes have besides what the driver decides, as JSON or YAML: docs/operations/kubernetes.md. A change for pods restarts nodes, one deployment after the other',
    ),
  KUBERNETES_PULL_CREDENTIALS: z
    .string()
    .max(100_000)
    .refine(isDockerConfig, 'has to be the .dockerconfigjson of a Secret kubernetes.io/dockerconfigjson')
    .optional()
    .describe(
      'credentials of the registry of NODE_IMAGE, the .dockerconfigjson of a Secret kubernetes.io/dockerconfigjson; the Secret `registry` of each namespace of a deployment gets them',
    ),
  KUBERNETES_ZONES: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'zones that the machines of the cluster are in, by their label topology.kubernetes.io/zone; from two on deployments may be spread over several (multi_az)',
    ),
  KUBERNETES_DEDICATED_NODES: z
    .string()
    .transform(pairsIn(oneLabel, 'one <label>=<value>'))
    .optional()
    .describe(
      'label of the machines that dedicated deployments are on, <label>=<value>, of which each holds one tenant at a time; a taint of the same key and value keeps all others away. Without it there are no dedicated deployments',
    ),
  KUBERNETES_STORAGE_CLASSES: z
    .string()
    .default('')
    .transform(pairsIn(storageClasses, '<type>=<StorageClass>'))
    .describe(
      "StorageClass of each type of storage, such as local_ssd=fast,network_balanced=standard; the cluster's default for what is not named",
    ),
  KUBERNETES_SNAPSHOT_CLASS: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/, 'has to be the name of a VolumeSnapshotClass')
    .optional()
    .describe(
      "VolumeSnapshotClass of backups; the cluster's default when absent. A cluster without either has no backups",
    ),
  KUBERNETES_CLUSTER_SPREAD: z
    .enum(['required', 'preferred'])
    .default('required')
    .describe(
      'whether no two nodes of a deployment that is a cluster ever share a machine, or only where there are enough machines',
    ),
  KUBERNETES_RESOLVERS: z
    .string()
    .default('')
    .refine(
      (text) => listed(text).every(isAddressOrBlock),
      'has to be addresses and CIDRs, separated by commas',
    )
    .describe(
      'addresses and CIDRs of DNS servers that pods of nodes ask besides the pods `k8s-app=kube-dns` of kube-system, such as 169.254.20.10 of NodeLocal DNSCache',
    ),
  KUBERNETES_AGENT_API_PEERS: z
    .string()
    .default('')
    .refine(
      (text) => listed(text).every((peer) => isAddressOrBlock(peer) || namespace.test(peer)),
      'has to be addresses, CIDRs and namespace/<name>, separated by commas',
    )
    .describe(
      'where AGENT_API_URL leads to, if its name is that of a private address: addresses and CIDRs of a load balancer, or namespace/<name> of the ingress controller whose pods answer. Pods of nodes reach no other private address',
    ),
  KUBERNETES_REFUSED_PORTS: z
    .string()
    .default('25,465,587')
    .refine(
      (text) =>
        listed(text).every((port) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535),
      'has to be ports, separated by commas',
    )
    .describe(
      'ports that pods of nodes reach nowhere but in CONNECTORS_ALLOWED, by default those of mail servers',
    ),
  NODE_IMAGE: z
    .string()
    .regex(/^[\w./:@-]{1,300}$/, 'has to be the name of an image')
    .default('sluice/node:dev')
    .describe('image of the nodes that are made in a cluster'),
};

export type KubernetesSettings = z.infer<z.ZodObject<typeof kubernetesSettings>>;
