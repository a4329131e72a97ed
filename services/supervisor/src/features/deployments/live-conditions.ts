import type { LiveDeployment, ShownCondition, ShownNode } from './live-deployment.store.ts';

type Seen = Pick<LiveDeployment, 'deployment' | 'nodes' | 'certificate' | 'access'>;

/** longest message that people get to read, in characters */
const longestMessage = 1_000;

/**
 * What holds of a deployment now (interface, 3): seen when it is read, so that it is right also while the reconciler is held up. A condition
 * that cannot be said yet is absent.
 */
export function liveConditions(seen: Seen, now: Date): ShownCondition[] {
  return [
    ready(seen),
    agentsConnected(seen),
    brokersRunning(seen),
    certificateValid(seen, now),
    accessAllowed(seen, now),
  ]
    .filter((condition) => condition !== undefined)
    .map((condition) => ({ ...condition, message: condition.message.slice(0, longestMessage) }));
}

function ready({ deployment }: Seen): ShownCondition {
  const { status, status_reason, status_changed_at: changed_at } = deployment;
  const judged = status === 'initialized' ? 'True' : 'False';
  return { type: 'Ready', status: judged, reason: wordOf(status), message: status_reason ?? '', changed_at };
}

function agentsConnected({ deployment: { byoc_driver }, nodes }: Seen): ShownCondition | undefined {
  if (nodes.length === 0) return undefined;
  const type = 'AgentsConnected';
  const away = nodes.filter(isAway);
  if (away.length === 0)
    return {
      type,
      status: 'True',
      reason: 'Connected',
      message: '',
      changed_at: lastOf(nodes, 'connection_changed_at'),
    };
  const lacking = (node: ShownNode) => {
    if (node.unreachable_since !== null)
      return { reason: 'Unreachable', words: `silent since ${node.last_heartbeat_at?.toISOString()}` };
    return byoc_driver === 'enrol' && node.public_key === null
      ? { reason: 'WaitingForEnrolment', words: 'waits for its enrolment' }
      : { reason: 'NotReported', words: 'its agent has not reported yet' };
  };
  return {
    ...{ type, status: 'False', reason: lacking(away[0]!).reason },
    message: away.map((node) => `${node.name}: ${lacking(node).words}`).join('; '),
    changed_at: firstOf(away, 'connection_changed_at'),
  };
}

function brokersRunning({ deployment: { limited_until }, nodes }: Seen): ShownCondition | undefined {
  if (nodes.length === 0) return undefined;
  const type = 'BrokersRunning';
  const away = nodes.filter(isAway);
  const ended = nodes.filter((node) => !isAway(node) && brokerOf(node)?.status !== 'running');
  if (ended.length > 0) {
    const isWanted = ended.every(({ broker_stopped }) => broker_stopped || limited_until !== null);
    const words = (node: ShownNode) => {
      const { status = 'pending', reason = null } = brokerOf(node) ?? {};
      return `${node.name}: ${status}${reason === null ? '' : ` (${reason})`}`;
    };
    return {
      ...{ type, status: 'False', reason: isWanted ? 'Stopped' : 'NotRunning' },
      message: ended.map(words).join('; '),
      changed_at: firstOf(ended, 'broker_changed_at'),
    };
  }
  if (away.length > 0) {
    const message = `not known of ${away.map(({ name }) => name).join(', ')}`;
    return {
      ...{ type, status: 'Unknown', reason: 'AgentsAway', message },
      changed_at: firstOf(away, 'connection_changed_at'),
    };
  }
  return {
    type,
    status: 'True',
    reason: 'Running',
    message: '',
    changed_at: lastOf(nodes, 'broker_changed_at'),
  };
}

function certificateValid({ deployment, certificate }: Seen, now: Date): ShownCondition | undefined {
  if (certificate === null) return undefined;
  const type = 'CertificateValid';
  const { not_before, not_after, failures, last_error } = certificate;
  if (not_before === null || not_after === null)
    return {
      ...{ type, status: 'False', reason: 'NotIssued', message: last_error ?? '' },
      changed_at: deployment.spec.created_at,
    };
  const end = new Date(not_after);
  const message = last_error !== null && failures > 0 ? `its renewal is tried again: ${last_error}` : '';
  if (end <= now) return { type, status: 'False', reason: 'Expired', message, changed_at: end };
  const reason = message === '' ? 'Issued' : 'RenewalFailing';
  return { type, status: 'True', reason, message, changed_at: not_before };
}

function accessAllowed({ deployment, access }: Seen, now: Date): ShownCondition {
  const type = 'AccessAllowed';
  // revisions are times; the first is 1
  const revisedAt = new Date(Math.max(deployment.access_revision, Date.parse(deployment.spec.created_at)));
  if (access.rules === 0) {
    const message = 'there is no access rule, so no client can connect';
    return { type, status: 'False', reason: 'NoRule', message, changed_at: revisedAt };
  }
  const end = access.endless || access.last_end === null ? null : new Date(access.last_end);
  if (end === null || end > now)
    return { type, status: 'True', reason: 'RuleValid', message: '', changed_at: revisedAt };
  const message = 'all access rules have ended, so no client can connect';
  return { type, status: 'False', reason: 'RulesEnded', message, changed_at: end };
}

const isAway = ({ last_heartbeat_at, unreachable_since }: ShownNode): boolean =>
  last_heartbeat_at === null || unreachable_since !== null;

const brokerOf = ({ runtimes }: ShownNode) => runtimes.find(({ runtime }) => runtime === 'broker');

type Time = 'connection_changed_at' | 'broker_changed_at';
const timesOf = (nodes: readonly ShownNode[], time: Time) => nodes.map((node) => node[time].getTime());
const firstOf = (nodes: readonly ShownNode[], time: Time) => new Date(Math.min(...timesOf(nodes, time)));
const lastOf = (nodes: readonly ShownNode[], time: Time) => new Date(Math.max(...timesOf(nodes, time)));

/** `waiting_for_nodes` is `WaitingForNodes`. */
const wordOf = (status: string): string =>
  status.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
