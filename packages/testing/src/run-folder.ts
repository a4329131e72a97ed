import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopLeftoverNats, stopLeftoverPostgres } from '@sluice/embedded';
import { identify, isRunning, sendSignal } from '@sluice/system';
import { folderInMemory, sharedMemory } from './folder-in-memory.ts';

/**
 * Everything that the servers of one test run keep on disk is in one folder, one subfolder per server: so the end of
 * the run, or a later run if this one is killed, can stop them all.
 */

const prefix = 'sluice-test-';

export async function createRunFolder(): Promise<string> {
  await sweepKilledRuns();
  return await mkdtemp(join(folderInMemory() ?? tmpdir(), `${prefix}${process.pid}-`));
}

/** where the stack that the files of a run share is */
export const stackHome = (folder: string) => join(folder, 'stack-of-run');
/** has the id of the process that it was launched by, which leads a group */
export const launchFile = (folder: string) => join(folder, 'stack-of-run.pid');

/** Stops every server that still runs on a subfolder, and removes the folder. */
export async function removeRunFolder(folder: string): Promise<void> {
  await endStack(folder);
  const servers = await readdir(folder).catch(() => []);
  await Promise.all(
    servers
      .map((server) => join(folder, server))
      .flatMap((server) => [stopLeftoverPostgres(server), stopLeftoverNats(server)]),
  );
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** in which a stack ends with all that it has started */
const endMilliseconds = 30_000;

/** Ends the stack that the files of a run share, if there is one. */
export async function endStack(folder: string): Promise<void> {
  const pid = Number(await readFile(launchFile(folder), 'utf8').catch(() => ''));
  const isLaunched = async () => pid > 0 && (await isRunning(pid, ({ text }) => text.startsWith('npm')));
  if (!(await isLaunched())) return;
  // Ctrl-C in a terminal reaches the whole group
  sendSignal(-pid, 'SIGINT');
  const deadline = Date.now() + endMilliseconds;
  while (Date.now() < deadline && (await isLaunched())) await delay(50);
  if (await isLaunched()) sendSignal(-pid, 'SIGKILL');
}

async function sweepKilledRuns(): Promise<void> {
  for (const parent of new Set([tmpdir(), sharedMemory])) await sweepKilledRunsIn(parent);
}

async function sweepKilledRunsIn(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || (await identify(Number(pid))) !== null) continue;
    const folder = join(parent, name);
    const owner = (await stat(folder).catch(() => undefined))?.uid;
    if (owner !== undefined && owner === process.getuid?.()) await removeRunFolder(folder);
  }
}
