import type { TenantId } from '@sluice/contracts';
import { WorkQueue } from '@sluice/controller';
import type { Log } from '@sluice/service';
import type { Registry } from 'prom-client';
import type { Database } from '../../database/tables.ts';
import { leaseSinks, renewSinkLeases, type SinkRow } from '../../stores/sinks.store.ts';
import type { Deliver } from './delivery.ts';

export interface SinkQueueOptions {
  database: Database;
  deliver: Deliver;
  metrics: Registry;
  log: Log;
}

/** sinks that one replica sends to at the same time, and how many of them may have failed last time: these can take long to fail again */
const lanes = { size: 16, slow: 4 };
const leaseSeconds = 20;

/** Sends to the sinks of all tenants what is new for them. What was sent and not noted is sent again. */
export function sinkQueue({ database, deliver, metrics, log }: SinkQueueOptions) {
  return new WorkQueue<SinkRow & { key: TenantId; slow: boolean }, SinkRow>({
    name: 'audit_sinks',
    source: {
      async leaseDue({ all, slow }) {
        const failing =
          slow > 0 ? await leaseSinks(database, { leaseSeconds, failing: true, limit: slow }) : [];
        const limit = all - failing.length;
        const others = limit > 0 ? await leaseSinks(database, { leaseSeconds, failing: false, limit }) : [];
        return [...failing, ...others].map((sink) => ({
          ...sink,
          key: sink.tenant_id,
          slow: sink.failures > 0,
        }));
      },
    },
    lanes,
    leaseSeconds,
    async renew(sinks) {
      const held = new Set(await renewSinkLeases(database, sinks, leaseSeconds));
      return sinks.filter(({ tenant_id }) => held.has(tenant_id));
    },
    run: (sink, { signal }) => deliver(sink, signal),
    pollSeconds: 0.5,
    metrics,
    log,
  });
}
