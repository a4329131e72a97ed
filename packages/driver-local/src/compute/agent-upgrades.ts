import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, type NodeId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/system/log';
import { isRunning, takeLock, withArgument } from '@sluice/system';
import { hasEnded } from './agent-process.ts';
import { readAgentRecord, readEnrolment } from './node-folder.ts';

export interface AgentUpgrades {
  nodesFolder: string;
  /** what the agents of this supervisor are built from */
  build: string;
  start: (node: NodeId) => Promise<ChildProcess>;
  log: Log;
}

/** Agents that are replaced at the same time. */
const atOnce = 4;
const seconds = { look: 60, lock: 1 };
/** How long a new agent may take to be at work. Milliseconds. */
const takeOverLimit = 30_000;

/**
 * Replaces agents that were built from something else than this supervisor's, a few at a time, and none further for a
 * minute where one did not come up. Of the supervisors on this machine the one that was first does so, until it ends: those
 * of two releases beside each other would replace each other's agents for ever.
 */
export function agentUpgradesJob(options: AgentUpgrades): Job {
  let isFirst = false;

  async function lock(signal: AbortSignal): Promise<void> {
    const release = await takeLock('agent-upgrades', options.nodesFolder);
    if (release === null) return;
    isFirst = true;
    signal.addEventListener('abort', () => void release(), { once: true });
    if (signal.aborted) await release();
  }

  return {
    name: 'agent_upgrades',
    every: () => (isFirst ? seconds.look : seconds.lock),
    async run(signal) {
      if (!isFirst) await lock(signal);
      if (isFirst) await replaceOutdated(options, signal);
    },
  };
}

async function replaceOutdated(options: AgentUpgrades, stopping: AbortSignal): Promise<void> {
  const nodes = (await readdir(options.nodesFolder)).filter((name) => /^\d+$/.test(name)).map(Number);
  const outdated: number[] = [];
  for (const node of nodes) if (await isOutdated(options, node)) outdated.push(node);
  while (outdated.length > 0 && !stopping.aborted) {
    await Promise.all(
      outdated.splice(0, atOnce).map((node) => replace(options, idOf<NodeId>(node), stopping)),
    );
  }
}

async function isOutdated({ nodesFolder, build }: AgentUpgrades, node: number): Promise<boolean> {
  const folder = join(nodesFolder, String(node));
  const record = await readAgentRecord(folder);
  if (record === undefined || record.build === build) return false;
  return await isRunning(record.pid, withArgument(folder));
}

/** @throws Error when the new agent does not come to work */
async function replace(
  { nodesFolder, build, start, log }: AgentUpgrades,
  node: NodeId,
  stopping: AbortSignal,
): Promise<void> {
  const folder = join(nodesFolder, String(node));
  // one that has not enrolled yet has just been started
  const enrolment = await readEnrolment(folder);
  if (enrolment === undefined) return;
  const child = await start(node);
  const deadline = performance.now() + takeOverLimit;
  while ((await readAgentRecord(folder))?.pid !== child.pid) {
    if (stopping.aborted) return;
    if (hasEnded(child) || performance.now() > deadline)
      throw new Error(`the new agent of node ${node} has not taken over`);
    await sleep(50);
  }
  log.info('an agent was replaced', { node, pid: child.pid, build });
}
