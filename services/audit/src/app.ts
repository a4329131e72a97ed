import {
  Consumer,
  createApi,
  createApp,
  createUnitOfWork,
  keyAuthorizer,
  layFoundation,
  loadApiDocument,
  rememberUses,
  reportUses,
  type Log,
  type RunningService,
  type ServiceEnvironment,
} from '@sluice/service-kit';
import { openDatabase, transactionsOn, type AuditTransaction } from './database.ts';
import { entryOperations } from './features/entries/entries.operations.ts';
import { recordEvent } from './features/entries/entries.service.ts';

/** Starts the audit service: its consumer of all events and the Audit API. */
export async function startAudit(environment: ServiceEnvironment, log: Log): Promise<RunningService> {
  const migrations = new URL('../migrations/', import.meta.url);
  const foundation = await layFoundation('audit', environment, migrations, log);
  const { nats, topology, grants, metrics, now, readiness, stopping } = foundation;
  const database = openDatabase(foundation.pool);

  const work = createUnitOfWork<AuditTransaction>({ transaction: transactionsOn(database), topology, now });
  const consumer = new Consumer({
    nats,
    topology,
    stream: topology.streams.events,
    name: 'audit',
    work,
    handle: (event, { db }, position) => recordEvent(db, event, position),
    metrics,
    log,
  });
  await consumer.start();
  foundation.onStop(() => consumer.stop());

  const uses = rememberUses({ store: reportUses(work), everyMilliseconds: 60_000, now, log });
  foundation.onStop(() => uses.stop());
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const api = createApi({
    document,
    handlers: entryOperations(database),
    authorize: uses.through(keyAuthorizer({ grants, now })),
    validateResponses: environment.VALIDATE_RESPONSES,
    ...foundation.guards,
  });
  const trustedProxies = environment.TRUSTED_PROXIES;
  const app = createApp({ document, routers: [api], readiness, metrics, log, trustedProxies, stopping });
  return foundation.serve(app);
}
