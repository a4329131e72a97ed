import { untilAborted } from '@sluice/service-kit';
import { tracedWithin } from '@sluice/system/tracing';
import type { KyselyPlugin } from 'kysely';
import type { ComputeDriver, DriverCall } from '../compute/compute-driver.ts';
import type { Database } from '../database/tables.ts';
import { isHeld } from '../stores/reconciliations.store.ts';
import { LeaseLost, type Lease } from './leases.ts';
import type { ReconcilerMetrics } from './metrics.ts';

/** What is asked of a driver. */
export type CallKind =
  Extract<keyof ComputeDriver, 'observe' | 'ensureNode' | 'removeNode'> | 'network' | 'certificate';

/** How many seconds a driver may take to answer. */
export type CallLimits = Record<CallKind, number>;

export type CallDriver = <T>(
  kind: CallKind,
  lease: Lease,
  work: (call: DriverCall) => Promise<T>,
) => Promise<T>;

/**
 * Calls drivers within their limits of time. One that does not answer, not even to the abortion, is not waited for: the call
 * rejects, and what comes of it later does no harm since the lease has gone on.
 */
export function driverCalls(
  database: Database,
  limits: CallLimits,
  { call: calls, callsInFlight }: Pick<ReconcilerMetrics, 'call' | 'callsInFlight'>,
): CallDriver {
  return async (kind, lease, work) => {
    lease.signal.throwIfAborted();
    const limit = new AbortController();
    const signal = AbortSignal.any([lease.signal, limit.signal]);
    const timer = setTimeout(
      () => limit.abort(new Error(`${kind} was not answered within ${limits[kind]} s`)),
      limits[kind] * 1_000,
    );
    const confirm = async () => {
      signal.throwIfAborted();
      if (!(await isHeld(database, lease))) throw new LeaseLost();
      signal.throwIfAborted();
    };
    const ended = calls.startTimer({ call: kind });
    callsInFlight.inc({ call: kind });
    const answer = tracedWithin(`driver ${kind}`, {}, () =>
      work({ fence: lease.fence, signal, confirm }),
    ).finally(() => callsInFlight.dec({ call: kind }));
    try {
      const result = await untilAborted(answer, signal);
      ended({ outcome: 'answered' });
      return result;
    } catch (error) {
      ended({ outcome: outcomeOf(limit.signal, signal) });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

function outcomeOf(limit: AbortSignal, signal: AbortSignal): string {
  if (limit.aborted) return 'timeout';
  return signal.aborted ? 'given_up' : 'failed';
}

/** The transaction for as long as the call is not given up: a call that comes to its end late cannot write through it any more. */
export function whileWanted(tx: Database, signal: AbortSignal): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      signal.throwIfAborted();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return tx.withPlugin(plugin);
}
