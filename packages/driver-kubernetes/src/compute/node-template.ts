import { parse } from 'yaml';
import { z } from 'zod';

/** What an operator adds to pods and Services of nodes (KUBERNETES_NODE_TEMPLATE). What the driver decides is refused, like what is unknown. */

const keyPattern = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[a-zA-Z0-9]([\w.-]{0,61}[a-zA-Z0-9])?$/;
/** labels and annotations of the driver, and of the controllers that it uses */
const reserved =
  /^(([a-z0-9-]+\.)*sluice\.example\/|(statefulset|apps)\.kubernetes\.io\/|app\.kubernetes\.io\/managed-by$|controller-revision-hash$)/;
/** annotations that former releases of Kubernetes had in place of a security context */
const securityKeys = /^([a-z0-9-]+\.)*security\.(alpha\.|beta\.)?kubernetes\.io\//;
/** where the driver places pods, and how long they stay on a machine that is lost */
const placement = /^(topology\.kubernetes\.io\/zone|kubernetes\.io\/hostname)$/;
const taintsOfMachines = /^node\.kubernetes\.io\//;

const decided = 'is decided by the driver';
const key = z.string().regex(keyPattern, 'is not the name of a label');
const keyOtherThan = (refused: RegExp) => key.refine((text) => !refused.test(text), decided);
const labelValue = z
  .string()
  .regex(/^([a-zA-Z0-9]([\w.-]{0,61}[a-zA-Z0-9])?)?$/, 'is not a value of a label');
const annotationValue = z.string().max(10_000);

/** Keys are checked beside the schema of records, whose faults do not say what is wrong with a key. */
const entries = (value: z.ZodString, ...refused: RegExp[]) =>
  z
    .record(z.string(), value)
    .superRefine((record, context) => {
      for (const name of Object.keys(record)) {
        const isDecided = refused.some((pattern) => pattern.test(name));
        if (keyPattern.test(name) && !isDecided) continue;
        const message = isDecided ? decided : 'is not the name of a label';
        context.addIssue({ code: 'custom', message, path: [name] });
      }
    })
    .default({});

const toleration = z
  .strictObject({
    // without a key it would tolerate every taint
    key: keyOtherThan(taintsOfMachines),
    operator: z.enum(['Exists', 'Equal']).optional(),
    value: labelValue.optional(),
    effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
    tolerationSeconds: z.int().min(0).optional(),
  })
  .refine(({ operator, value }) => operator !== 'Exists' || value === undefined, 'Exists has no value')
  .refine(
    ({ effect, tolerationSeconds }) => tolerationSeconds === undefined || effect === 'NoExecute',
    'tolerationSeconds is for the effect NoExecute',
  );

/** The pods that are counted are those of the deployment. */
const spread = z
  .strictObject({
    topologyKey: keyOtherThan(placement),
    maxSkew: z.int().min(1).default(1),
    whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
    minDomains: z.int().min(1).optional(),
  })
  .refine(
    ({ minDomains, whenUnsatisfiable }) => minDomains === undefined || whenUnsatisfiable === 'DoNotSchedule',
    'minDomains is for DoNotSchedule',
  );

const pods = z.strictObject({
  labels: entries(labelValue, reserved),
  annotations: entries(annotationValue, reserved, securityKeys),
  nodeSelector: entries(labelValue, placement),
  tolerations: z.array(toleration).max(50).default([]),
  topologySpreadConstraints: z
    .array(spread)
    .max(10)
    .refine(
      (list) => new Set(list.map(({ topologyKey }) => topologyKey)).size === list.length,
      'names a topologyKey twice',
    )
    .default([]),
  priorityClassName: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'is not the name of a PriorityClass')
    .optional(),
});

const services = z.strictObject({
  annotations: entries(annotationValue, reserved),
  loadBalancerClass: key.optional(),
  /** whether the nodes of a cluster share one load balancer */
  perDeployment: z.boolean().optional(),
});

const template = z.strictObject({
  pods: pods.prefault({}),
  services: services.prefault({}),
  privateServices: services.prefault({}),
});
export type NodeTemplate = z.infer<typeof template>;
export type PodTemplate = NodeTemplate['pods'];
export type ServiceTemplate = NodeTemplate['services'];

export const noTemplate: NodeTemplate = template.parse({});

/** Reads a template, JSON or YAML. All its faults are in one message. */
export function nodeTemplateIn(text: string, context: z.core.$RefinementCtx<string>): NodeTemplate {
  const refuse = (message: string) => {
    context.issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  };
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    return refuse(`is neither JSON nor YAML: ${line}`);
  }
  const read = template.safeParse(document);
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => [...path, message].join(': '));
  return refuse(`is not a template of nodes: ${faults.join('; ')}`);
}

/** For values that name what they belong to, such as host names for external-dns. */
export const filledIn = (values: Readonly<Record<string, string>>, names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll(/\{(node|deployment)\}/g, (all, what: string) => names[what] ?? all),
    ]),
  );
