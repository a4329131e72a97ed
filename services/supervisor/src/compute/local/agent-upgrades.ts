import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, type NodeId } from '@sluice/contracts';
import type { Log } from '@sluice/service';
import { isRunning, takeLock, withArgument, type Release } from '@sluice/system';
import { hasEnded } from './agent-process.ts';
import { readAgentRecord, readEnrolment } from './node-folder.ts';

export interface AgentUpgrades {
  nodesFolder: string;
  /** what the agents of this supervisor are built from */
  build: string;
  /** Starts an agent that takes over from the one at work. */
  start: (node: NodeId) => Promise<ChildProcess>;
  /** aborted when the supervisor ends */
  stopping: AbortSignal;
  log: Log;
}

/** Agents that are replaced at the same time. */
const atOnce = 4;
const lookEvery = 60_000;
const lockEvery = 1_000;
/** How long a new agent may take to be at work. Milliseconds. */
const takeOverLimit = 30_000;

/**
 * Replaces agents that were built from something else than this supervisor's, a few at a time, and none further for a
 * minute where one did not come up. Of the supervisors on this machine the one that was first does so, until it ends: those
 * of two releases beside each other would replace each other's agents for ever.
 */
export async function keepAgentsCurrent(options: AgentUpgrades): Promise<void> {
  const { nodesFolder, stopping, log } = options;
  const release = await lockOf(nodesFolder, stopping);
  while (!stopping.aborted) {
    try {
      await replaceOutdated(options);
    } catch (error) {
      log.warn('agents could not be replaced; it will be tried again', { error });
    }
    await pause(lookEvery, stopping);
  }
  await release?.();
}

async function lockOf(folder: string, stopping: AbortSignal): Promise<Release | null> {
  while (!stopping.aborted) {
    const release = await takeLock('agent-upgrades', folder);
    if (release !== null) return release;
    await pause(lockEvery, stopping);
  }
  return null;
}

async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping, ref: false }).catch(() => undefined);
}

async function replaceOutdated(options: AgentUpgrades): Promise<void> {
  const nodes = (await readdir(options.nodesFolder)).filter((name) => /^\d+$/.test(name)).map(Number);
  const outdated: number[] = [];
  for (const node of nodes) if (await isOutdated(options, node)) outdated.push(node);
  while (outdated.length > 0 && !options.stopping.aborted) {
    await Promise.all(outdated.splice(0, atOnce).map((node) => replace(options, idOf<NodeId>(node))));
  }
}

async function isOutdated({ nodesFolder, build }: AgentUpgrades, node: number): Promise<boolean> {
  const folder = join(nodesFolder, String(node));
  const record = await readAgentRecord(folder);
  if (record === undefined || record.build === build) return false;
  return await isRunning(record.pid, withArgument(folder));
}

/** @throws Error when the new agent does not come to work */
async function replace({ nodesFolder, build, start, log }: AgentUpgrades, node: NodeId): Promise<void> {
  const folder = join(nodesFolder, String(node));
  // one that has not enrolled yet has just been started
  const enrolment = await readEnrolment(folder);
  if (enrolment === undefined) return;
  const child = await start(node);
  const deadline = performance.now() + takeOverLimit;
  while ((await readAgentRecord(folder))?.pid !== child.pid) {
    if (hasEnded(child) || performance.now() > deadline)
      throw new Error(`the new agent of node ${node} has not taken over`);
    await sleep(50);
  }
  log.info('an agent was replaced', { node, pid: child.pid, build });
}
