import type { BrokerStatistics, DesiredState, Heartbeat } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { activeTraceparent, traced } from '@sluice/system/tracing';
import type { BrokerReconciler } from './broker/broker-reconciler.ts';
import type { ConnectorsHost } from './connectors/connectors-host.ts';
import type { GatewayManager } from './gateway-manager/gateway-manager.ts';
import type { SupervisorAnswers } from './supervisor/answers.ts';
import type { Supervisor } from './supervisor/client.ts';
import { withFormer, type desiredStateFile } from './supervisor/desired-state.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import type { StreamPage } from './stream-page/stream-page.ts';
import type { NodeTasks } from './tasks/node-tasks.ts';

interface AgentOptions {
  supervisor: Supervisor;
  broker: BrokerReconciler;
  setBroker: (broker: DesiredState['broker']) => Promise<void>;
  gateways: GatewayManager;
  connectors: ConnectorsHost;
  page: StreamPage;
  tasks: NodeTasks;
  snapshots: Snapshots;
  stateFile: ReturnType<typeof desiredStateFile>;
  heartbeatDue: () => void;
  version: string;
  leave: () => Promise<void>;
  fail: (error: unknown) => void;
  watch: (state: DesiredState) => void;
  log: Log;
}

/** Brings the node into the state that its supervisor wants, or into the last one while the supervisor is away. */
export class Agent {
  readonly #options: AgentOptions;
  #state: DesiredState | null = null;
  #isIdle = false;
  #waitsForCertificate = false;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#isIdle;
  }

  get heartbeatSeconds(): number {
    return this.#state?.heartbeat_seconds ?? 60;
  }

  async applyKept(): Promise<void> {
    const { stateFile, snapshots, log } = this.#options;
    const last = await stateFile.read(log);
    if (last === null) return;
    snapshots.follow(last, null);
    await this.#apply(last);
  }

  async poll(answers: SupervisorAnswers): Promise<void> {
    const { supervisor, snapshots, leave, fail, log } = this.#options;
    const applied = this.#state?.revision ?? 0;
    const answer = await answers.of(() => supervisor.desiredState(applied));
    this.#isIdle = answer?.revision === applied;
    if (answer === null) return;
    if (answer.leave === true) await leave();
    const state = withFormer(answer, this.#state);
    snapshots.follow(state, this.#state?.revision ?? null);
    if (answer.broker.tls === undefined && this.#state === null) {
      if (!this.#waitsForCertificate) log.info('there is no certificate yet: the broker waits', {});
      this.#waitsForCertificate = true;
      this.#isIdle = true;
      return;
    }
    const options = { parent: answer.traceparent, attributes: tracedAttributes(state) };
    await traced('apply', options, () => this.#keepAndApply(state)).catch(fail);
  }

  async #keepAndApply(state: DesiredState): Promise<void> {
    const { stateFile, log } = this.#options;
    // a full disk must not keep the node from its state, which comes again after the agent's next start
    const kept = stateFile
      .write(state)
      .catch((error: unknown) =>
        log.error('the desired state could not be kept', { reason: reasonOf(error) }),
      );
    await Promise.all([kept, this.#apply(state)]);
  }

  /** Brings the node into a state. Afterwards nothing of the former one holds. */
  async #apply(state: DesiredState): Promise<void> {
    const { gateways, broker, setBroker, connectors, page, tasks, watch, log, heartbeatDue } = this.#options;
    // before the broker, whose configuration has their login
    await connectors.setDesired(state);
    const brokerApplied = setBroker(state.broker);
    const { access_rules: rules } = state;
    const rateLimit = state.broker.rate_limit ?? null;
    const admitted = page
      .follow(broker.page, state.broker)
      .then(() => gateways.enforce({ rules, protocols: broker.protocols, rateLimit }));
    await Promise.all([brokerApplied, admitted]);
    this.#state = state;
    log.info('applied', { revision: state.revision, rules: state.access_rules.length });
    tasks.follow(state.tasks, activeTraceparent());
    heartbeatDue();
    watch(state);
  }

  async heartbeat(): Promise<void> {
    const { broker, supervisor } = this.#options;
    if (this.#state === null) return;
    const statistics = await broker.statistics();
    // of the revision that it speaks of, or later
    const state = this.#state;
    const cluster = await broker.clusterReport(true);
    const encryption_version = await broker.encryptionVersion();
    await supervisor.heartbeat(
      composeHeartbeat(this.#options, state, { statistics, cluster, encryption_version }),
    );
  }
}

const tracedAttributes = ({ node, deployment, revision }: DesiredState) => ({
  'sluice.node': node.id,
  'sluice.deployment': deployment.id,
  'sluice.revision': revision,
});

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
    // the supervisor refuses a heartbeat with a longer one
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
