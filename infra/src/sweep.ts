import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopLeftoverNats, stopLeftoverPostgres } from '@sluice/embedded';
import { findProcesses, naming, sendSignal } from '@sluice/system';
import type { Home } from './home.ts';
import { stopLeftoverService } from './service-process.ts';

/** Ends whatever a killed launcher has left running on this home, those first that others depend on least. */
export async function sweepLeftovers(home: Home): Promise<void> {
  const services = await readdir(home.path('run'));
  await Promise.all(services.map((file) => stopLeftoverService(home, file)));
  await stopNodes(home);
  await Promise.all([stopLeftoverNats(home.path('nats')), stopLeftoverPostgres(home.path('postgres'))]);
}

const patienceMs = 5_000;

/**
 * Ends all node agents and brokers, which are processes of their own for the folders `nodes/<cloud>/<node id>/`. An
 * agent stops its broker; a broker whose agent is gone is stopped here. They are found by their command lines: one that
 * has just been started has no pid file yet.
 */
export async function stopNodes(home: Home): Promise<void> {
  const ofNodes = naming(home.path('nodes'));
  const brokers = await brokersIn(home);
  const running = await findProcesses(ofNodes);
  const agents = running.filter((pid) => !brokers.has(pid));
  for (const pid of agents.length > 0 ? agents : running) sendSignal(pid, 'SIGTERM');

  const deadline = Date.now() + patienceMs;
  let left = running;
  while (left.length > 0 && Date.now() < deadline) {
    await delay(25);
    left = await findProcesses(ofNodes);
    // brokers that are left alone
    if (left.every((pid) => !agents.includes(pid))) for (const pid of left) sendSignal(pid, 'SIGTERM');
  }
  // agents first: one could start another broker meanwhile
  for (const pid of left.filter((candidate) => agents.includes(candidate))) sendSignal(pid, 'SIGKILL');
  for (const pid of await findProcesses(ofNodes)) sendSignal(pid, 'SIGKILL');
}

async function brokersIn(home: Home): Promise<Set<number>> {
  const files = await readdir(home.path('nodes'), { recursive: true });
  const pidFiles = files.filter((file) => basename(file) === 'broker.pid');
  const pids = await Promise.all(pidFiles.map((file) => readPid(home.path('nodes', file))));
  return new Set(pids);
}

/** The process id in a JSON file with a `pid`; 0 if there is none. */
async function readPid(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(/"pid"\s*:\s*(\d+)/.exec(text)?.[1] ?? 0);
}
