import type { Log } from '@sluice/service-kit';
import type { Database } from '../../database/tables.ts';
import { takeSink, type SinkRow } from '../../stores/sinks.store.ts';
import type { Deliver } from './delivery.ts';

export interface SinkWorkerOptions {
  database: Database;
  deliver: Deliver;
  log: Log;
}

/** sinks that one replica sends to at the same time, and how many of them may be such as failed last time: these can take long to fail again */
const atOnce = 16;
const failingAtOnce = 4;
const lookMilliseconds = 500;
/** longer than a delivery may take, so that nobody else begins while it is under way */
export const leaseSeconds = 40;

/**
 * Sends to the sinks of all tenants what is new for them, shared with the other replicas by leases. A sink that fails or hangs keeps
 * no other waiting.
 */
export function sinkWorker({ database, deliver, log }: SinkWorkerOptions) {
  const stopping = new AbortController();
  const running = { failing: new Set<Promise<void>>(), others: new Set<Promise<void>>() };
  let looking = Promise.resolve();
  let isLooking = false;

  async function take(failing: boolean): Promise<void> {
    const slots = failing ? running.failing : running.others;
    const most = failing ? failingAtOnce : atOnce - failingAtOnce;
    while (slots.size < most && !stopping.signal.aborted) {
      const sink = await takeSink(database, { leaseSeconds, failing });
      if (!sink) return;
      const ended: Promise<void> = work(sink).finally(() => {
        slots.delete(ended);
        look();
      });
      slots.add(ended);
    }
  }

  const work = (sink: SinkRow) =>
    deliver(sink, stopping.signal).catch((error: unknown) => {
      // its lease ends, and it is taken again
      log.warn('a sink could not be looked after', { tenant: sink.tenant_id, error });
    });

  function look(): void {
    if (isLooking || stopping.signal.aborted) return;
    isLooking = true;
    looking = take(false)
      .then(() => take(true))
      .catch((error: unknown) => void log.warn('sinks could not be looked for', { error }))
      .finally(() => (isLooking = false));
  }

  const timer = setInterval(look, lookMilliseconds);
  look();
  return {
    /** Ends what is under way; what was sent and not noted is sent again. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort(new Error('the service stops'));
      await looking;
      await Promise.all([...running.failing, ...running.others]);
    },
  };
}
