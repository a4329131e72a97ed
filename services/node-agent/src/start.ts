import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, identify, readConfig, reasonOf, takeLock, writePrivateFile } from '@sluice/system';
import { Jobs } from '@sluice/controller/jobs';
import { createLog, type Log } from '@sluice/system/log';
import { activeTraceparent, startTracing } from '@sluice/system/tracing';
import metadata from '../package.json' with { type: 'json' };
import { Agent } from './agent.ts';
import { BrokerReconciler } from './broker/broker-reconciler.ts';
import { createTimedBroker } from './broker/timed-broker.ts';
import { agentEnvironment, type AgentEnvironment } from './config.ts';
import { ConnectorsHost } from './connectors/connectors-host.ts';
import { taskRuntime } from './connectors/task-runtime.ts';
import { GatewayManager } from './gateway-manager/gateway-manager.ts';
import { Due } from './due.ts';
import { followSupervisor, keepBroker, keepPrograms, untilAnswered, watch } from './jobs.ts';
import { hasLeft, isLeaving, leave, requestLeaving } from './decommission.ts';
import { PrivateListener } from './listening-address.ts';
import { addressTowards, describeMachine } from './machine.ts';
import { connectorsProgram, gatewayProgram } from './programs.ts';
import { nodeRuntimes } from './runtimes/node-runtimes.ts';
import { openRuntimeFolder } from './runtime-folder.ts';
import type { RuntimeRegistry } from './runtimes/runtime.ts';
import { sealingWith, type Sealing } from './sealing.ts';
import { Snapshots } from './snapshots/snapshots.ts';
import { StreamPage } from './stream-page/stream-page.ts';
import { createSupervisor, SupervisorRefused } from './supervisor/client.ts';
import { createSupervisorClock } from './supervisor/clock.ts';
import { desiredStateFile } from './supervisor/desired-state.ts';
import { loadIdentity } from './supervisor/identity.ts';
import { NodeTasks } from './tasks/node-tasks.ts';
import { TaskJournal } from './tasks/task-journal.ts';
import { takeOver } from './take-over.ts';
import { connectorSamples } from './telemetry/connector-samples.ts';
import { ownLines } from './telemetry/own-lines.ts';
import { StreamReports } from './telemetry/stream-reports.ts';
import { watchOnDemand } from './telemetry/watch-on-demand.ts';

const mostErrors = 4 * 2 ** 20;

/** Exit codes, besides 0 after SIGTERM or SIGINT and 1 after a failure. */
const exitCodes = { configuration: 2, anotherAgent: 3 };

/** Runs this process as an agent that can run brokers of these runtimes, until a signal ends it. */
export async function startAgent(runtimes: RuntimeRegistry): Promise<never> {
  try {
    await run(readConfig(agentEnvironment, process.env, { refusesMisspelled: true }), runtimes);
    process.exit(0);
  } catch (error) {
    if (error instanceof ConfigError) exit(exitCodes.configuration, error.message);
    exit(1, `The agent can't go on: ${reasonOf(error)}`);
  }
}

