import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { freePort, startNats, startPostgres, type NatsUser, type ServerProcess } from '@sluice/embedded';
import { sendSignal } from '@sluice/system';
import { testFolder } from './folder.ts';
import { preparePostgres } from './prepared-postgres.ts';

/** A server of one test alone, to be taken away from the program under test. Always embedded. */
export interface OwnServer {
  /** the same through all stops and starts */
  url: string;
  port: number;
  /** where its data is */
  folder: string;
  /** ends it in an orderly way */
  stop(): Promise<void>;
  /** ends it as a power cut would */
  kill(): Promise<void>;
  /** starts it again after `stop` or `kill`, on the same port with the same data */
  start(): Promise<void>;
  /** ends it as a power cut would, takes its data away, and starts it again */
  wipe(): Promise<void>;
  /**
   * Stops it, copies its data and starts it again.
   * @returns ends it as a power cut would and starts it again with that data
   */
  backUp(): Promise<() => Promise<void>>;
  /** lets it hang: its connections stay open, but nothing answers */
  pause(): void;
  resume(): void;
  /** ends it and removes its data */
  remove(): Promise<void>;
}

/**
 * A NATS server with JetStream of the caller's own, for tests of outages; only `users` may connect, if there are any.
 * @param configuration what its configuration says besides
 */
export async function ownNats(
  users?: readonly NatsUser[],
  configuration?: Record<string, unknown>,
): Promise<OwnServer> {
  return await ownServer((folder, port) => startNats({ folder, port, users, configuration }));
}

/** A PostgreSQL server of the caller's own, for tests of outages; the URL is its superuser's. */
export async function ownPostgres(): Promise<OwnServer> {
  return await ownServer((folder, port) => startPostgres({ folder, port, durable: false }), preparePostgres);
}

const run = promisify(execFile);

/** With their owners: PostgreSQL's files are another user's where the tests run as root. */
async function copyAll(from: string, to: string): Promise<void> {
  await run('cp', ['-a', '-T', from, to]);
}

async function ownServer(
  startOn: (folder: string, port: number) => Promise<ServerProcess>,
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<OwnServer> {
  const folder = await testFolder();
  await prepare(folder);
  const port = await freePort();
  let current = await startOn(folder, port);
  const signal = (name: NodeJS.Signals) => sendSignal(current.pid, name);
  const kill = async () => {
    signal('SIGKILL');
    await current.exited;
  };
  const stop = async () => {
    signal('SIGCONT');
    await current.stop();
  };
  const start = async () => {
    current = await startOn(folder, port);
  };
  const removeData = () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  const wipe = async () => {
    await kill();
    await removeData();
    await start();
  };
  const backUp = async () => {
    const copy = await testFolder();
    await stop();
    await copyAll(folder, copy);
    await start();
    return async () => {
      await kill();
      await removeData();
      await copyAll(copy, folder);
      await start();
    };
  };
  return {
    url: current.url,
    port,
    folder,
    stop,
    kill,
    start,
    wipe,
    backUp,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    remove: async () => {
      await kill();
      await removeData();
    },
  };
}
