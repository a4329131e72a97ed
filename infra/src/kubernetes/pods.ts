import { z } from 'zod';
import type { KubernetesObject } from './objects.ts';

const named = z.looseObject({ name: z.string() });
const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.string().optional(),
  restartPolicy: z.string().optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  envFrom: z
    .array(z.strictObject({ configMapRef: named.optional(), secretRef: named.optional() }))
    .default([]),
  resources: z.object({
    requests: z.record(z.string(), z.unknown()),
    limits: z.record(z.string(), z.unknown()),
  }),
  securityContext: z.unknown().optional(),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
  ports: z.array(z.unknown()).default([]),
  startupProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
});
export type Container = z.infer<typeof containerSchema>;

const podSchema = z.looseObject({
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  enableServiceLinks: z.boolean().optional(),
  hostNetwork: z.undefined().optional(),
  hostPID: z.undefined().optional(),
  hostIPC: z.undefined().optional(),
  securityContext: z.unknown().optional(),
  initContainers: z.array(containerSchema).default([]),
  containers: z.array(containerSchema),
  volumes: z
    .array(
      z.union([
        z.strictObject({ name: z.string(), secret: z.looseObject({ secretName: z.string() }) }),
        z.strictObject({ name: z.string(), configMap: named }),
        z.strictObject({
          name: z.string(),
          persistentVolumeClaim: z.strictObject({ claimName: z.string() }),
        }),
        z.strictObject({
          name: z.string(),
          emptyDir: z.strictObject({ sizeLimit: z.string(), medium: z.literal('Memory').optional() }),
        }),
      ]),
    )
    .default([]),
});
export type Pod = z.infer<typeof podSchema>;

const workloadSchema = z.looseObject({
  spec: z.looseObject({ template: z.looseObject({ spec: podSchema }) }),
});

const cronJobSchema = z.looseObject({ spec: z.looseObject({ jobTemplate: workloadSchema }) });

/** The pod that a Deployment, a StatefulSet or a CronJob makes; undefined for other kinds. @throws ZodError for one that we would not run */
export function podOf(object: KubernetesObject): Pod | undefined {
  if (!['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Pod'].includes(object.kind))
    return undefined;
  const workload = object.kind === 'CronJob' ? cronJobSchema.parse(object).spec.jobTemplate : object;
  return workloadSchema.parse(workload).spec.template.spec;
}

const asOrdinaryUser = z.looseObject({
  runAsNonRoot: z.literal(true),
  runAsUser: z.int().min(1),
  seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
});
const withoutPrivileges = z.strictObject({
  allowPrivilegeEscalation: z.literal(false),
  readOnlyRootFilesystem: z.literal(true),
  capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
});

/** What a pod lacks of the profile `restricted`, and of what we want of every pod beyond it. */
export function lacksOf(pod: Pod): string[] {
  const servers = [
    ...pod.containers,
    ...pod.initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ];
  return [
    ...(asOrdinaryUser.safeParse(pod.securityContext).success ? [] : ['runs as more than an ordinary user']),
    ...(pod.automountServiceAccountToken === undefined
      ? ['does not say whether it has a token of the cluster']
      : []),
    ...(pod.enableServiceLinks === false ? [] : ['has variables of all services']),
    ...[...servers, ...pod.initContainers].flatMap((container) =>
      lacksOfContainer(container).map((lack) => `${container.name} ${lack}`),
    ),
    ...pod.containers.flatMap((container) =>
      lacksOfProbes(container).map((lack) => `${container.name} ${lack}`),
    ),
  ];
}

function lacksOfContainer({ image, imagePullPolicy, resources, securityContext }: Container): string[] {
  return [
    ...(/:[\w.-]+(@sha256:[0-9a-f]{64})?$/.test(image) && !image.endsWith(':latest')
      ? []
      : [`has no version: ${image}`]),
    ...(imagePullPolicy === 'IfNotPresent' ? [] : ['pulls what it has']),
    ...(withoutPrivileges.safeParse(securityContext).success ? [] : ['has privileges']),
    ...('cpu' in resources.requests && 'memory' in resources.requests ? [] : ['does not say what it needs']),
    ...('memory' in resources.limits ? [] : ['may use all memory']),
  ];
}

/** A container without a port serves nothing that could be probed. */
const lacksOfProbes = (container: Container) =>
  (['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
    .filter((probe) => container.ports.length > 0 && container[probe] === undefined)
    .map((probe) => `has no ${probe}`);
