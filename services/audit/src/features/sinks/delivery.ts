import { ndjsonLine } from '@sluice/contracts/audit-export';
import type { UnitOfWork } from '@sluice/messaging';
import { system } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import { jittered, pauseAfter } from '@sluice/system';
import type { Counter } from '@prometheus-io/client';
import type { Database, Transaction } from '../../database/tables.ts';
import { findEntriesIn, type LogRange } from '../audit-log/log-reading.store.ts';
import type { LogEntry } from '../audit-log/log-entries.store.ts';
import {
  recordDelivery,
  markFailureReported,
  recordFailure,
  releaseSink,
  type SinkRow,
} from './sinks.store.ts';
import { TryAgainLater, type Batch, type Destination } from './destinations/destination.ts';
import type { OpenDestination } from './destinations/index.ts';
import type { SinkSettings } from './sink-settings.ts';

export interface DeliveryOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  secrets: SecretBox;
  open: OpenDestination;
  /** after the first failure; twice as long after each further one */
  retrySeconds: number;
  /** counts batches by kind and outcome */
  batches: Counter<'kind' | 'outcome'>;
}

/** Sends a leased sink what is new for it, records the outcome, and gives the sink back. */
export type Deliver = (sink: SinkRow, stopping: AbortSignal) => Promise<void>;

/** for reading as well */
const attemptMilliseconds = 15_000;
/** after which others have their turn, however much there is */
const turnMilliseconds = 15_000;
const mostEntries = 500;
const mostBytes = 4 * 2 ** 20;
const longestPauseSeconds = 15 * 60;
/** failures in a row after which an event reports them */
const reportedFailures = 5;

export function delivery(options: DeliveryOptions): Deliver {
  return async (sink, stopping) => {
    let destination: Destination | undefined;
    try {
      destination = await openFor(options, sink);
      await deliverInTurn(options, sink, destination, stopping);
    } catch (error) {
      if (!(error instanceof NotTaken) || stopping.aborted) {
        await releaseSink(options.database, sink);
        throw error;
      }
      await fail(options, sink, error.reason);
    } finally {
      await destination?.close();
    }
  };
}

/** The sink is at fault that nothing was delivered. */
class NotTaken extends Error {
  readonly reason: Error;

  constructor(reason: unknown) {
    super('the sink did not take what it was sent', { cause: reason });
    this.reason = reason instanceof Error ? reason : new Error(String(reason));
  }
}

const notTaken = (reason: unknown) => {
  throw new NotTaken(reason);
};

async function openFor({ secrets, open }: DeliveryOptions, { sealed_settings, tenant_id }: SinkRow) {
  const settings = await secrets
    .open(sealed_settings)
    .catch(() => notTaken('The settings cannot be read any more; say where the log is sent once more'));
  return await open(JSON.parse(settings) as SinkSettings, tenant_id).catch(notTaken);
}

/** Batch after batch, until nothing waits, or it is the turn of others. @throws NotTaken */
async function deliverInTurn(
  options: DeliveryOptions,
  sink: SinkRow,
  destination: Destination,
  stopping: AbortSignal,
): Promise<void> {
  const { database, batches } = options;
  const began = performance.now();
  let range: LogRange = { after: sink.position };
  for (let { failures } = sink; ; failures = 0) {
    const { entries, isAll } = await read(database, sink, range, failures);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(attemptMilliseconds)]);
    const [first] = entries;
    const last = entries.at(-1);
    if (first && last) {
      await destination.send(batchOf(entries), signal).catch(notTaken);
      batches.inc({ kind: sink.kind, outcome: 'taken' });
    }
    const isOver = performance.now() - began > turnMilliseconds;
    const taken = {
      position: last?.seq ?? range.after,
      delivered: entries.length,
      // what comes next is not the next there was
      missed: first ? first.seq - range.after - 1 : 0,
    };
    const pauseSeconds = isAll ? sink.interval_seconds : isOver ? 0 : undefined;
    const recorded = await recordTaken(options, sink, taken, pauseSeconds);
    if (!recorded || pauseSeconds !== undefined) return;
    if (last) range = { after: last.seq, recordedSince: new Date(last.recorded_at) };
  }
}

/** One that has failed is sent less at a time: what it minds may be the size, or the time that it takes. */
function read(database: Database, sink: SinkRow, range: LogRange, failures: number) {
  const most = failures < 3 ? mostEntries : failures < 6 ? mostEntries / 10 : 1;
  const bounds = { entries: most, bytes: mostBytes };
  return findEntriesIn(database, { tenant: sink.tenant_id }, range, bounds);
}

const batchOf = (entries: readonly LogEntry[]): Batch => ({
  first: entries[0]?.seq ?? 0,
  last: entries.at(-1)?.seq ?? 0,
  lines: entries.map(ndjsonLine),
});

/** Records what was taken; where a failure was reported, an event reports the recovery. @returns false if it is not held any more */
async function recordTaken(
  { database, work }: DeliveryOptions,
  sink: SinkRow,
  taken: Parameters<typeof recordDelivery>[2],
  pauseSeconds: number | undefined,
): Promise<boolean> {
  if (!sink.failure_reported)
    return (await recordDelivery(database, sink, taken, pauseSeconds)) !== undefined;
  return await work(system, async (tx) => {
    const recorded = await recordDelivery(tx.db, sink, taken, pauseSeconds);
    if (!recorded) return false;
    const { tenant_id, kind, destination, failing_since } = sink;
    const since = (failing_since ?? new Date()).toISOString();
    tx.emit('audit_sink_recovered', { tenant_id }, { kind, destination, since });
    sink.failure_reported = false;
    return true;
  });
}

async function fail(options: DeliveryOptions, sink: SinkRow, error: Error): Promise<void> {
  const { work, batches, retrySeconds } = options;
  batches.inc({ kind: sink.kind, outcome: 'failed' });
  const bounds = { first: retrySeconds, cap: longestPauseSeconds };
  const pause = jittered(pauseAfter(sink.failures, bounds), 0.25);
  const pauseSeconds = error instanceof TryAgainLater ? Math.max(pause, error.seconds) : pause;
  await work(system, async (tx) => {
    const recorded = await recordFailure(tx.db, sink, { reason: error.message, pauseSeconds });
    if (!recorded || recorded.failure_reported || recorded.failures < reportedFailures) return;
    await markFailureReported(tx.db, recorded);
    const { tenant_id, kind, destination, failing_since } = recorded;
    const since = (failing_since ?? new Date()).toISOString();
    tx.emit('audit_sink_failing', { tenant_id }, { kind, destination, reason: error.message, since });
  });
}
