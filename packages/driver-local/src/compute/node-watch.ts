import { join } from 'node:path';
import type { NodeId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { isRunning, withArgument } from '@sluice/system';
import { listNodeFolders, readAgentRecord } from './node-folder.ts';

export interface NodeWatchOptions {
  nodesFolder: string;
  /** Called with the nodes whose agent has ended, or whose folder is gone. */
  changed: (nodes: readonly NodeId[]) => void;
}

/** agents that are looked at closely each time, in turn: a pid may live on as another process, or as a zombie */
const closely = 100;

type KnownAgents = Map<NodeId, number | null>;

/**
 * Notices within a second that an agent ends, whichever process had started it, by asking the system for the pids that agents have
 * written down: for thousands of nodes that costs some milliseconds.
 */
export function nodeWatchJob({ nodesFolder, changed }: NodeWatchOptions): Job {
  const known: KnownAgents = new Map();
  let turn = 0;

  async function look(): Promise<void> {
    const nodes = await listNodeFolders(nodesFolder);
    const there = new Set(nodes);
    const news = [...known.keys()].filter((node) => !there.has(node) && known.delete(node));
    const inTurn = new Set(nodes.slice(turn, turn + closely));
    turn = turn + closely < nodes.length ? turn + closely : 0;
    for (const node of nodes) {
      const pid = known.get(node);
      if (pid && !inTurn.has(node) && exists(pid)) continue;
      if (await hasEnded(node, join(nodesFolder, String(node)), known)) news.push(node);
    }
    if (news.length > 0) changed(news);
  }

  return { name: 'node_watch', every: 1, run: look };
}

/**
 * Whether it is news that no agent of the node runs. At the first look it is for every such node: an agent that ended in an orderly
 * way, before this process began, has left no pid.
 */
async function hasEnded(node: NodeId, folder: string, known: KnownAgents): Promise<boolean> {
  const pid = (await readAgentRecord(folder))?.pid;
  const runs = pid !== undefined && (await isRunning(pid, withArgument(folder)));
  const news = !runs && known.get(node) !== null;
  known.set(node, runs ? pid : null);
  return news;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // a process of another user is one
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
