import { consumerOf } from '@sluice/contracts';
import {
  createApi,
  createApp,
  GrantLeases,
  keyAuthorizer,
  loadApiDocument,
  problem,
  secretBox,
  startRuntime,
  trackKeyUsage,
  type Authorizer,
  type Caller,
  type Log,
  type RunningService,
  type ServiceRuntime,
  type UnitOfWork,
} from '@sluice/service-kit';
import type { DataSource } from 'typeorm';
import { loadCatalogue } from './catalogue/catalogue.ts';
import { sessionTimesOf, type MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { migrations, openDataSource } from './data-source.ts';
import { databaseOf, transactionsOf, type Database } from './database.ts';
import { republishKeyGrants } from './features/access/grants/key-grants.ts';
import { republishSessionGrants } from './features/access/grants/session-grants.ts';
import { maintainSessions } from './features/identity/sessions/session-maintenance.ts';
import { handleReport } from './features/regions/reports.ts';
import { handlersOf } from './handlers.ts';
import { protectionCodes } from './protection-codes.ts';
import { recordKeyUse } from './stores/api-keys.store.ts';

type Relay = ServiceRuntime['relay'];
const sentWithinMilliseconds = 10_000;

/** Starts main-api: connects, migrates, consumes reports, and answers. `clock` is for tests of what time brings about. */
export async function startMainApi(
  environment: MainApiEnvironment,
  log: Log,
  clock?: () => Date,
): Promise<RunningService> {
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const catalogue = await loadCatalogue(environment.CATALOGUE_FILE);
  const runtime = await startRuntime('main-api', environment, migrations, log, { now: clock });
  const dataSource = await openDatabase(runtime, environment);
  const core: Core = {
    database: databaseOf(dataSource.manager),
    work: await unitOfWork(runtime, dataSource),
    catalogue,
    baseDomain: environment.BASE_DOMAIN,
    consoleUrl: environment.CONSOLE_URL ?? environment.PUBLIC_URL,
    protectionCodes: protectionCodes(environment.PROTECTION_KEY),
    mailCipher: secretBox(environment.MAIL_KEYS),
    sessionTimes: sessionTimesOf(environment),
    now: runtime.now,
  };
  await republishKeyGrants(core, runtime.grants, log);
  await republishSessionGrants(core, runtime.grants, log);
  await consumeReports(runtime, core);
  const api = createApi({
    document,
    handlers: handlersOf(core, environment, log),
    authorize: authorizer(runtime, core),
    validateResponses: environment.VALIDATE_RESPONSES,
    ...runtime.guards,
  });
  return await runtime.serve(
    createApp({
      document: { ...document, servers: [{ url: environment.PUBLIC_URL }] },
      routers: [api],
      readiness: runtime.readiness,
      metrics: runtime.metrics,
      log,
      trustedProxies: environment.TRUSTED_PROXIES,
      stopping: runtime.stopping,
    }),
  );
}

async function openDatabase(
  runtime: ServiceRuntime,
  { DATABASE_URL, DATABASE_POOL_SIZE }: MainApiEnvironment,
): Promise<DataSource> {
  const dataSource = await openDataSource(DATABASE_URL, DATABASE_POOL_SIZE, runtime.log);
  runtime.onStop(() => dataSource.destroy());
  return dataSource;
}

/** How everything is changed: where grants change with it, the answer waits until they are in force everywhere. */
async function unitOfWork(runtime: ServiceRuntime, dataSource: DataSource): Promise<UnitOfWork<Database>> {
  const { topology, relay, nats, environment } = runtime;
  const leases = new GrantLeases(nats, topology, environment.GRANT_LEASE_SECONDS);
  await leases.open();
  runtime.onStop(() => leases.close());
  return runtime.unitOfWork(transactionsOf(dataSource), async ({ outboxIds, grantsChanged }) => {
    if (grantsChanged) await rightsInForce(relay, leases, outboxIds);
  });
}

/** Resolves when the grants among these messages hold wherever requests are checked. */
async function rightsInForce(relay: Relay, leases: GrantLeases, outboxIds: number[]): Promise<void> {
  if (!(await relay.waitUntilSent(outboxIds, sentWithinMilliseconds)))
    throw problem('unavailable', {
      detail: 'The change is stored but not yet known to be in force everywhere.',
    });
  await leases.waitUntilApplied();
}

async function consumeReports(runtime: ServiceRuntime, { work }: Core): Promise<void> {
  await runtime.consume({ ...consumerOf(runtime.topology, 'main-api'), work, handle: handleReport });
}

/** Checks requests by key or session, and has recorded when each was used. */
function authorizer(runtime: ServiceRuntime, core: Core): Authorizer<Caller> {
  const { grants, now, log } = runtime;
  const keys = trackKeyUsage({
    store: (uses) => recordKeyUse(core.database, uses),
    everyMilliseconds: 5_000,
    now,
    log,
  });
  runtime.onStop(() => keys.stop());
  const sessions = maintainSessions(core, log);
  runtime.onStop(() => sessions.stop());
  return sessions.through(keys.through(keyAuthorizer({ grants, now })));
}
