import type {
  RbacV1Subject,
  V1LimitRangeSpec,
  V1PodDisruptionBudgetSpec,
  V1ResourceQuotaSpec,
} from '@kubernetes/client-node';
import type { ObjectMetadata, Wanted } from './api-object.ts';
import { brokersService, brokersServiceSpec } from './brokers-service.ts';
import { isShared } from './clients-service.ts';
import { labelsOf, wanted, type DeploymentObjectsInput } from './deployment-input.ts';
import { clientsObject } from './service-objects.ts';
import { serviceTypeOf, type Installation } from './installation.ts';
import { annotations, labels, namespaceOf, nodeMark } from './labels.ts';
import { cpuQuantity, memoryQuantity } from './quantities.ts';
import { quotaOf, type NodeSize } from '@sluice/drivers';

export function namespaceObject(installation: Installation, deployment: DeploymentObjectsInput): Wanted {
  const marks = deployment.nodes.map((node) => [nodeMark(node), ''] as const);
  return wanted(
    'Namespace',
    {
      name: namespaceOf(installation.owner, deployment.id),
      labels: {
        ...labelsOf(installation, deployment),
        'pod-security.kubernetes.io/enforce': 'restricted',
        ...Object.fromEntries(marks),
      },
      // Secrets are not watched: a change of their content is noticed here
      ...(installation.pull && { annotations: { [annotations.pull]: installation.pull.mark } }),
    },
    {},
  );
}

/** Gives the supervisor its rights in a deployment's namespace, whose labels it has. */
export function roleBinding(
  { role: name }: Installation,
  { name: namespace, labels: own = {} }: ObjectMetadata,
  supervisor: RbacV1Subject,
): Wanted {
  const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const metadata = { name: 'supervisor', namespace, labels: own };
  return wanted('RoleBinding', metadata, { roleRef: role, subjects: [supervisor] });
}

export function deploymentObjects(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  supervisor: RbacV1Subject,
): [Wanted, ...Wanted[]] {
  const named = (name: string): ObjectMetadata => ({
    name,
    namespace: namespaceOf(installation.owner, deployment.id),
    labels: labelsOf(installation, deployment),
  });
  const space = { name: namespaceOf(installation.owner, deployment.id), labels: named('').labels ?? {} };
  const closed = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] };
  return [
    roleBinding(installation, space, supervisor),
    wanted('ResourceQuota', named('nodes'), { spec: quotaSpec(installation, deployment) }),
    wanted('LimitRange', named('nodes'), { spec: limitsSpec(deployment) }),
    wanted('NetworkPolicy', named('nobody'), { spec: closed }),
    ...(deployment.isCluster
      ? [wanted('Service', named(brokersService), { spec: brokersServiceSpec(deployment.id) })]
      : []),
    ...(isShared(installation, deployment) ? [clientsObject(installation, deployment)] : []),
    ...(deployment.nodes.length > 1
      ? [wanted('PodDisruptionBudget', named('nodes'), { spec: disruptionsSpec(deployment) })]
      : []),
  ];
}

/** while a restore is under way its volume is there beside the present one */
const volumesPerNode = 2;

/** What so many volumes may have: one that is made of a copy is as large as that which was copied, a whole GiB at least. */
const storageOf = (volumes: number, sizes: readonly NodeSize[], largest: number) =>
  memoryQuantity(volumes * Math.max(quotaOf(sizes, 1).storage, largest) * 1_024);

function quotaSpec(
  installation: Installation,
  { sizes, largestVolume, options, isCluster, nodes: { length: count } }: DeploymentObjectsInput,
): V1ResourceQuotaSpec {
  const { cpu, memory } = quotaOf(sizes, count);
  // a cluster changes from one for each node to one for all, or back, while both are there
  const balancers = serviceTypeOf(installation, options) === 'LoadBalancer' ? count + Number(isCluster) : 0;
  return {
    hard: {
      pods: String(count),
      persistentvolumeclaims: String(volumesPerNode * count),
      'requests.cpu': cpuQuantity(cpu.request),
      'limits.cpu': cpuQuantity(cpu.limit),
      'requests.memory': memoryQuantity(memory),
      'limits.memory': memoryQuantity(memory),
      'requests.storage': storageOf(volumesPerNode * count, sizes, largestVolume),
      'services.loadbalancers': String(balancers),
    },
  };
}

function limitsSpec({ sizes, largestVolume }: DeploymentObjectsInput): V1LimitRangeSpec {
  const { cpu, memory } = quotaOf(sizes, 1);
  return {
    limits: [
      { type: 'Container', max: { cpu: cpuQuantity(cpu.limit), memory: memoryQuantity(memory) } },
      { type: 'PersistentVolumeClaim', max: { storage: storageOf(1, sizes, largestVolume) } },
    ],
  };
}

/** A drain of machines takes one node of the deployment at a time. With a single node it could only be never, or say nothing. */
function disruptionsSpec({ id }: DeploymentObjectsInput): V1PodDisruptionBudgetSpec {
  return {
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: { [labels.deployment]: String(id) } },
  };
}
