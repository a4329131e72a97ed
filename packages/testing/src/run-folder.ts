import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopLeftoverNats, stopLeftoverPostgres } from '@sluice/embedded';
import { identify } from '@sluice/system';
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

/** Stops every server that still runs on a subfolder, and removes the folder. */
export async function removeRunFolder(folder: string): Promise<void> {
  const servers = await readdir(folder).catch(() => []);
  await Promise.all(
    servers
      .map((server) => join(folder, server))
      .flatMap((server) => [stopLeftoverPostgres(server), stopLeftoverNats(server)]),
  );
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
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
