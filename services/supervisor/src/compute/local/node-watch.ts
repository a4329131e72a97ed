import { join } from 'node:path';
import type { NodeId } from '@sluice/contracts';
import type { Log } from '@sluice/service';
import { isRunning, withArgument } from '@sluice/system';
import { listNodeFolders, readAgentRecord } from './node-folder.ts';

export interface NodeWatchOptions {
  /** the real path of the folder of all nodes */
  nodesFolder: string;
  /** Told the nodes whose agent has ended, or whose folder is gone. */
  changed: (nodes: readonly NodeId[]) => void;
  log: Log;
}

const everyMilliseconds = 1_000;
/** agents that are looked at closely each time, in turn: a pid may live on as another process, or as one that nobody has reaped */
const closely = 100;

/** The last known pid of a node's agent; null once it has been told that there is none. */
type KnownAgents = Map<NodeId, number | null>;

/**
 * Notices within a second that an agent ends, whichever process had started it, by asking the system for the pids that agents have
 * written down: for thousands of nodes that costs some milliseconds.
 * @returns how to stop
 */
export function watchNodes({ nodesFolder, changed, log }: NodeWatchOptions): () => void {
  const known: KnownAgents = new Map();
  let looking = false;
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

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => log.warn('the nodes of this machine could not be looked at', { error }))
      .finally(() => (looking = false));
  }, everyMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
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
    // somebody else's process is one
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
