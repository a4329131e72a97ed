import { consumerOf, signer, topology, type Sign } from '@sluice/contracts';
import { GrantLeases, type Caller } from '@sluice/grants';
import {
  createApi,
  createApp,
  keyAuthorizer,
  loadApiDocument,
  trackKeyUsage,
  type Authorizer,
} from '@sluice/http';
import { checkSignatures, isNatsUser, keepConsumers } from '@sluice/messaging';
import { startRuntime, type ServiceRuntime } from '@sluice/runtime';
import type { Log, RunningService } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import { Counter } from 'prom-client';
import type { DataSource } from 'typeorm';
import { LiveCatalogue } from './catalogue/live-catalogue.ts';
import { sessionTimesOf, streamSettingsOf, type MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { migrations, openDataSource } from './data-source.ts';
import { databaseOf, transactionsOf, type Database } from './database.ts';
import { deleteExpiredKeys } from './features/access/api-keys/expired-keys.ts';
import { BucketKeeper } from './features/access/grants/publication/bucket-keeper.ts';
import { GrantPublisher } from './features/access/grants/publication/grant-publisher.ts';
import { grantingWork } from './features/access/grants/publication/granting-work.ts';
import { renewGrants } from './features/access/grants/renewal.ts';
import { namedIn } from './features/organization/named-in.ts';
import { maintainSessions } from './features/identity/sessions/session-maintenance.ts';
import { keepFeaturesTold } from './features/organization/subscription/features-told.ts';
import { handleReport } from './features/regions/reports.ts';
import { watchUnreported } from './features/regions/unreported.ts';
import { keepDecisions } from './features/restore/keep-decisions.ts';
import { reviewRestoredRights } from './features/restore/restore-review.ts';
import { handlersOf } from './handlers.ts';
import { notifierClient } from './notifier-client.ts';
import { protectionCodes } from './protection-codes.ts';
import { recordKeyUse } from './stores/api-keys.store.ts';
import { findSenders } from './stores/regions.store.ts';
import { beginReview } from './stores/grants.store.ts';
import { pruningRules } from './stores/pruning.ts';

/** Starts main-api: connects, migrates, consumes reports, and answers. `clock` is for tests of what time brings about. */
export async function startMainApi(
  environment: MainApiEnvironment,
  log: Log,
  clock?: () => Date,
): Promise<RunningService> {
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const catalogue = await LiveCatalogue.open(environment.CATALOGUE_FILE);
  const runtime = await startRuntime('main-api', environment, migrations, log, {
    now: clock,
    ownsStreams: streamSettingsOf(environment),
    restored: (sql, isLate) => beginReview(sql, eventsStreamOf(environment), isLate),
  });
  const dataSource = await openDatabase(runtime, environment);
  const database = databaseOf(dataSource.manager);
  const sign = signer(environment.SIGNING_KEYS);
  const publisher = await grantPublisher(runtime, database, sign);
  const core: Core = {
    database,
    work: grantingWork(runtime.unitOfWork(transactionsOf(dataSource)), publisher),
    catalogue: catalogue.view,
    baseDomain: environment.BASE_DOMAIN,
    consoleUrl: environment.CONSOLE_URL ?? environment.PUBLIC_URL,
    protectionCodes: protectionCodes(environment.PROTECTION_KEY),
    secrets: secretBox(environment.SECRETS_KEYS),
    mailCipher: secretBox(environment.MAIL_KEYS),
    notifier: notifierClient(runtime, secretBox(environment.MAIL_KEYS)),
    mailLimits: { perAddress: environment.MAILS_PER_ADDRESS, perTenant: environment.MAILS_PER_TENANT },
    sessionTimes: sessionTimesOf(environment),
    paymentRequired: environment.PAYMENT_REQUIRED,
    now: runtime.now,
  };
  runtime.prune([
    ...pruningRules(environment.TOMBSTONE_KEEP_DAYS),
    { table: 'api_keys', remove: (rows) => deleteExpiredKeys(core, rows) },
  ]);
  keepCatalogue(runtime, catalogue, core, environment);
  await keepGrants(runtime, core, sign, publisher, environment);
  await consumeReports(runtime, core);
  runtime.onStop(watchUnreported(core, environment.REGION_REPORT_SECONDS, log));
  // without users each service makes its own
  if (isNatsUser(environment))
    runtime.onStop(keepConsumers({ ...runtime, senders: () => findSenders(core.database) }));
  const api = createApi({
    document,
    handlers: handlersOf(core, environment, log),
    authorize: authorizer(runtime, core, environment),
    validateResponses: environment.VALIDATE_RESPONSES,
    refused: runtime.recordRefusals(core.work, namedIn),
    ...runtime.guards,
  });
  return await runtime.serve(
    createApp({
      document: { ...document, servers: [{ url: environment.PUBLIC_URL }] },
      routers: [api],
      limit: runtime.guards.limit,
      readiness: runtime.readiness,
      metrics: runtime.metrics,
      service: runtime.service,
      log,
      trustedProxies: environment.TRUSTED_PROXIES,
      leaving: runtime.leaving,
    }),
  );
}

/** Has a changed catalogue taken over, and other services told of it. */
function keepCatalogue(
  runtime: ServiceRuntime,
  catalogue: LiveCatalogue,
  core: Core,
  { CATALOGUE_CHECK_SECONDS: everySeconds }: MainApiEnvironment,
): void {
  const features = keepFeaturesTold(core, runtime.log);
  runtime.onStop(() => features.stop());
  const { metrics, log } = runtime;
  catalogue.watch({ everySeconds, metrics, log, changed: () => features.wake() });
  runtime.onStop(() => catalogue.stop());
}

async function openDatabase(
  runtime: ServiceRuntime,
  { DATABASE_URL, DATABASE_POOL_SIZE }: MainApiEnvironment,
): Promise<DataSource> {
  const options = runtime.poolOptions('requests');
  const dataSource = await openDataSource(DATABASE_URL, DATABASE_POOL_SIZE, runtime.log, options);
  runtime.onStop(() => dataSource.destroy());
  return dataSource;
}

async function grantPublisher(
  runtime: ServiceRuntime,
  database: Database,
  sign: Sign,
): Promise<GrantPublisher> {
  const { topology, nats, log, environment } = runtime;
  const leases = new GrantLeases(nats, topology, environment.GRANT_LEASE_SECONDS, log);
  await leases.open();
  runtime.onStop(() => leases.close());
  return new GrantPublisher({ database, nats, topology, sign, leases, log });
}

const eventsStreamOf = ({ NATS_NAMESPACE }: Pick<MainApiEnvironment, 'NATS_NAMESPACE'>) =>
  topology(NATS_NAMESPACE).streams.events.name;

const reviewedRights = (metrics: ServiceRuntime['metrics']) =>
  new Counter({
    name: 'sluice_reviewed_grants_total',
    help: 'Keys, sessions, members and roles of a restored database that had changed since its copy, by what became of them',
    labelNames: ['outcome'],
    registers: [metrics],
  });

/** Keeps what is published as it should be. */
async function keepGrants(
  runtime: ServiceRuntime,
  core: Core,
  sign: Sign,
  publisher: GrantPublisher,
  { NATS_REPLICAS, SIGNING_KEYS }: MainApiEnvironment,
): Promise<void> {
  const { nats, topology, notifications, grants, log } = runtime;
  const senderOf = checkSignatures(topology, runtime.environment);
  const review = {
    ...{ ...core, publisher, nats, topology, senderOf, log },
    reviewed: reviewedRights(runtime.metrics),
  };
  const keeper = new BucketKeeper({
    database: core.database,
    nats,
    topology,
    notifications,
    sign,
    grants,
    publisher,
    replicas: NATS_REPLICAS,
    review: (known, book) => reviewRestoredRights(review, known, book),
    renew: () => renewGrants(core, SIGNING_KEYS[0]?.kid ?? '', log),
    log,
  });
  runtime.onStop(() => keeper.stop());
  await keeper.start();
  runtime.onStop(await keepDecisions({ ...core, log }, runtime));
}

async function consumeReports(runtime: ServiceRuntime, { work, catalogue }: Core): Promise<void> {
  const found = new Counter({
    name: 'sluice_inventory_differences_total',
    help: 'Deployments of which a region and main-api did not have the same, by what it was',
    labelNames: ['difference'],
    registers: [runtime.metrics],
  });
  const eventsStream = eventsStreamOf(runtime.environment);
  const dependencies = { catalogue, found, eventsStream, log: runtime.log };
  await runtime.consume({
    ...consumerOf(runtime.topology, 'main-api'),
    work,
    handle: (report, tx, { sender }) => handleReport(dependencies, report, tx, sender),
  });
}

/** Checks requests by key or session, and has recorded when each was used. */
function authorizer(
  runtime: ServiceRuntime,
  core: Core,
  { PUBLIC_URL: publicUrl }: MainApiEnvironment,
): Authorizer<Caller> {
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
  return sessions.through(keys.through(keyAuthorizer({ grants, now, publicUrl })));
}
