import { setTimeout as pause } from 'node:timers/promises';
import type { LogLine, Sample, TelemetryBatch } from '@sluice/contracts';
import { RateLimits } from '@sluice/http';
import { isTransient, problem, withoutContext } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { storeBatches, type Intake, type NodeBatch } from './telemetry-intake.store.ts';
import { unknownAgent, type Agent } from '../agents/agent-authorizer.ts';

export interface IntakeOptions {
  database: Database;
  /** resolves once there are partitions for what is reported now */
  prepared: Promise<void>;
  /** Called with what is about to be stored, in the same transaction. */
  watch: (tx: Database, batches: readonly NodeBatch[]) => Promise<void>;
  now: () => Date;
}

/** Nodes whose batches wait to be stored; more are asked to come again. */
const mostWaiting = 2_000;
const mostInStatement = 200;
/** Between two statements, for the next one to fill. What comes after a pause is stored at once. */
const pauseMilliseconds = 100;
/** How often a batch is tried whose node is locked. */
const attempts = 20;
/** What is older than this is left out, and what lies further ahead. Milliseconds. */
const oldest = 47 * 3_600_000;
const furthest = 60_000;
/** lines of log that each node may send, on average and at once */
const lineLimit = { perSecond: 50, burst: 5_000 };

interface Waiting extends NodeBatch {
  attempts: number;
  answer: PromiseWithResolvers<void>;
}

export type TelemetryIntake = ReturnType<typeof telemetryIntake>;

/**
 * Takes in what nodes have measured and logged, and stores what came while it was storing together, as heartbeats are.
 * @returns takes one batch; resolves when it is stored. Throws Problem `unauthenticated` when no node has this key any more,
 *   `rate_limited` when the node sends too much, `unavailable` when too many wait, or its former batch does
 */
export function telemetryIntake(options: IntakeOptions) {
  const waiting = new Map<number, Waiting>();
  const limits = new RateLimits(lineLimit);
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batches = [...waiting.values()].slice(0, mostInStatement);
      for (const { nodeId } of batches) waiting.delete(nodeId);
      const filled = pause(pauseMilliseconds);
      await storeTogether(batches);
      await filled;
    }
  }

  async function storeTogether(batches: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await store(options, batches);
      for (const [index, batch] of batches.entries()) answer(batch, outcomes[index] ?? 'refused');
    } catch (error) {
      // what is wrong with one must not cost the others
      if (batches.length === 1 || isTransient(error)) for (const batch of batches) batch.answer.reject(error);
      else for (const batch of batches) await storeTogether([batch]);
    }
  }

  function answer(batch: Waiting, outcome: Intake): void {
    if (outcome === 'refused') return batch.answer.reject(unknownAgent());
    if (outcome !== 'busy') return batch.answer.resolve();
    if (batch.attempts < attempts && !waiting.has(batch.nodeId))
      waiting.set(batch.nodeId, { ...batch, attempts: batch.attempts + 1 });
    else batch.answer.reject(tryAgain('The node is being changed.'));
  }

  return async ({ nodeId, key }: Agent, batch: TelemetryBatch): Promise<void> => {
    const { spool, number, samples, lines } = batch;
    if (waiting.size >= mostWaiting) throw tryAgain('Too much waits to be stored.');
    if (waiting.has(nodeId)) throw tryAgain('The former batch of the node waits to be stored.');
    limits.take(`node ${nodeId}`, undefined, lines.length);
    const now = options.now().getTime();
    const entry: Waiting = {
      ...{ nodeId, key, spool, number, attempts: 1 },
      samples: samples.filter((sample) => canBeStored(sample, now)),
      lines: lines.filter((line) => canBeStored(line, now)),
      answer: Promise.withResolvers<void>(),
    };
    waiting.set(nodeId, entry);
    storing ??= withoutContext(storeAll).finally(() => (storing = undefined));
    await entry.answer.promise;
  };
}

/** Whether there is a partition for its time, and its id is one. */
function canBeStored({ at, connector_instance_id }: Sample | LogLine, now: number): boolean {
  const time = new Date(at).getTime();
  return time > now - oldest && time < now + furthest && Number.isSafeInteger(connector_instance_id ?? 0);
}

async function store({ database, prepared, watch }: IntakeOptions, batches: readonly NodeBatch[]) {
  await prepared;
  return await database.transaction().execute(async (tx) => {
    const outcomes = await storeBatches(tx, batches);
    await watch(
      tx,
      batches.filter((_, index) => outcomes[index] === 'stored'),
    );
    return outcomes;
  });
}

const tryAgain = (detail: string) =>
  problem('unavailable', { detail: `${detail} Try again shortly.`, headers: { 'retry-after': '1' } });
