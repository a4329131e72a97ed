import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isOurs, sendSignal, stopLeftoverNats, stopLeftoverPostgres } from '@sluice/embedded';
import type { Home } from './home.ts';
import { stopLeftoverService } from './service-process.ts';

/** Ends whatever a killed launcher has left running on this home, those first that others depend on least. */
export async function sweepLeftovers(home: Home): Promise<void> {
  const services = await readdir(home.path('run'));
  await Promise.all(services.map((file) => stopLeftoverService(home, file)));
  await stopNodes(home);
  await Promise.all([stopLeftoverNats(home.path('nats')), stopLeftoverPostgres(home.path('postgres'))]);
}

interface NodeProcess {
  pid: number;
  /** its node's folder, which its command line names */
  folder: string;
}

const patienceMs = 5_000;

/**
 * Ends all node agents and brokers, which are processes of their own in `nodes/<cloud>/<node id>/`. An agent stops its
 * broker; a broker whose agent is gone is stopped here.
 */
export async function stopNodes(home: Home): Promise<void> {
  const folders = await nodeFolders(home);
  const agents = await running(folders, 'agent.pid');
  const brokers = await running(folders, 'broker.pid');
  const agentless = brokers.filter(({ folder }) => !agents.some((agent) => agent.folder === folder));
  for (const { pid } of [...agents, ...agentless]) sendSignal(pid, 'SIGTERM');

  const deadline = Date.now() + patienceMs;
  let left = await stillRunning([...agents, ...brokers]);
  while (left.length > 0 && Date.now() < deadline) {
    await delay(25);
    left = await stillRunning(left);
  }
  // an agent may have started another broker meanwhile: agents first
  for (const { pid } of await stillRunning(agents)) sendSignal(pid, 'SIGKILL');
  for (const { pid } of await running(folders, 'broker.pid')) sendSignal(pid, 'SIGKILL');
}

async function nodeFolders(home: Home): Promise<string[]> {
  const foldersIn = async (parent: string) =>
    (await readdir(parent, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(parent, entry.name));
  const clouds = await foldersIn(home.path('nodes'));
  return (await Promise.all(clouds.map(foldersIn))).flat();
}

async function running(folders: readonly string[], pidFile: string): Promise<NodeProcess[]> {
  const written = await Promise.all(
    folders.map(async (folder) => ({ folder, pid: await readPid(join(folder, pidFile)) })),
  );
  return await stillRunning(written.filter(({ pid }) => pid > 0));
}

async function stillRunning(processes: readonly NodeProcess[]): Promise<NodeProcess[]> {
  const states = await Promise.all(processes.map(({ pid, folder }) => isOurs(pid, folder)));
  return processes.filter((_, index) => states[index]);
}

/** The process id in a file that holds either just that or JSON with a `pid`; 0 if there is none. */
async function readPid(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(/^\s*(?:\{.*?"pid"\s*:\s*)?(\d+)/s.exec(text)?.[1] ?? 0);
}
