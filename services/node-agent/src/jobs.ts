import { retry } from '@sluice/controller/retry';
import { Jobs } from '@sluice/controller/jobs';
import type { Machine } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { Agent } from './agent.ts';
import type { BrokerReconciler } from './broker/broker-reconciler.ts';
import type { ConnectorsHost } from './connectors/connectors-host.ts';
import type { Due } from './due.ts';
import type { GatewayManager } from './gateway-manager/gateway-manager.ts';
import type { PrivateListener } from './listening-address.ts';
import { changedMachine } from './machine.ts';
import { awayPause, supervisorAnswers } from './supervisor/answers.ts';
import type { Supervisor } from './supervisor/client.ts';
import type { NodeTasks } from './tasks/node-tasks.ts';
import type { StreamReports } from './telemetry/stream-reports.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

/** All that an agent repeats. What it does once, at a time, has a timer in its own part. */

/** The programs of the node: kept from the start on, whether the supervisor answers or not. */
export function keepPrograms(jobs: Jobs, log: Log, { gateways, connectors, listener }: Programs): void {
  gateways.due.connect(
    jobs.add({
      name: 'gateway',
      // shows a gateway that hangs, and gives it the newest clock offset
      every: 10,
      retry: { first: 50, cap: 5_000 },
      run: () => gateways.converge(),
      failed: (error) =>
        void log.error('the state of the gateway could not be applied', { reason: reasonOf(error) }),
    }),
  );
  connectors.due.connect(
    jobs.add({
      name: 'connectors',
      // shows a runtime that hangs; where sources work by a lease, it has to be renewed
      every: () => (connectors.hasLease ? 1.5 : 10),
      retry: { first: 100, cap: 10_000 },
      run: () => connectors.converge(),
      failed: (error) => connectors.failed(error),
    }),
  );
  if (listener) jobs.add({ name: 'listening address', every: 60, run: () => listener.look() });
}

/** The broker: begun once a broker of a former agent was looked for. */
export function keepBroker(jobs: Jobs, broker: BrokerReconciler): void {
  broker.due.connect(
    jobs.add({ name: 'broker', every: () => broker.pauseMs / 1_000, run: () => broker.takeStep() }),
  );
}

/** What the agent and its supervisor exchange; begun once the agent has enrolled. */
export function followSupervisor(
  jobs: Jobs,
  log: Log,
  { agent, heartbeatDue, tasks, tasksDue, supervisor, machine }: Following,
): void {
  const poll = supervisorAnswers('poll', log);
  jobs.add({
    name: 'desired state',
    // an answer that brings nothing new should have been held back: a supervisor that errs is not asked in a rush
    every: () => (agent.isIdle ? 1 : 0),
    retry: awayPause,
    run: () => agent.poll(poll),
    failed: poll.failed,
  });
  const heartbeat = supervisorAnswers('heartbeat', log);
  heartbeatDue.connect(
    jobs.add({
      name: 'heartbeat',
      every: () => agent.heartbeatSeconds,
      retry: awayPause,
      run: () => heartbeat.of(() => agent.heartbeat()),
      failed: heartbeat.failed,
    }),
  );
  tasksDue.connect(
    jobs.add({
      name: 'tasks',
      every: () => (tasks.isWaiting ? 1 : Infinity),
      retry: awayPause,
      run: () => tasks.run(),
      // each task has its line
      failed: () => undefined,
    }),
  );
  if (machine)
    jobs.add({ name: 'machine', every: 60, run: changedMachine(machine, (now) => supervisor.machine(now)) });
}

/** Telemetry: begun when the supervisor wants it. */
export function watch(jobs: Jobs, telemetry: Telemetry, streams: StreamReports): void {
  jobs.add({ name: 'telemetry', every: 1, run: () => telemetry.collect() });
  jobs.add({
    name: 'streams',
    every: () => telemetry.metricsSeconds,
    retry: { first: 500, cap: 30_000 },
    run: () => streams.report(),
    failed: (error) => streams.failed(error),
  });
  telemetry.sendDue.connect(
    jobs.add({
      name: 'telemetry batches',
      every: 60,
      retry: { first: 500, cap: 30_000 },
      run: () => telemetry.send(),
      failed: (error) => telemetry.sendFailed(error),
    }),
  );
}

export async function untilAnswered<T>(what: string, log: Log, ask: () => Promise<T>): Promise<T> {
  const answers = supervisorAnswers(what, log);
  return await retry(() => answers.of(ask), { pause: awayPause, failed: answers.failed });
}

interface Programs {
  gateways: GatewayManager;
  connectors: ConnectorsHost;
  /** absent where the address to listen on is configured */
  listener: PrivateListener | undefined;
}

interface Following {
  agent: Agent;
  heartbeatDue: Due;
  tasks: NodeTasks;
  tasksDue: Due;
  supervisor: Supervisor;
  /** absent where the supervisor has made the machine */
  machine: (() => Promise<Machine>) | undefined;
}
