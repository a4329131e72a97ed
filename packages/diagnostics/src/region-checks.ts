import type { SnapshotCheck } from '@sluice/contracts';
import type { SeenNode } from './seen-node.ts';

const group = 'Seen from the region';
type Outcome = Pick<SnapshotCheck, 'status' | 'finding'> & Partial<Pick<SnapshotCheck, 'action' | 'details'>>;

interface RegionCheck {
  id: string;
  title: string;
  meaning: string;
  look: (seen: SeenNode, failure: string | null, askedAt: Date) => Outcome;
}

const secondsSince = (time: string | null, now: string) =>
  time === null ? Infinity : (new Date(now).getTime() - new Date(time).getTime()) / 1_000;

/** `3 min`, for people */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const checks: readonly RegionCheck[] = [
  {
    id: 'region_answer',
    title: 'Answer of the node',
    meaning:
      'The agent makes the checks of a node. Without its answer only what the region knows by itself can be shown.',
    look(seen, failure, askedAt) {
      if (failure === null) return { status: 'ok', finding: 'The node has answered.' };
      const silent = secondsSince(seen.last_heartbeat_at, seen.at);
      const heard = Number.isFinite(silent)
        ? `it was last heard of ${duration(silent)} before`
        : 'it was never heard of';
      return {
        status: 'critical',
        finding: `The node did not answer: ${heard}.`,
        action:
          'See whether its machine or pod runs and reaches the region by HTTPS, and whether the agent runs on it.',
        details: [
          { name: 'asked at', value: askedAt.toISOString() },
          { name: 'waited until', value: seen.at },
        ],
      };
    },
  },
  {
    id: 'region_heartbeat',
    title: 'Heartbeats',
    meaning: 'An agent reports every few seconds how its node is. From silence the region raises an alert.',
    look({ unreachable_since, last_heartbeat_at, at }) {
      const details = [{ name: 'last heartbeat', value: last_heartbeat_at ?? 'never' }];
      if (last_heartbeat_at === null)
        return {
          ...{ status: 'critical', details },
          finding: 'The node has never been heard of.',
          action: 'See why its agent does not start or does not enrol: its log says it.',
        };
      const silent = secondsSince(last_heartbeat_at, at);
      if (unreachable_since !== null || silent > 120)
        return {
          ...{ status: 'critical', details },
          finding: `The node has been silent for ${duration(silent)}.`,
          action:
            'See whether its machine or pod runs, and whether it reaches the region. Clients may be served all the same.',
        };
      return { status: 'ok', finding: 'The node is heard of.', details };
    },
  },
  {
    id: 'region_deployment',
    title: 'Status of the deployment',
    meaning: 'What the region has made of the deployment; failed names the step that did not succeed.',
    look({ status, status_reason }) {
      if (status === 'failed')
        return {
          status: 'critical',
          finding: `The deployment is failed: ${status_reason ?? 'no reason is known'}.`,
          action: 'See to the reason; what failed is tried on, and can be tried at once by a retry.',
        };
      return { status: 'ok', finding: `The deployment is ${status}.` };
    },
  },
  {
    id: 'region_broker',
    title: 'Broker, as last reported',
    meaning: 'How the broker was by the last heartbeat of the node.',
    look({ runtimes, broker_stopped }) {
      const broker = runtimes.find(({ runtime }) => runtime === 'broker');
      if (broker === undefined)
        return { status: 'unknown', finding: 'The node has never reported its broker.' };
      const { status, reason, version } = broker;
      const details = [{ name: 'version', value: version ?? 'unknown' }];
      if (broker_stopped)
        return { status: 'ok', finding: `The broker is to be stopped; it is ${status}.`, details };
      if (status === 'running') return { status: 'ok', finding: 'The broker runs.', details };
      return {
        status: status === 'failed' ? 'critical' : 'warning',
        finding: `The broker is ${status}${reason === null ? '' : `: ${reason}`}`.slice(0, 590) + '.',
        action: 'See what the checks of the broker say, and its log.',
        details,
      };
    },
  },
  {
    id: 'region_revision',
    title: 'State applied',
    meaning: 'Whether the node is in the state that the region wants it to be in.',
    look({ revision, applied_revision, at }, _failure, askedAt) {
      const details = [
        { name: 'wanted', value: String(revision) },
        { name: 'applied', value: String(applied_revision) },
      ];
      if (applied_revision >= revision)
        return { status: 'ok', finding: 'The node is in the state that is wanted.', details };
      // asking for the snapshot was a new state, too
      if (secondsSince(askedAt.toISOString(), at) < 30)
        return { status: 'ok', finding: 'The node is about to apply the newest state.', details };
      return {
        status: 'warning',
        finding: 'The node has not applied the newest state.',
        action:
          'Look again in a minute. If it stays so, the log of the agent says what keeps it: rules and configurations that were changed do not hold there.',
        details,
      };
    },
  },
  {
    id: 'region_telemetry',
    title: 'Telemetry received',
    meaning: 'Charts and alerts rest on what the node sends. What it could not send waits on its disk.',
    look({ measured_at, at }) {
      const lag = secondsSince(measured_at, at);
      const details = [{ name: 'newest sample', value: measured_at ?? 'none in the last day' }];
      if (lag > 300)
        return {
          status: 'warning',
          finding: Number.isFinite(lag)
            ? `The newest measurement is ${duration(lag)} old.`
            : 'Nothing was measured in the last day.',
          action: 'See whether the agent runs and reaches the region; a new node needs a minute.',
          details,
        };
      return { status: 'ok', finding: `The newest measurement is ${duration(lag)} old.`, details };
    },
  },
  {
    id: 'region_alerts',
    title: 'Alerts',
    meaning: 'Alerts are raised when something has been too much for some minutes.',
    look({ alerts }) {
      if (alerts.length === 0) return { status: 'ok', finding: 'No alert is raised.' };
      return {
        status: 'warning',
        finding: `Alerts are raised: ${alerts.join(', ')}.`,
        action: 'The charts show since when. A larger tier has more of it.',
      };
    },
  },
];

/** What the region finds without the node. @param failure why the node has reported nothing; null when it has */
export function regionChecks(seen: SeenNode, failure: string | null, askedAt: Date): SnapshotCheck[] {
  // the answer of a node says more of its broker than its last heartbeat
  const relevant = checks.filter(({ id }) => failure !== null || id !== 'region_broker');
  return relevant.map(({ id, title, meaning, look }) => {
    const { status, finding, action = null, details = [] } = look(seen, failure, askedAt);
    return { id, group, title, status, finding, meaning, action, details };
  });
}
