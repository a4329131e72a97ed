import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { endProcess, giveToUnprivileged, naming, writePrivateFile } from '@sluice/system';
import { CannotStart } from './cannot-start.ts';
import { natsConfiguration, type NatsUser } from './nats-configuration.ts';
import { natsServerProgram } from './nats-program.ts';
import { leavingRoot } from './leaving-root.ts';
import { ownFolder } from './own-folder.ts';
import { freePort } from './ports.ts';
import { endChild, launch, waitUntilReady, type Launch, type ServerProcess } from './server-process.ts';

export interface NatsOptions {
  /** belongs to this server alone: its streams, log and process id */
  folder: string;
  /** default: any free one */
  port?: number;
  /** the path of nats-server; default: `natsServerProgram()` */
  program?: string;
  /** who may connect, and do what; default: anybody, everything */
  users?: readonly NatsUser[] | undefined;
  /** what its configuration says besides */
  configuration?: Record<string, unknown> | undefined;
  /** whether it can be asked for its health, at a port of its own on the loopback interface */
  monitored?: boolean;
}

const stopSignals = ['SIGTERM', 'SIGKILL'] as const;

/**
 * Starts nats-server with JetStream on 127.0.0.1 with the streams in `folder`, which is created if need be; a server
 * that a former run left behind on it is stopped first. Throws `CannotStart`.
 */
export async function startNats({
  folder,
  port,
  program,
  users,
  configuration,
  monitored = false,
}: NatsOptions): Promise<ServerProcess> {
  const home = await ownFolder(folder, 'nats-server');
  await stopLeftoverNats(home);
  program ??= await natsServerProgram();
  await giveToUnprivileged(home);
  // put there by a person who restores a backup
  for (const part of ['store', 'store/jetstream']) await giveToUnprivileged(join(home, part));
  await writePrivateFile(join(home, 'nats.conf'), natsConfiguration(users, configuration));
  if (port !== undefined) return await startOn(port, home, program, monitored);

  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), home, program, monitored);
    } catch (error) {
      // another process took the port meanwhile
      if (
        attempt === 3 ||
        !(error instanceof CannotStart && error.message.includes('address already in use'))
      ) {
        throw error;
      }
    }
  }
}

/** Stops the nats-server that a former, killed run left behind on `folder`; does nothing if there is none. */
export async function stopLeftoverNats(folder: string): Promise<void> {
  const home = resolve(folder);
  const pid = Number.parseInt(await readFile(join(home, 'nats.pid'), 'utf8').catch(() => ''), 10);
  if (Number.isInteger(pid)) await endProcess(pid, naming(join(home, 'store')), stopSignals);
}

async function startOn(
  port: number,
  home: string,
  program: string,
  monitored: boolean,
): Promise<ServerProcess> {
  const monitorPort = monitored ? await freePort() : undefined;
  const [command, args] = leavingRoot(
    program,
    [
      ...['--config', join(home, 'nats.conf')],
      ...['--addr', '127.0.0.1', '--port', String(port)],
      ...['--jetstream', '--store_dir', join(home, 'store')],
      ...['--pid', join(home, 'nats.pid')],
      ...(monitorPort === undefined ? [] : ['--http_port', String(monitorPort)]),
    ],
    'dac_read_search',
  );
  const plan: Launch = { name: 'nats-server', command, args, logFile: join(home, 'nats.log') };
  const { child, exited } = launch(plan);
  const stop = () => endChild(child, exited, stopSignals, 5_000);
  try {
    await waitUntilReady(plan, exited, () => greetsWithJetStream(port));
  } catch (error) {
    await stop();
    throw error;
  }
  const running = { pid: child.pid ?? 0, port, url: `nats://127.0.0.1:${port}`, exited, stop };
  return monitorPort === undefined ? running : { ...running, isHealthy: () => saysHealthy(monitorPort) };
}

/** A server whose JetStream has ended, as by a full disk, still takes connections; its own check of health tells. */
async function saysHealthy(monitorPort: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${monitorPort}/healthz`, {
      signal: AbortSignal.timeout(2_000),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** A NATS server introduces itself to every connection with one line: `INFO {…}`. */
async function greetsWithJetStream(port: number): Promise<boolean> {
  return await new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    let greeting = '';
    const done = (ready: boolean) => {
      socket.destroy();
      answer(ready);
    };
    socket.setTimeout(2_000, () => done(false));
    socket.on('error', () => done(false));
    socket.on('close', () => done(false));
    socket.on('data', (chunk) => {
      greeting += chunk.toString();
      if (greeting.includes('\r\n')) done(/^INFO .*"jetstream":\s*true/.test(greeting));
    });
  });
}
