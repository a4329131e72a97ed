import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, identify, readConfig, reasonOf, takeLock, writePrivateFile } from '@sluice/system';
import { createLog } from '@sluice/system/log';
import { runAgent } from './agent.ts';
import { BrokerReconciler } from './broker/broker-reconciler.ts';
import { agentEnvironment, type AgentEnvironment } from './config.ts';
import { Gateway } from './gateway/gateway.ts';
import { nodeRuntimes } from './runtimes/node-runtimes.ts';
import type { RuntimeRegistry } from './runtimes/runtime.ts';
import { createSupervisor } from './supervisor/client.ts';
import { createSupervisorClock } from './supervisor/clock.ts';
import { desiredStateFile } from './supervisor/desired-state.ts';
import { loadIdentity } from './supervisor/identity.ts';
import { createWakeSignal } from './wake-signal.ts';

/** Exit codes, besides 0 after SIGTERM or SIGINT and 1 after a failure. */
const exitCodes = { configuration: 2, anotherAgent: 3 };

/** Runs this process as an agent that can run brokers of these runtimes, until it is told to end. */
export async function startAgent(runtimes: RuntimeRegistry): Promise<never> {
  try {
    await run(readConfig(agentEnvironment), runtimes);
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
  await mkdir(environment.AGENT_HOME, { recursive: true, mode: 0o700 });
  const home = await realpath(environment.AGENT_HOME);
  if ((await takeLock('agent', home)) === null)
    exit(exitCodes.anotherAgent, `Another agent runs in ${home}.`);
  // The agent outlives whoever reads its output: a closed pipe must not end it.
  process.stdout.on('error', () => undefined);
  const log = createLog({ service: 'node-agent', level: environment.LOG_LEVEL });
  // all connections of clients lead through this process: a mistake in one of its callbacks must not cut them
  const survive = (error: unknown) => log.error('an error was not caught', { error });
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  const pidFile = join(home, 'agent.pid');
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => end());

  const heartbeatDue = createWakeSignal();
  const runtimes = nodeRuntimes(registry, { home, environment: process.env });
  const broker = new BrokerReconciler({ home, runtimes, log, onChange: () => heartbeatDue.wake() });
  const gateway = new Gateway({
    host: environment.AGENT_GATEWAY_HOST,
    portsFile: join(home, 'gateway-ports.json'),
    brokerPort: (protocol) => broker.port(protocol),
    log,
  });
  const [identity] = await Promise.all([
    loadIdentity(home),
    broker.start(),
    writePrivateFile(pidFile, JSON.stringify(await identify(process.pid))),
  ]);
  const supervisor = createSupervisor(environment.AGENT_SUPERVISOR_URL, identity, createSupervisorClock());
  log.info('agent started', { pid: process.pid, since_start_ms: Math.round(performance.now()) });

  const stateFile = desiredStateFile(home);
  const agent = { supervisor, broker, gateway, stateFile, heartbeatDue, log };
  await Promise.race([runAgent(agent, identity.enrolledAs !== null), ending]);
  log.info('ending');
  await Promise.all([gateway.close(), broker.stop()]);
  await rm(pidFile, { force: true });
}
