import { callFenced, CallLate } from '@sluice/controller';
import { tracedWithin } from '@sluice/system/tracing';
import type { KyselyPlugin } from 'kysely';
import type { ComputeDriver, DriverCall } from '@sluice/drivers';
import type { Database } from '@sluice/region-store/tables';
import { isHeld } from '@sluice/region-store/reconciliations.store';
import type { Lease } from './lease.ts';
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
    const late = `${kind} was not answered within ${limits[kind]} s`;
    const ended = calls.startTimer({ call: kind });
    callsInFlight.inc({ call: kind });
    try {
      const result = await callFenced(
        {
          ...{ seconds: limits[kind], signal: lease.signal, fence: lease.fence, late },
          isHeld: () => isHeld(database, lease),
        },
        (call) =>
          tracedWithin(`driver ${kind}`, {}, () => work(call)).finally(() =>
            callsInFlight.dec({ call: kind }),
          ),
      );
      ended({ outcome: 'answered' });
      return result;
    } catch (error) {
      ended({ outcome: outcomeOf(error, lease.signal) });
      throw error;
    }
  };
}

function outcomeOf(error: unknown, given: AbortSignal): string {
  if (error instanceof CallLate) return 'timeout';
  return given.aborted ? 'given_up' : 'failed';
}

/** The transaction for as long as the call is not given up: a call that comes to its end late cannot write through it any more. */
export function abortableTransaction(tx: Database, signal: AbortSignal): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      signal.throwIfAborted();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return tx.withPlugin(plugin);
}
