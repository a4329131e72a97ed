import { readdir } from 'node:fs/promises';
import { stopLeftoverNats, stopLeftoverPostgres } from '@sluice/embedded';
import { endProcesses, naming, withArgument } from '@sluice/system';
import type { Home } from './home.ts';
import { stopLeftoverService } from './service-process.ts';

/** Ends what a killed launcher has left running on this home, dependants first. */
export async function sweepLeftovers(home: Home): Promise<void> {
  const services = await readdir(home.path('run'));
  await Promise.all(services.map((file) => stopLeftoverService(home, file)));
  await stopNodes(home);
  await Promise.all([stopLeftoverNats(home.path('nats')), stopLeftoverPostgres(home.path('postgres'))]);
}

/**
 * Ends all node agents, gateways and brokers, which are processes of their own for the folders `nodes/<cloud>/<node id>/`.
 * They are found by their command lines: one that has just been started has no pid file yet. Agents, which have the folder
 * itself among their arguments, come first: one could start another broker meanwhile.
 */
export async function stopNodes(home: Home): Promise<void> {
  const clouds = await readdir(home.path('nodes'));
  const folders = await Promise.all(
    clouds.map(async (cloud) =>
      (await readdir(home.path('nodes', cloud))).map((node) => home.path('nodes', cloud, node)),
    ),
  );
  const agents = folders.flat().map((folder) => withArgument(folder));
  // what survives even SIGKILL must not keep all else from ending
  await endProcesses((line) => agents.some((isAgent) => isAgent(line))).catch(console.error);
  await endProcesses(naming(home.path('nodes'))).catch(console.error);
}
