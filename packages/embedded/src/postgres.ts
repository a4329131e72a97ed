import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, identify, isRunning, naming } from '@sluice/system';
import pg from 'pg';
import { CannotStart } from './cannot-start.ts';
import { ownFolder } from './own-folder.ts';
import { freePort } from './ports.ts';
import { cleanEnvironment, ensureCluster, postgresBinaries, superuser } from './postgres-cluster.ts';
import { endChild, launch, waitUntilReady, type Launch, type ServerProcess } from './server-process.ts';
import { leavingRoot } from './leaving-root.ts';

export interface PostgresOptions {
  /** belongs to this server alone: its data, password and log */
  folder: string;
  /** default: any free one */
  port?: number;
  /** false: faster, and what is committed survives a kill of the server but no crash of the machine; for tests */
  durable?: boolean;
  /** true: its URL leads to a socket in `folder`, which costs a client less than TCP; it listens at its port all the same */
  socket?: boolean;
}

/** fast (disconnect everybody), immediate (as after a crash), by force */
/** of the server of a test run, which has hundreds of small databases; what is committed outlives a crash of the server */
const shortLived = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', jit: 'off' };

const stopSignals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

/**
 * Starts PostgreSQL on 127.0.0.1 with the data in `folder`, which is created if need be; a server that a former run
 * left behind on it is stopped first. Its URL is the superuser's. Throws `CannotStart`.
 */
export async function startPostgres({
  folder,
  port,
  durable = true,
  socket = false,
}: PostgresOptions): Promise<ServerProcess> {
  const home = await ownFolder(folder, 'PostgreSQL');
  await stopLeftoverPostgres(home);
  const password = await ensureCluster(home);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(port ?? (await freePort()), home, password, { durable, socket });
    } catch (error) {
      if (attempt === 20 || !isPassing(error, port === undefined)) throw error;
      await delay(100);
    }
  }
}

function isPassing(error: unknown, anyPort: boolean): boolean {
  if (!(error instanceof CannotStart)) return false;
  // the children of a killed server take a moment to notice, and PostgreSQL rightly waits for them
  if (error.message.includes('pre-existing shared memory')) return true;
  // another process took the free port meanwhile
  return anyPort && error.message.includes('TCP/IP sockets');
}

/** Stops the PostgreSQL that a former, killed run left behind on `folder`; does nothing if there is none. */
export async function stopLeftoverPostgres(folder: string): Promise<void> {
  const dataFolder = join(resolve(folder), 'data');
  const pidFile = join(dataFolder, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!Number.isInteger(pid)) return;
  const ours = naming(dataFolder);
  if (await isRunning(pid, ours)) await endProcess(pid, ours, stopSignals);
  // PostgreSQL would take another program of ours that now has this process id for its former self
  else if ((await identify(pid)) !== null) await rm(pidFile, { force: true });
}

async function startOn(
  port: number,
  home: string,
  password: string,
  { durable, socket }: { durable: boolean; socket: boolean },
): Promise<ServerProcess> {
  const address = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
  const url = socket ? `${address}?host=${encodeURIComponent(home)}` : address;
  const { postgres } = await postgresBinaries();
  const [command, args] = leavingRoot(
    postgres,
    [
      ...['-D', join(home, 'data'), '-p', String(port), '-k', socket ? home : ''],
      ...settings({
        listen_addresses: '127.0.0.1',
        shared_buffers: '64MB',
        timezone: 'UTC',
        log_timezone: 'UTC',
        // the server of a test run has several test files at a time, with several services each
        ...(durable ? { max_connections: '200' } : { max_connections: '400', ...shortLived }),
      }),
    ],
    'dac_override',
  );
  const plan: Launch = {
    name: 'PostgreSQL',
    command,
    args,
    env: cleanEnvironment,
    logFile: join(home, 'postgres.log'),
  };
  const { child, exited } = launch(plan);
  const stop = () => endChild(child, exited, stopSignals, 5_000);
  try {
    await waitUntilReady(plan, exited, () => accepts(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, port, url, exited, stop };
}

const settings = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Whether the server takes connections; throws if it does, but refuses ours for good. */
async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new CannotStart('PostgreSQL does not know the password that is kept beside its data folder.');
    }
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
