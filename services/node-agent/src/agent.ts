import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerStatistics, DesiredState, Heartbeat, Machine } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { activeTraceparent, traced } from '@sluice/system/tracing';
import type { BrokerReconciler } from './broker/broker-reconciler.ts';
import type { ConnectorsHost } from './connectors/connectors-host.ts';
import type { GatewayManager } from './gateway-manager/gateway-manager.ts';
import { retryUntilAnswered } from './retry.ts';
import type { Supervisor } from './supervisor/client.ts';
import { withFormer, type desiredStateFile } from './supervisor/desired-state.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import { tellMachine } from './machine.ts';
import type { NodeTasks } from './tasks/node-tasks.ts';
import type { WakeSignal } from './wake-signal.ts';

/** between two questions that bring nothing new, in milliseconds */
const restlessPause = 1_000;

interface AgentOptions {
  supervisor: Supervisor;
  broker: BrokerReconciler;
  /** has the broker be like this */
  setBroker: (broker: DesiredState['broker']) => Promise<void>;
  gateways: GatewayManager;
  connectors: ConnectorsHost;
  tasks: NodeTasks;
  snapshots: Snapshots;
  stateFile: ReturnType<typeof desiredStateFile>;
  /** Woken when the supervisor should hear from the node at once. */
  heartbeatDue: WakeSignal;
  /** the agent's own */
  version: string;
  /** what the machine is; absent where the supervisor has made it */
  machine?: () => Promise<Machine>;
  /** Has this agent end, and the node with it. */
  leave: () => Promise<void>;
  /** told each state that is applied, to watch the node as it says */
  watch: (state: DesiredState) => void;
  log: Log;
}

/** Follows the supervisor for ever, or what it said last while it is away. */
export async function runAgent(options: AgentOptions, enrolled: boolean): Promise<never> {
  const { supervisor, stateFile, log } = options;
  const node: Node = { state: null };
  const last = await stateFile.read(log);
  if (last !== null) {
    options.snapshots.follow(last, null);
    await apply(options, node, last);
  }
  if (!enrolled) {
    const identity = await retryUntilAnswered('enrolment', log, async () =>
      supervisor.enrol(await options.machine?.()),
    );
    log.info('enrolled', { ...identity, since_start_ms: Math.round(performance.now()) });
  }
  return await Promise.race([
    sendHeartbeats(options, node),
    followDesiredState(options, node),
    options.tasks.run(),
    ...(options.machine ? [tellMachine(options.machine, supervisor, log)] : []),
  ]);
}

async function followDesiredState(options: AgentOptions, node: Node): Promise<never> {
  const { supervisor, stateFile, log } = options;
  let waits = false;
  for (;;) {
    const applied = node.state?.revision ?? 0;
    const answer = await retryUntilAnswered('poll', log, () => supervisor.desiredState(applied));
    if (answer === null) continue;
    if (answer.leave === true) await options.leave();
    options.snapshots.follow(withFormer(answer, node.state), node.state?.revision ?? null);
    // An answer that brings nothing new should have been held back: a supervisor that errs is not asked in a rush.
    if (answer.revision === applied) await sleep(restlessPause);
    if (answer.broker.tls === undefined && node.state === null) {
      if (!waits) log.info('there is no certificate yet: the broker waits', {});
      waits = true;
      await sleep(restlessPause);
      continue;
    }
    const state = withFormer(answer, node.state);
    await traced('apply', { parent: answer.traceparent, attributes: tracedAttributes(state) }, async () => {
      // a disk that is full must not keep the node from doing as it is told; it is told again when the agent has started anew
      const kept = stateFile
        .write(state)
        .catch((error: unknown) =>
          log.error('the desired state could not be kept', { reason: reasonOf(error) }),
        );
      await Promise.all([kept, apply(options, node, state)]);
    });
  }
}

const tracedAttributes = ({ node, deployment, revision }: DesiredState) => ({
  'sluice.node': node.id,
  'sluice.deployment': deployment.id,
  'sluice.revision': revision,
});

/** What the node is in. */
interface Node {
  state: DesiredState | null;
}

/** Brings the node into a state. Afterwards nothing of the former one is in force. */
async function apply(
  { gateways, broker, setBroker, connectors, tasks, watch, log, heartbeatDue }: AgentOptions,
  node: Node,
  state: DesiredState,
): Promise<void> {
  // before the broker, which is told of their login
  await connectors.setDesired(state);
  const brokerApplied = setBroker(state.broker);
  const { access_rules: rules } = state;
  const rateLimit = state.broker.rate_limit ?? null;
  await Promise.all([brokerApplied, gateways.enforce({ rules, protocols: broker.protocols, rateLimit })]);
  node.state = state;
  log.info('applied', { revision: state.revision, rules: state.access_rules.length });
  tasks.follow(state.tasks, activeTraceparent());
  heartbeatDue.wake();
  watch(state);
}

/** One heartbeat per interval, and one at once when it is due. None before the first state is applied. */
async function sendHeartbeats(options: AgentOptions, node: Node): Promise<never> {
  const { broker, supervisor, heartbeatDue, log } = options;
  for (;;) {
    await heartbeatDue.wait((node.state?.heartbeat_seconds ?? 60) * 1_000);
    if (node.state === null) continue;
    await retryUntilAnswered('heartbeat', log, async () => {
      const statistics = await broker.statistics();
      // of the revision that it speaks of, or later
      const state = node.state;
      const cluster = await broker.clusterReport(true);
      const encryption_version = await broker.encryptionVersion();
      if (state === null) return;
      const observed = { statistics, cluster, encryption_version };
      await supervisor.heartbeat(composeHeartbeat(options, state, observed));
    });
  }
}

const longestReason = 500;
const largestCount = 1e12;

function bounded(statistics: BrokerStatistics): BrokerStatistics {
  const counts = Object.entries(statistics).map(([name, count]) => [
    name,
    Math.min(Math.max(Math.trunc(count), 0), largestCount),
  ]);
  return Object.fromEntries(counts) as BrokerStatistics;
}

/** The node's own programs are no clients. */
const withoutOwn = (statistics: BrokerStatistics, connections: number): BrokerStatistics => ({
  ...statistics,
  clients: statistics.clients - connections,
});

/** What the broker was found to be for a heartbeat. */
interface ObservedBroker {
  statistics: Heartbeat['statistics'];
  cluster: Heartbeat['cluster'];
  encryption_version: number | null;
}

function composeHeartbeat(
  { broker, gateways, connectors, version }: AgentOptions,
  { revision, broker: { rate_limit = null, encryption } }: DesiredState,
  { statistics, cluster, encryption_version }: ObservedBroker,
): Heartbeat {
  const {
    broker_tcp = null,
    broker_http = null,
    broker_websocket = null,
    broker_udp = null,
  } = gateways.ports;
  const { reason, ...report } = broker.report();
  const { capacity } = broker;
  const reported = connectors.report();
  return {
    agent_version: version,
    applied_revision: revision,
    // no more than the supervisor takes: a long reason must not cost the heartbeat
    runtimes: [{ ...report, reason: reason && reason.slice(0, longestReason) }],
    ports: { broker_tcp, broker_http, broker_websocket, broker_udp },
    statistics: statistics && bounded(withoutOwn(statistics, connectors.connections)),
    applied: {
      revision,
      capacity: capacity && { ...capacity, rate_limit },
      // absent where nothing is encrypted
      ...(encryption && { encryption_version }),
    },
    ...(reported !== null && { connectors: reported }),
    ...(cluster !== undefined && { cluster }),
  };
}
