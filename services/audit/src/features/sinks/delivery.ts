import { ndjsonLine } from '@sluice/contracts/audit-export';
import type { UnitOfWork } from '@sluice/messaging';
import { system } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import { jittered, pauseAfter } from '@sluice/system';
import type { Counter } from 'prom-client';
import type { Database, Transaction } from '../../database/tables.ts';
import { findEntriesIn, type LogRange } from '../../stores/log-reading.store.ts';
import type { LogEntry } from '../../stores/log-entries.store.ts';
import {
  noteDelivery,
  noteFailingTold,
  noteFailure,
  releaseSink,
  type SinkRow,
} from '../../stores/sinks.store.ts';
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

/** Sends a sink that was taken what is new for it. Whatever comes of it is noted, and the sink given back. */
export type Deliver = (sink: SinkRow, stopping: AbortSignal) => Promise<void>;

/** for reading as well */
const attemptMilliseconds = 15_000;
/** after which others have their turn, however much there is */
const turnMilliseconds = 15_000;
const mostEntries = 500;
const mostBytes = 4 * 2 ** 20;
const longestPauseSeconds = 15 * 60;
/** failures in a row after which it is told */
const failuresTold = 5;

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

/** It is the sink's fault that nothing was delivered, and not ours. */
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
    const noted = await noteTaken(options, sink, taken, pauseSeconds);
    if (!noted || pauseSeconds !== undefined) return;
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

/** Notes what was taken; of one that had been failing for a while it is told that it is not any more. @returns whether it is still in these hands */
async function noteTaken(
  { database, work }: DeliveryOptions,
  sink: SinkRow,
  taken: Parameters<typeof noteDelivery>[2],
  pauseSeconds: number | undefined,
): Promise<boolean> {
  if (!sink.failing_told) return (await noteDelivery(database, sink, taken, pauseSeconds)) !== undefined;
  return await work(system, async (tx) => {
    const noted = await noteDelivery(tx.db, sink, taken, pauseSeconds);
    if (!noted) return false;
    const { tenant_id, kind, destination, failing_since } = sink;
    const since = (failing_since ?? new Date()).toISOString();
    tx.emit('audit_sink_recovered', { tenant_id }, { kind, destination, since });
    sink.failing_told = false;
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
    const noted = await noteFailure(tx.db, sink, { reason: error.message, pauseSeconds });
    if (!noted || noted.failing_told || noted.failures < failuresTold) return;
    await noteFailingTold(tx.db, noted);
    const { tenant_id, kind, destination, failing_since } = noted;
    const since = (failing_since ?? new Date()).toISOString();
    tx.emit('audit_sink_failing', { tenant_id }, { kind, destination, reason: error.message, since });
  });
}
