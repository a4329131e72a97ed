import type { UnitOfWork } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import { countLookups, type Log, type Pruning } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AuditEnvironment } from '../../config.ts';
import type { Database, Transaction } from '../../database/tables.ts';
import { countSinks } from '../../stores/sinks.store.ts';
import type { PlansService } from '../plans/plans.service.ts';
import { delivery } from './delivery.ts';
import { openDestination } from './destinations/index.ts';
import { sinkAddresses } from './sink-addresses.ts';
import { sinkQueue } from './sink-queue.ts';
import { sinksService, type SinksService } from './sinks.service.ts';

/** What opens a sink is not kept; there is time to send the last entries. */
const ofDeletedTenants = {
  table: 'sinks',
  since: '(SELECT deleted_at FROM deleted_tenants AS gone WHERE gone.tenant_id = sinks.tenant_id)',
  keep: '1 day',
} satisfies Pruning;

export interface SinksParts {
  database: Database;
  work: UnitOfWork<Transaction>;
  plans: PlansService;
}

/** Begins to send logs to the sinks of tenants, until the service stops. */
export async function startSinks(
  runtime: ServiceRuntime,
  environment: AuditEnvironment,
  { database, work, plans }: SinksParts,
): Promise<SinksService> {
  const { now, metrics, log } = runtime;
  const { SINKS_ALLOWED: allowed, SINKS_REFUSED: refused, SINKS_PLAIN_TEXT: plainText } = environment;
  const { HTTPS_PROXY: proxy, NAME_SERVERS: servers } = environment;
  const onLookup = countLookups(metrics);
  const addresses = sinkAddresses({ allowed, refused, proxy, servers, onLookup });
  const secrets = secretBox(environment.SECRETS_KEYS);
  const open = openDestination(addresses, now);
  const retrySeconds = environment.SINK_RETRY_SECONDS;
  const batches = new Counter({
    name: 'sluice_audit_sink_batches_total',
    help: 'Batches of entries that sinks were sent, by their kind and whether they were taken',
    labelNames: ['kind', 'outcome'] as const,
    registers: [metrics],
  });
  measureSinks(metrics, database, log);
  const deliver = delivery({ database, work, secrets, open, retrySeconds, batches });
  const queue = sinkQueue({ database, deliver, metrics, log });
  await queue.start();
  runtime.onStop(() => queue.stop());
  runtime.prune([ofDeletedTenants]);
  return sinksService({ database, work, secrets, plans, rules: { addresses, plainText }, open });
}

function measureSinks(metrics: Registry, database: Database, log: Log): void {
  new Gauge({
    name: 'sluice_audit_sinks',
    help: 'Sinks that logs are sent to, by whether they took the last that they were sent',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      try {
        const { failing, others } = await countSinks(database);
        this.set({ state: 'failing' }, failing);
        this.set({ state: 'active' }, others);
      } catch (error) {
        log.debug('sinks could not be counted', { error });
      }
    },
  });
}
