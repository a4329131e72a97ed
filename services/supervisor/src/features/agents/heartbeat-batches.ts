import { setTimeout as pause } from 'node:timers/promises';
import type { Heartbeat } from '@sluice/contracts';
import { problem, withoutContext } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { channels, notifyAll } from '../../database/signals.ts';
import { setEncrypted } from '../encryption/encryption-keys.store.ts';
import { scheduleAllNow } from '../../stores/reconciliations.store.ts';
import { unknownAgent, type Agent } from './agent-authorizer.ts';
import { recordHeartbeats, type Beat, type Taken } from './heartbeats.store.ts';

export interface HeartbeatOptions {
  database: Database;
  /** a node's last heartbeat is known to within this time */
  resolutionSeconds: number;
  now: () => Date;
}

/** Nodes whose heartbeats wait to be stored; more are asked to come again. */
const mostWaiting = 5_000;
const mostInBatch = 500;
/** Between two batches, for the next one to fill. One that comes after a pause is stored at once. */
const batchMilliseconds = 100;
/** How often a heartbeat is tried whose node is locked. */
const attempts = 20;

interface Waiting extends Beat {
  attempts: number;
  answer: PromiseWithResolvers<void>;
}

/**
 * Stores heartbeats in batches: one statement for all that came while the one before was being stored, and one more for the
 * deployments in which something has changed.
 * @returns takes one heartbeat; resolves when it is stored. Throws Problem `unauthenticated` when no node has this key
 *   any more, `unavailable` when too many wait
 */
export function heartbeatBatches(
  options: HeartbeatOptions,
): (agent: Agent, beat: Heartbeat) => Promise<void> {
  const waiting = new Map<string, Waiting>();
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, mostInBatch);
      for (const beat of batch) waiting.delete(nameOf(beat));
      const filled = pause(batchMilliseconds);
      await storeBatch(batch);
      await filled;
    }
  }

  async function storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const taken = await store(options, batch);
      for (const [index, beat] of batch.entries()) answer(beat, taken[index]?.outcome ?? 'refused');
    } catch (error) {
      for (const beat of batch) beat.answer.reject(error);
    }
  }

  function answer(beat: Waiting, outcome: Taken['outcome']): void {
    if (outcome === 'refused') return beat.answer.reject(unknownAgent());
    if (outcome !== 'busy') return beat.answer.resolve();
    const newer = waiting.get(nameOf(beat));
    if (newer) newer.answer.promise.then(beat.answer.resolve, beat.answer.reject);
    else if (beat.attempts < attempts) waiting.set(nameOf(beat), { ...beat, attempts: beat.attempts + 1 });
    else beat.answer.reject(tryAgain('The node is being changed.'));
  }

  return ({ nodeId, key }, heartbeat) => {
    const beat = { nodeId, key, heartbeat };
    const former = waiting.get(nameOf(beat));
    if (!former && waiting.size >= mostWaiting)
      return Promise.reject(tryAgain('Too many heartbeats wait to be stored.'));
    // of two from one node the newer one counts, and answers for both
    const entry = { ...(former ?? { attempts: 1, answer: Promise.withResolvers<void>() }), ...beat };
    waiting.set(nameOf(beat), entry);
    storing ??= withoutContext(storeAll).finally(() => (storing = undefined));
    return entry.answer.promise;
  };
}

/** Notifies those who wait for a change, with the change. */
async function store({ database, resolutionSeconds, now }: HeartbeatOptions, beats: readonly Beat[]) {
  return await database.transaction().execute(async (tx) => {
    const taken = await recordHeartbeats(tx, beats, resolutionSeconds);
    const changed = taken.flatMap(({ outcome, deployment_id }) =>
      outcome === 'changed' ? [deployment_id] : [],
    );
    if (changed.length > 0) {
      await setEncrypted(tx, changed);
      await notifyAll(tx, channels.applied, changed);
      await scheduleAllNow(tx, changed, now());
    }
    return taken;
  });
}

const nameOf = ({ nodeId, key }: Beat) => `${nodeId} ${key}`;

const tryAgain = (detail: string) =>
  problem('unavailable', { detail: `${detail} Try again shortly.`, headers: { 'retry-after': '1' } });
