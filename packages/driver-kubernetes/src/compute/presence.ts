import { isPrivateAddress } from '@sluice/system';
import type { NodeAddress, NodePresence } from '@sluice/drivers';
import type { V1Pod, V1Service } from '@kubernetes/client-node';
import type { ApiObject, Read } from './api-object.ts';
import { portName, servedProtocols, type ServiceType } from './installation.ts';

type Pod = Read<V1Pod>;
type Service = Read<V1Service>;

const longestReason = 300;

export function presenceOf(pod: ApiObject | undefined): { presence: NodePresence; reason?: string } {
  if (!pod) return { presence: 'stopped', reason: 'the cluster has not made its pod yet' };
  const reason = reasonOf(pod as Pod);
  if (reason === undefined) return { presence: 'running' };
  return { presence: 'stopped', reason: reason.slice(0, longestReason) };
}

/** for so long an agent may take to start and to enrol, milliseconds */
const enrolsWithin = 30_000;

/** Why an agent that runs has not enrolled, as far as that can be seen from outside of its pod; undefined while it may be about to. */
export function silenceOf(pod: ApiObject | undefined, supervisorUrl: string, now: Date): string | undefined {
  const [{ state } = {}] = (pod as Pod | undefined)?.status?.containerStatuses ?? [];
  const since = new Date(state?.running?.startedAt ?? NaN).getTime();
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

export function addressOf(
  type: ServiceType,
  service: ApiObject | undefined,
  pod: ApiObject | undefined,
): NodeAddress | null {
  if (!service) return null;
  const host = hostOf(type, service, pod);
  if (host === undefined || host === '' || host === 'None') return null;
  const ports = servedProtocols.flatMap((protocol) => {
    const entry = (service as Service).spec?.ports?.find(({ name }) => name === portName(protocol));
    const port = type === 'NodePort' ? entry?.nodePort : entry?.port;
    return port === undefined ? [] : [[protocol, port] as const];
  });
  return { host, ports: Object.fromEntries(ports) };
}

export const machineOf = (pod: ApiObject | undefined) => (pod as Pod | undefined)?.spec?.nodeName;

/** Whether no public address leads to a Service. What a name leads to is unknown: the annotations decide. */
export function isPrivateService(service: ApiObject | undefined): boolean {
  if (!service) return false;
  const { spec = {}, status } = service as Service;
  if (spec.type === 'NodePort' || (spec.externalIPs ?? []).length > 0) return false;
  return (status?.loadBalancer?.ingress ?? []).every(({ ip }) => ip === undefined || isPrivateAddress(ip));
}

function hostOf(
  type: ServiceType,
  { spec, status }: Service,
  pod: ApiObject | undefined,
): string | undefined {
  if (type === 'ClusterIP') return spec?.clusterIP;
  // the machine that the node is on, and no other, passes its clients on
  if (type === 'NodePort') return (pod as Pod | undefined)?.status?.hostIP;
  const [first] = status?.loadBalancer?.ingress ?? [];
  return first?.ip ?? first?.hostname;
}
