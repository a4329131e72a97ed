import { consumerOf, priceTermsOf, signer, topology, type Sign } from '@sluice/contracts';
import { GrantLeases, type Caller } from '@sluice/grants';
import {
  ChangeFeeds,
  createApi,
  createApp,
  feedPruning,
  keyAuthorizer,
  loadApiDocument,
  pages,
  trackKeyUsage,
  Waiting,
  type Authorizer,
} from '@sluice/http';
import { checkSignatures, isNatsUser, keepConsumers } from '@sluice/messaging';
import { startRuntime, whenThere, type ServiceRuntime } from '@sluice/runtime';
import { databaseUrl, listenForSignals, sqlOf, type Log, type RunningService } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import { Counter } from '@prometheus-io/client';
import type { DataSource } from 'typeorm';
import { LiveCatalogue } from '@sluice/catalogue/live-catalogue';
import { PriceBook } from '@sluice/catalogue/price-book';
import { sessionTimesOf, streamSettingsOf, type MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { migrations, openDataSource } from './data-source.ts';
import { databaseOf, transactionsOf, type Database } from '@sluice/main-store/database';
import { deleteExpiredKeys } from './features/access/api-keys/key-deletion.ts';
import { BucketKeeper } from '@sluice/grant-publication/publication/bucket-keeper';
import { GrantPublisher } from '@sluice/grant-publication/publication/grant-publisher';
import { grantingWork } from '@sluice/grant-publication/publication/granting-work';
import { renewGrants } from '@sluice/grant-publication/renewal';
import { kinds } from './features/events/events.operations.ts';
import { namedIn } from './features/organization/named-in.ts';
import { devicePages } from './features/identity/devices/device-pages.ts';
import { sessionUse } from './features/identity/sessions/session-use.ts';
import { paymentQueue } from './features/payments/payment-queue.ts';
import { isPaymentRequired, paymentProviderOf } from '@sluice/payments/provider-config';
import { webhooks } from './features/payments/webhooks.ts';
import { handleReport } from './features/regions/reports.ts';
import { reviewRestoredRights } from './features/restore/restore-review.ts';
import { handlersOf, signInParts } from './handlers.ts';
import { scheduleJobs } from './jobs.ts';
import { notifierClient } from './notifier-client.ts';
import { protectionCodes } from './protection-codes.ts';
import { recordKeyUse } from '@sluice/main-store/api-keys.store';
import { findSenders } from './features/regions/regions.store.ts';
import { beginReview } from '@sluice/grant-publication/grants.store';
import { insertFirstPriceList, loadPriceLists } from '@sluice/main-store/price-lists.store';
import { pruningRules } from './pruning.ts';

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
  await insertFirstPriceList(database, priceTermsOf(catalogue.view));
  const core: Core = {
    database,
    work: grantingWork(workOf(runtime, dataSource), publisher),
    catalogue: catalogue.view,
    prices: await PriceBook.open(() => loadPriceLists(database), runtime.now),
    baseDomain: environment.BASE_DOMAIN,
    consoleUrl: environment.CONSOLE_URL ?? environment.PUBLIC_URL,
    protectionCodes: protectionCodes(environment.PROTECTION_KEY),
    secrets: secretBox(environment.SECRETS_KEYS),
    mailCipher: secretBox(environment.MAIL_KEYS),
    notifier: notifierClient(runtime, secretBox(environment.MAIL_KEYS)),
    mailLimits: { perAddress: environment.MAILS_PER_ADDRESS, perTenant: environment.MAILS_PER_TENANT },
    sessionTimes: sessionTimesOf(environment),
    paymentRequired: isPaymentRequired(environment),
    invoicing: environment.BILLING_SELLER !== undefined,
    paymentProvider: await paymentProviderOf(environment),
    paymentReturnUrl: environment.PAYMENT_RETURN_URL ?? environment.CONSOLE_URL ?? environment.PUBLIC_URL,
    now: runtime.now,
  };
  runtime.prune([
    ...pruningRules(environment.TOMBSTONE_KEEP_DAYS),
    feedPruning(environment),
    { table: 'api_keys', remove: (rows) => deleteExpiredKeys(core, rows) },
  ]);
  const keeper = await keepGrants(runtime, core, sign, publisher, environment);
  runtime.onStop(() => keeper.close());
  await consumeReports(runtime, core);
  const sessions = sessionUse(core);
  const payments = paymentQueue(core, runtime);
  await payments.start();
  runtime.onStop(() => payments.stop());
  const requested = () => payments.wake();
  await scheduleJobs(runtime, core, environment, { catalogue, keeper, sessions, requested });
  // without users each service makes its own
  if (isNatsUser(environment))
    runtime.onStop(keepConsumers({ ...runtime, senders: () => findSenders(core.database) }));
  const signInWays = signInParts(core, environment, log);
  const { authorize, recheck } = authorizers(runtime, core, environment, sessions);
  const feeds = new ChangeFeeds({
    ...{ sql: sqlOf(runtime.pool), environment, document, kinds },
    ...{ stopping: runtime.stopping, metrics: runtime.metrics, log },
  });
  const api = createApi({
    document,
    handlers: handlersOf(core, environment, document.info.version, log, signInWays, feeds, runtime.stopping),
    authorize,
    recheck,
    validateResponses: environment.VALIDATE_RESPONSES,
    refused: runtime.recordRefusals(core.work, namedIn),
    waiting: new Waiting({
      changes: await listenForSignals(runtime.notifications, 'deployment_changed'),
      leaving: runtime.leaving,
    }),
    ...runtime.guards,
  });
  return await runtime.serve(
    createApp({
      document: { ...document, servers: [{ url: environment.PUBLIC_URL }] },
      routers: [
        pages({ ...devicePages(signInWays), authorize, ...runtime.guards }),
        ...(core.paymentProvider
          ? [
              webhooks(core.paymentProvider, {
                ...core,
                ...runtime.guards,
                metrics: runtime.metrics,
                log,
                requested,
              }),
            ]
          : []),
        api,
      ],
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

/** for how long the answer to a change of a channel waits until NATS has its state, in milliseconds */
const channelSentWithin = 2_000;

/** What changes a channel is answered once its state is sent: an event that comes after the answer is matched by it. */
const workOf = (runtime: ServiceRuntime, dataSource: DataSource) =>
  runtime.unitOfWork(transactionsOf(dataSource), async ({ outboxIds, kinds }) => {
    if (kinds.has('channel')) await runtime.relay.waitUntilSent(outboxIds, channelSentWithin);
  });

async function openDatabase(runtime: ServiceRuntime, environment: MainApiEnvironment): Promise<DataSource> {
  const options = runtime.poolOptions('requests');
  const url = databaseUrl(environment);
  const open = () => openDataSource(url, environment.DATABASE_POOL_SIZE, runtime.log, options);
  const dataSource = await whenThere('PostgreSQL', open, runtime.log);
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

async function keepGrants(
  runtime: ServiceRuntime,
  core: Core,
  sign: Sign,
  publisher: GrantPublisher,
  { NATS_REPLICAS, SIGNING_KEYS }: MainApiEnvironment,
) {
  const { nats, topology, grants, log } = runtime;
  const senderOf = checkSignatures(topology, runtime.environment);
  const review = {
    ...{ ...core, publisher, nats, topology, senderOf, log },
    reviewed: reviewedRights(runtime.metrics),
  };
  return await BucketKeeper.open({
    database: core.database,
    nats,
    topology,
    sign,
    grants,
    publisher,
    replicas: NATS_REPLICAS,
    review: (known, book) => reviewRestoredRights(review, known, book),
    renew: () => renewGrants(core, SIGNING_KEYS[0]?.kid ?? '', log),
    log,
  });
}

async function consumeReports(
  runtime: ServiceRuntime,
  { work, catalogue, prices, secrets, mailCipher }: Core,
): Promise<void> {
  const found = new Counter({
    name: 'sluice_inventory_differences_total',
    help: 'Deployments of which a region and main-api did not have the same, by what it was',
    labelNames: ['difference'],
    registers: [runtime.metrics],
  });
  const eventsStream = eventsStreamOf(runtime.environment);
  const dependencies = { catalogue, prices, secrets, mailCipher, found, eventsStream, log: runtime.log };
  await runtime.consume({
    ...consumerOf(runtime.topology, 'main-api'),
    work,
    handle: (report, tx, { sender }) => handleReport(dependencies, report, tx, sender),
  });
}

/** Checks requests by key or session, and records when each was used; one that goes on is no use of it. */
function authorizers(
  runtime: ServiceRuntime,
  core: Core,
  { PUBLIC_URL: publicUrl }: MainApiEnvironment,
  sessions: ReturnType<typeof sessionUse>,
): { authorize: Authorizer<Caller>; recheck: Authorizer<Caller> } {
  const { grants, now, log } = runtime;
  const keys = trackKeyUsage({
    store: async (uses) => void (await recordKeyUse(core.database, uses)),
    everyMilliseconds: 5_000,
    now,
    log,
  });
  runtime.onStop(() => keys.stop());
  runtime.onStop(() => sessions.stop(log));
  const recheck = keyAuthorizer({ grants, now, publicUrl });
  return { authorize: sessions.through(keys.through(recheck)), recheck };
}