function exit(code: number, sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

async function run(environment: AgentEnvironment, registry: RuntimeRegistry): Promise<void> {
  // where an agent is to be replaced, a folder that is not there has been removed meanwhile
  if (!environment.AGENT_TAKES_OVER) await mkdir(environment.AGENT_HOME, { recursive: true, mode: 0o700 });
  const home = await realpath(environment.AGENT_HOME);
  const mine = environment.AGENT_TAKES_OVER ? await takeOver(home) : (await takeLock('agent', home)) !== null;
  if (!mine) exit(exitCodes.anotherAgent, `Another agent runs in ${home}.`);
  // paths of sockets are short where they are relative
  process.chdir(home);
  // The agent outlives the reader of its output: a closed pipe must not end it.
  process.stdout.on('error', () => undefined);
  const own = ownLines();
  const context = () => {
    const traceparent = activeTraceparent();
    return traceparent === undefined ? undefined : { traceparent };
  };
  const log = createLog({ service: 'node-agent', level: environment.LOG_LEVEL, also: own.add, context });
  const survive = (error: unknown) => log.error('an error was not caught', { error });
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => end());
  if (await hasLeft(home)) return;
  const sealing = await sealingWith(environment.AGENT_SEALING_KEY_FILE);
  if (await isLeaving(home)) return await leaveNow(home, environment, sealing, log);
  const runtimeFolder = environment.AGENT_RUNTIME_DIR;
  await openRuntimeFolder(home, runtimeFolder);
  const { version } = metadata;
  const tracing = await startTracing(environment, { service: 'node-agent', version }, log);

  const clock = createSupervisorClock();
  const jobs = new Jobs(log);
  const listener = environment.AGENT_PRIVATE_ADDRESS
    ? new PrivateListener(() => reachedAt(environment))
    : undefined;
  await listener?.look();
  const listensOn = () => (listener ? listener.address : environment.AGENT_GATEWAY_HOST);
  const gateways = new GatewayManager({
    home,
    host: listensOn,
    portRange: environment.AGENT_GATEWAY_PORTS,
    fixedPorts: environment.AGENT_PROTOCOL_PORTS,
    program: await gatewayProgram(),
    page: () => page.address,
    clockOffset: () => clock.offset,
    log,
  });
  const page: StreamPage = new StreamPage(log, gateways.due.wake);
  const heartbeatDue = new Due();
  const tasksDue = new Due();
  const runtimes = nodeRuntimes(registry, { home, environment: process.env });
  const onChange = () => {
    heartbeatDue.wake();
    tasksDue.wake();
  };
  const connectors = new ConnectorsHost({
    ...{ home, sealing, runtimes, log, program: once(connectorsProgram) },
    sourceLease: () => broker.sourceLease,
    destinations: {
      allowed: environment.AGENT_CONNECTORS_ALLOWED,
      refused: environment.AGENT_CONNECTORS_REFUSED,
    },
    onChange,
  });
  const broker: BrokerReconciler = new BrokerReconciler({
    ...{ home, runtimeFolder, runtimes, log },
    clusterPort: environment.AGENT_CLUSTER_PORT,
    ownLogins: () => connectors.logins,
    forward: async (address) => {
      connectors.setBroker(address);
      page.setBroker(address);
      await gateways.forward(address);
    },
    onChange,
  });
  keepPrograms(jobs, log, { gateways, connectors, listener });
  const pidFile = join(home, 'agent.pid');
  const identified = JSON.stringify({ ...(await identify(process.pid)), build: environment.AGENT_BUILD });
  const [identity] = await Promise.all([
    loadIdentity({ home, sealing, tokenFile: environment.AGENT_TOKEN_FILE, log }),
    broker.findBroker(),
    writePrivateFile(pidFile, identified),
  ]);
  keepBroker(jobs, broker);
  const supervisor = createSupervisor(environment.AGENT_SUPERVISOR_URL, identity, clock);
  log.info('agent started', { pid: process.pid, since_start_ms: Math.round(performance.now()) });

  const tasks = new NodeTasks({
    due: tasksDue,
    runtimes: { broker, connectors: taskRuntime(connectors) },
    journal: await TaskJournal.open(home, log),
    report: (id, result) => supervisor.taskResult(id, result),
    now: () => clock.now(),
    log,
  });
  /** The standard error of a program, which has Node's own words when it ends by an error. */
  const errorsOf = (runtime: 'gateway' | 'connectors') => ({
    ...{ runtime, path: join(home, `${runtime}.log`), most: mostErrors },
    read: (message: string) => ({ at: new Date(), level: 'warn' as const, message }),
  });
  const agentVersion = [version, environment.AGENT_BUILD].filter(Boolean).join('+');
  const stateFile = desiredStateFile(home, sealing);
  const refusalOf = (error: unknown) => (error instanceof SupervisorRefused ? error : null);
  const streams = new StreamReports({
    held: () => broker.heldStreams(),
    send: (part) => supervisor.streams(part),
    now: () => clock.now(),
    ...{ refusalOf, log },
  });
  const watchNode = watchOnDemand(
    {
      ...{ home, clock, own, log, refusalOf },
      send: (batch) => supervisor.telemetry(batch),
      measures: [
        () => broker.measure(),
        () => Promise.resolve(connectorSamples(connectors.report(), connectors.totals)),
      ],
      logs: [{ runtime: 'broker', ...broker.log }, errorsOf('gateway'), errorsOf('connectors')],
    },
    (telemetry) => watch(jobs, telemetry, streams),
  );
  const snapshots = new Snapshots({
    node: (wanted, appliedRevision) => ({
      ...{ home, wanted, appliedRevision, version: agentVersion, clockOffset: clock.offset },
      supervisorUrl: environment.AGENT_SUPERVISOR_URL,
      gatewayHost: listensOn() ?? environment.AGENT_GATEWAY_HOST,
      broker: broker.examined,
      gateways: gateways.statuses,
      ports: gateways.ports,
      connectors: connectors.report(),
    }),
    runtimeChecks: () => broker.checks(),
    report: (id, findings) => supervisor.snapshotFindings(id, findings),
    send: (id, piece) => supervisor.snapshotArchive(id, piece),
    now: () => clock.now(),
    log,
  });
  const setBroker = createTimedBroker({
    now: () => clock.now(),
    log,
    setDesired: (desired) => broker.setDesired(desired),
  });
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const agent = new Agent({
    ...{ supervisor, broker, setBroker, gateways, connectors, page, tasks, snapshots, stateFile, fail, log },
    heartbeatDue: heartbeatDue.wake,
    version: agentVersion,
    watch: watchNode,
    leave: async () => {
      await requestLeaving(home);
      end();
      // the next agent in the folder goes on
      await new Promise(() => undefined);
    },
  });
  const machine =
    environment.AGENT_ADDRESS === undefined ? undefined : machineOf(home, environment, listensOn);
  const begin = async () => {
    await agent.applyKept();
    if (identity.enrolledAs === null) {
      const enrolled = await untilAnswered('enrolment', log, async () => supervisor.enrol(await machine?.()));
      log.info('enrolled', { ...enrolled, since_start_ms: Math.round(performance.now()) });
    }
    followSupervisor(jobs, log, { agent, heartbeatDue, tasks, tasksDue, supervisor, machine });
    return await failed;
  };
  await Promise.race([begin(), ending]);
  // broker and gateway go on, and with them all clients: the next agent finds them, where there can be one
  log.info('ending');
  if (environment.AGENT_ENDS_NODE) await broker.end();
  await rm(pidFile, { force: true });
  await tracing?.stop();
}

async function leaveNow(
  home: string,
  environment: AgentEnvironment,
  sealing: Sealing,
  log: Log,
): Promise<void> {
  const identity = await loadIdentity({ home, sealing, log });
  const supervisor = createSupervisor(environment.AGENT_SUPERVISOR_URL, identity, createSupervisorClock());
  await leave(home, environment.AGENT_RUNTIME_DIR, identity.enrolledAs === null ? null : supervisor, log);
}

const reachedAt = async ({ AGENT_ADDRESS: address = 'auto', AGENT_SUPERVISOR_URL: url }: AgentEnvironment) =>
  address === 'auto' ? await addressTowards(url) : address;

const machineOf =
  (home: string, environment: AgentEnvironment, listensOn: () => string | undefined) => async () => {
    const listens_on = listensOn();
    // a machine with several addresses is reached where it listens
    const isChosen = environment.AGENT_PRIVATE_ADDRESS && (environment.AGENT_ADDRESS ?? 'auto') === 'auto';
    const address = (isChosen ? listens_on : undefined) ?? (await reachedAt(environment));
    return await describeMachine(home, { address, ...(listens_on !== undefined && { listens_on }) });
  };

/** What `make` has made the first time. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => (made ??= make());
}
