import { isPrivateAddress } from '@sluice/system';
import type { NodeAddress, NodePresence } from '@sluice/drivers';
import { z } from 'zod';
import type { ApiObject } from './api-object.ts';
import { portName, servedProtocols, type ServiceType } from './installation.ts';

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
const waiting = z.object({ reason: z.string().optional(), message: z.string().optional() });
const containerState = z.object({
  running: z.object({ startedAt: z.string().optional() }).optional(),
  waiting: waiting.optional(),
  terminated: waiting.extend({ exitCode: z.number() }).optional(),
});
const podSchema = z.object({
  metadata: z.object({ deletionTimestamp: z.string().optional() }),
  spec: z.object({ nodeName: z.string().optional() }).optional(),
  status: z
    .object({
      phase: z.string().optional(),
      reason: z.string().optional(),
      message: z.string().optional(),
      hostIP: z.string().optional(),
      conditions: z.array(condition).optional(),
      containerStatuses: z.array(z.object({ state: containerState.optional() })).optional(),
    })
    .optional(),
});
type Pod = z.infer<typeof podSchema>;

const serviceSchema = z.object({
  spec: z.object({
    type: z.string().optional(),
    externalIPs: z.array(z.string()).optional(),
    clusterIP: z.string().optional(),
    ports: z
      .array(z.object({ name: z.string().optional(), port: z.number(), nodePort: z.number().optional() }))
      .optional(),
  }),
  status: z
    .object({
      loadBalancer: z
        .object({
          ingress: z
            .array(z.object({ ip: z.string().optional(), hostname: z.string().optional() }))
            .optional(),
        })
        .optional(),
    })
    .optional(),
});

/** characters of what the cluster says that people get to read */
const longestReason = 300;

/** Whether an agent is at work in a node's pod, and if not, why, as far as the cluster says. */
export function presenceOf(pod: ApiObject | undefined): { presence: NodePresence; reason?: string } {
  if (!pod) return { presence: 'stopped', reason: 'the cluster has not made its pod yet' };
  const read = podSchema.parse(pod);
  const reason = reasonOf(read);
  if (reason === undefined) return { presence: 'running' };
  return { presence: 'stopped', reason: reason.slice(0, longestReason) };
}

/** for so long an agent may take to start and to enrol, milliseconds */
const enrolsWithin = 30_000;

/** Why an agent that runs has not enrolled, as far as that can be seen from outside of its pod; undefined while it may be about to. */
export function silenceOf(pod: ApiObject | undefined, supervisorUrl: string, now: Date): string | undefined {
  const [{ state } = {}] = (pod && podSchema.parse(pod).status?.containerStatuses) ?? [];
  const since = Date.parse(state?.running?.startedAt ?? '');
  if (!(now.getTime() - since > enrolsWithin)) return undefined;
  return `it gets no answer, or none that it trusts, from ${supervisorUrl} (AGENT_API_URL): its pod's log says which`;
}

/** Undefined while its agent runs. */
function reasonOf({ metadata, spec, status = {} }: Pod): string | undefined {
  const { phase = 'Pending', conditions = [], containerStatuses = [] } = status;
  const machine = spec?.nodeName;
  const disrupted = conditions.find(({ type, status: is }) => type === 'DisruptionTarget' && is === 'True');
  if (metadata.deletionTimestamp !== undefined) {
    if (disrupted?.reason === 'DeletionByTaintManager')
      return `its machine ${machine} does not answer: it comes up elsewhere once the cluster has given that up`;
    return 'its pod is ending';
  }
  const unscheduled = conditions.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled) return `the cluster has no machine for it: ${unscheduled.message ?? unscheduled.reason}`;
  const [{ state } = {}] = containerStatuses;
  if (phase === 'Running' && state?.running) return undefined;
  const said = state?.waiting ?? state?.terminated ?? status;
  return `its pod is ${phase}${saying(said)}${machine === undefined ? '' : ` on ${machine}`}`;
}

function saying({ reason, message }: { reason?: string | undefined; message?: string | undefined }): string {
  const said = [reason, message].filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? '' : ` (${said.join(': ')})`;
}

/** Where clients reach the node: null while the cluster has given it no address. */
export function addressOf(
  type: ServiceType,
  service: ApiObject | undefined,
  pod: ApiObject | undefined,
): NodeAddress | null {
  if (!service) return null;
  const { spec, status } = serviceSchema.parse(service);
  const host = hostOf(type, { spec, status }, pod);
  if (host === undefined || host === '' || host === 'None') return null;
  const ports = servedProtocols.flatMap((protocol) => {
    const entry = spec.ports?.find(({ name }) => name === portName(protocol));
    const port = type === 'NodePort' ? entry?.nodePort : entry?.port;
    return port === undefined ? [] : [[protocol, port] as const];
  });
  return { host, ports: Object.fromEntries(ports) };
}

/** The machine that a pod is on; undefined where it is on none. */
export const machineOf = (pod: ApiObject | undefined) => pod && podSchema.parse(pod).spec?.nodeName;

/** Whether no public address leads to a Service. What a name leads to is unknown: the annotations decide. */
export function isPrivateService(service: ApiObject | undefined): boolean {
  if (!service) return false;
  const { spec, status } = serviceSchema.parse(service);
  if (spec.type === 'NodePort' || (spec.externalIPs ?? []).length > 0) return false;
  return (status?.loadBalancer?.ingress ?? []).every(({ ip }) => ip === undefined || isPrivateAddress(ip));
}

function hostOf(
  type: ServiceType,
  { spec, status }: z.infer<typeof serviceSchema>,
  pod: ApiObject | undefined,
): string | undefined {
  if (type === 'ClusterIP') return spec.clusterIP;
  // the machine that the node is on, and no other, passes its clients on
  if (type === 'NodePort') return pod && podSchema.parse(pod).status?.hostIP;
  const [first] = status?.loadBalancer?.ingress ?? [];
  return first?.ip ?? first?.hostname;
}
