import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runAgent } from './agent.ts';
import { createBell } from './bell.ts';
import { BrokerKeeper } from './broker/keeper.ts';
import { ConfigurationError, readConfig, type Config } from './config.ts';
import { Gateway } from './gateway/gateway.ts';
import { createLog, reasonOf } from './log.ts';
import { writePrivately } from './machine/files.ts';
import { takeLock } from './machine/lock.ts';
import { identify } from './machine/processes.ts';
import { createNatsRuntime } from './runtimes/nats/nats-runtime.ts';
import { createSupervisor } from './supervisor/client.ts';
import { desiredStateFile } from './supervisor/desired-state.ts';
import { loadIdentity } from './supervisor/identity.ts';

/** Exit codes, besides 0 after SIGTERM or SIGINT and 1 after a failure. */
const exitCodes = { configuration: 2, anotherAgent: 3 };

function endWith(code: number, sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

async function main(config: Config): Promise<void> {
  await mkdir(config.home, { recursive: true, mode: 0o700 });
  const home = await realpath(config.home);
  if (!(await takeLock(home))) endWith(exitCodes.anotherAgent, `Another agent runs in ${home}.`);
  // The agent outlives whoever reads its output: a closed pipe must not end it.
  process.stdout.on('error', () => undefined);
  const log = createLog(config.logLevel);
  const pidFile = join(home, 'agent.pid');
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => end());

  const news = createBell();
  const runtime = createNatsRuntime({ home, program: config.natsServer });
  const keeper = new BrokerKeeper({ home, runtime, log, onChange: () => news.ring() });
  const gateway = new Gateway({
    host: config.gatewayHost,
    portsFile: join(home, 'gateway-ports.json'),
    protocols: runtime.protocols,
    brokerPort: (protocol) => keeper.port(protocol),
    log,
  });
  const [identity, ports] = await Promise.all([
    loadIdentity(home),
    gateway.open(),
    keeper.begin(),
    writePrivately(pidFile, JSON.stringify(await identify(process.pid))),
  ]);
  const supervisor = createSupervisor(config.supervisorUrl, identity);
  log.info('agent started', { pid: process.pid, ports, since_start_ms: Math.round(performance.now()) });

  const { advertisedHost } = config;
  const kept = desiredStateFile(home);
  const agent = { supervisor, keeper, gateway, ports, advertisedHost, kept, news, log };
  await Promise.race([runAgent(agent, identity.enrolledAs !== null), ending]);
  log.info('ending');
  await Promise.all([gateway.close(), keeper.stop()]);
  await rm(pidFile, { force: true });
}

try {
  await main(readConfig(process.env));
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigurationError) endWith(exitCodes.configuration, error.message);
  endWith(1, `The agent can't go on: ${reasonOf(error)}`);
}
