import type { V1PodAffinityTerm, V1PodSpec, V1Toleration } from '@kubernetes/client-node';
import type { DeploymentObjectsInput } from './deployment-input.ts';
import type { Installation } from './installation.ts';
import { labels } from './labels.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const machineKey = 'kubernetes.io/hostname';

type Scheduling = Pick<
  V1PodSpec,
  'topologySpreadConstraints' | 'affinity' | 'nodeSelector' | 'priorityClassName'
>;

export function schedulingOf(
  { clusterSpread, zones, dedicatedNodes, podTemplate }: Installation,
  { id, tenantId, nodes, options, isCluster }: DeploymentObjectsInput,
): Scheduling {
  const labelSelector = { matchLabels: { [labels.deployment]: String(id) } };
  const preferred = (topologyKey: string) => ({
    ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
  });
  const spansZones = options.includes('multi_az');
  // without `minDomains` a cluster whose machines are in a single zone would satisfy it
  const required = {
    ...preferred(zoneKey),
    ...{ whenUnsatisfiable: 'DoNotSchedule', minDomains: Math.max(1, Math.min(zones, nodes.length)) },
  };
  const isDedicated = options.includes('dedicated') && dedicatedNodes !== undefined;
  const apart: V1PodAffinityTerm[] = [
    ...(isCluster && (spansZones || clusterSpread === 'required')
      ? [{ labelSelector, topologyKey: machineKey }]
      : []),
    ...(isDedicated ? [apartFromOthers(String(tenantId))] : []),
  ];
  const { priorityClassName } = podTemplate;
  const nodeSelector = {
    ...podTemplate.nodeSelector,
    ...(isDedicated && { [dedicatedNodes.key]: dedicatedNodes.value }),
  };
  return {
    topologySpreadConstraints: [
      spansZones ? required : preferred(zoneKey),
      preferred(machineKey),
      ...podTemplate.topologySpreadConstraints.map((one) => ({ ...one, labelSelector })),
    ],
    ...(apart.length > 0 && {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart } },
    }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(priorityClassName !== undefined && { priorityClassName }),
  };
}

/** Keeps pods of other tenants away as well: the scheduler applies what is required both ways. */
const apartFromOthers = (tenant: string): V1PodAffinityTerm => ({
  labelSelector: {
    matchExpressions: [
      { key: labels.tenant, operator: 'Exists' },
      { key: labels.tenant, operator: 'NotIn', values: [tenant] },
    ],
  },
  // of all namespaces
  namespaceSelector: {},
  topologyKey: machineKey,
});

/** Lets a dedicated deployment onto the machines that are kept for such ones. */
export const dedicatedTolerations = (
  { dedicatedNodes }: Installation,
  { options }: DeploymentObjectsInput,
): V1Toleration[] =>
  options.includes('dedicated') && dedicatedNodes ? [{ ...dedicatedNodes, operator: 'Equal' }] : [];
