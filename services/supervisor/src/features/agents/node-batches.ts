import { setTimeout as pause } from 'node:timers/promises';
import type { NodeId } from '@sluice/contracts';
import { isTransient, problem, withoutContext } from '@sluice/service';
import { unknownAgent } from './agent-authorizer.ts';

/** Between two statements, for the next one to fill. What comes after a pause is stored at once. */
const pauseMilliseconds = 100;
/** How often an entry is tried whose node is locked. */
const attempts = 20;

/** What the node that has enrolled `key` sends. */
export interface FromNode {
  nodeId: NodeId;
  key: string;
}

/** What became of an entry. `refused`: no node has this id and key. `busy`: its node is locked, and nothing was stored. */
export type Outcome = 'refused' | 'busy' | 'taken';

export interface NodeBatchesOptions<Entry extends FromNode> {
  /** more are asked to come again */
  mostWaiting: number;
  mostInStatement: number;
  /** whether of two entries from one node the newer counts, and answers for both; otherwise the second is asked to come again */
  newestCounts: boolean;
  /** @returns the outcomes in the same order */
  store: (entries: readonly Entry[]) => Promise<Outcome[]>;
}

interface Waiting<Entry> {
  entry: Entry;
  attempts: number;
  answer: PromiseWithResolvers<void>;
}

const nameOf = ({ nodeId, key }: FromNode) => `${nodeId} ${key}`;

/**
 * Stores what nodes send in batches: one statement for all that came while the one before was being stored.
 * @returns takes what `make` makes of a node's request; resolves when it is stored. Throws Problem `unauthenticated` when no node has
 *   this key any more, `unavailable` when too many wait
 */
export function nodeBatches<Entry extends FromNode>(options: NodeBatchesOptions<Entry>) {
  const { mostWaiting, mostInStatement, newestCounts, store } = options;
  const waiting = new Map<string, Waiting<Entry>>();
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, mostInStatement);
      for (const [name] of batch) waiting.delete(name);
      const filled = pause(pauseMilliseconds);
      await storeTogether(batch.map(([, one]) => one));
      await filled;
    }
    // in the same tick as the loop's last check, so that a later entry starts another run
    storing = undefined;
  }

  async function storeTogether(batch: readonly Waiting<Entry>[]): Promise<void> {
    try {
      const outcomes = await store(batch.map(({ entry }) => entry));
      for (const [index, one] of batch.entries()) answer(one, outcomes[index] ?? 'refused');
    } catch (error) {
      // what is wrong with one must not cost the others
      if (batch.length === 1 || isTransient(error)) for (const one of batch) one.answer.reject(error);
      else for (const one of batch) await storeTogether([one]);
    }
  }

  function answer(one: Waiting<Entry>, outcome: Outcome): void {
    if (outcome === 'refused') return one.answer.reject(unknownAgent());
    if (outcome === 'taken') return one.answer.resolve();
    const newer = waiting.get(nameOf(one.entry));
    if (newer && newestCounts) newer.answer.promise.then(one.answer.resolve, one.answer.reject);
    else if (!newer && one.attempts < attempts)
      waiting.set(nameOf(one.entry), { ...one, attempts: one.attempts + 1 });
    else one.answer.reject(tryAgain('The node is being changed.'));
  }

  return async (from: FromNode, make: () => Entry): Promise<void> => {
    const former = waiting.get(nameOf(from));
    if (former && !newestCounts) throw tryAgain('The former batch of the node waits to be stored.');
    if (!former && waiting.size >= mostWaiting) throw tryAgain('Too much waits to be stored.');
    const { attempts: tried, answer } = former ?? { attempts: 1, answer: Promise.withResolvers<void>() };
    waiting.set(nameOf(from), { entry: make(), attempts: tried, answer });
    storing ??= withoutContext(storeAll);
    await answer.promise;
  };
}

function tryAgain(detail: string) {
  return problem('unavailable', { detail: `${detail} Try again shortly.`, headers: { 'retry-after': '1' } });
}
