import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcesses, readIfPresent, withArgument, writePrivateFile } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { untilAnswered } from './jobs.ts';
import type { Supervisor } from './supervisor/client.ts';

/**
 * The end of a node on a customer's machine. It is begun by an agent that ends, and done by the next one in the folder before that does
 * anything else, so an agent that is killed on the way is no other case.
 */

/** file of the folder from the request until all is gone */
const request = 'leaving';
/** file that is left in it then, for what keeps agents running here */
const done = 'left';

export async function requestLeaving(home: string): Promise<void> {
  await writePrivateFile(join(home, request), '');
}

const isThere = async (home: string, name: string) => (await readIfPresent(join(home, name))) !== null;

export const hasLeft = (home: string) => isThere(home, done);
export const isLeaving = (home: string) => isThere(home, request);

/** Ends the node's programs, removes what it has stored, and reports to the supervisor that nothing is left. */
export async function leave(
  home: string,
  runtimeFolder: string,
  supervisor: Supervisor | null,
  log: Log,
): Promise<void> {
  // what keeps clients: the gateways first
  for (const name of ['gateway', 'connectors', 'broker.conf'])
    await endProcesses(withArgument(join(home, name)));
  await rm(runtimeFolder, { recursive: true, force: true, maxRetries: 5 });
  const kept = new Set([request, 'identity.json']);
  for (const name of await readdir(home))
    if (!kept.has(name)) await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  if (supervisor !== null) await untilAnswered('the departure', log, () => supervisor.departure());
  await rm(join(home, 'identity.json'), { force: true });
  await writePrivateFile(join(home, done), '');
  await rm(join(home, request), { force: true });
  log.info('the node has left this machine');
}
