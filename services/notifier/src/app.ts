import { consumerOf, notifierEvents, notifierRequests } from '@sluice/contracts';
import { createApp } from '@sluice/http';
import { answerRequests, type UnitOfWork } from '@sluice/messaging';
import { startRuntime, type ServiceRuntime } from '@sluice/runtime';
import {
  countLookups,
  kyselyTransactions,
  openKysely,
  type Log,
  type RunningService,
  type Sql,
} from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import { destinations as guardedBy, type Destinations } from '@sluice/system/destinations';
import { changes } from './changes.ts';
import { authoritiesOf, type NotifierEnvironment, type Sender } from './config.ts';
import type { Database, Tables } from './database/tables.ts';
import { listenForBounces } from './features/bounces/bounce-listener.ts';
import { countBounces } from './features/bounces/bounce-metrics.ts';
import { bouncesService } from './features/bounces/bounces.service.ts';
import { returnPaths, type ReturnPaths } from './features/bounces/return-paths.ts';
import { channelVault, type ChannelVault } from './features/channels/channel-secrets.ts';
import { channelsService } from './features/channels/channels.service.ts';
import { subscriptionsService } from './features/channels/subscriptions.service.ts';
import { Deliverer } from './features/delivery/deliverer.ts';
import { countNotifications } from './features/delivery/delivery-metrics.ts';
import { httpsClient } from './features/delivery/https-client.ts';
import { mailAllowance } from './features/delivery/mail-allowance.ts';
import { senders } from './features/delivery/senders.ts';
import { countMails } from './features/mails/mail-metrics.ts';
import { mailsService } from './features/mails/mails.service.ts';
import type { MailTransport } from './features/mails/transports/mail-transport.ts';
import { openMailTransport } from './features/mails/transports/open-transport.ts';
import { notificationsService } from './features/notifications/notifications.service.ts';
import { unsubscribeLinks } from './features/unsubscribes/unsubscribe-links.ts';
import { unsubscribesService } from './features/unsubscribes/unsubscribes.service.ts';
import { requestHandlers } from './requests.ts';
import { mailAllowancesRule } from './stores/mail-allowances.store.ts';
import { notificationRules } from './stores/notifications.store.ts';
import { requestsRule } from './stores/requests.store.ts';
import { sentMailsRule } from './stores/sent-mails.store.ts';

/** Whoever calls the notifier asks by NATS: it has health and metrics, and no API. */
const document = { openapi: '3.1.0', info: { title: 'Sluice notifier', version: '1.0.0' }, paths: {} };

/** mails that are being sent at the same time; each holds a database connection meanwhile */
const mailsAtOnce = 4;
/** a mail that the mail server has not taken for a day is no news any more */
const giveUpAfterMilliseconds = 24 * 60 * 60 * 1000;
/** events that are matched with channels in one transaction: each can be heard of by all channels of its tenant */
const eventsTogether = 100;
/** requests of main-api that are answered at the same time */
const mostRequests = 100;

/** Starts the notifier: it sends the mails of all services, keeps the channels of all tenants, and tells these of events. */
export async function startNotifier(environment: NotifierEnvironment, log: Log): Promise<RunningService> {
  const migrations = new URL('../migrations/', import.meta.url);
  const runtime = await startRuntime('notifier', environment, migrations, log, { authorizes: false });
  const database = openKysely<Tables>(runtime.pool);
  runtime.prune([...notificationRules, mailAllowancesRule, requestsRule, sentMailsRule]);
  const ended = new AbortController();
  const transport = await openMailTransport(environment, ended.signal);
  const vault = channelVault(secretBox(environment.SECRETS_KEYS));
  const paths = returnPathsOf(environment, runtime);
  const mailing = { transport, sender: environment.MAIL_FROM, returnPaths: paths };
  const guards = guardsOf(runtime, environment);
  const deliverer = await deliver(runtime, environment, database, vault, mailing, guards.deliveries);
  answerMainApi(runtime, environment, database, vault, guards.writes, () => deliverer.wake());
  await sendMails(runtime, environment, database, mailing, ended);
  if (paths) await takeBounces(runtime, environment, database, paths);
  const { readiness, metrics, service, leaving } = runtime;
  const trustedProxies = environment.TRUSTED_PROXIES;
  const { limit } = runtime.guards;
  const app = createApp({
    ...{ document, limit, readiness, metrics, service, log, trustedProxies, leaving },
    routers: [],
  });
  return runtime.serve(app);
}

/** How mails are sent, whatever they say. */
interface Mailing {
  transport: MailTransport;
  sender: Sender;
  returnPaths: ReturnPaths | undefined;
}

async function sendMails(
  runtime: ServiceRuntime,
  environment: NotifierEnvironment,
  database: Database,
  mailing: Mailing,
  ended: AbortController,
): Promise<void> {
  const { log, metrics, topology } = runtime;
  const mails = mailsService({
    cipher: secretBox(environment.MAIL_KEYS),
    ...mailing,
    counts: countMails(metrics),
    log,
  });
  const work = runtime.unitOfWork(kyselyTransactions(database));
  const consumer = await runtime.consume({
    ...consumerOf(topology, 'notifier'),
    work,
    handle: (message, tx) => mails.send(message, tx),
    abandoned: (message, tx, reason) => mails.giveUp(message, tx, reason),
    concurrency: mailsAtOnce,
    giveUpAfterMilliseconds,
  });
  runtime.onStop(async () => {
    // a mail that a slow server has not taken by then is sent again by another replica
    const grace = setTimeout(() => ended.abort(), environment.SHUTDOWN_GRACE_SECONDS * 1000);
    await consumer.stop();
    clearTimeout(grace);
  });
}

function returnPathsOf(
  { BOUNCES_ADDRESS: address, SECRETS_KEYS: keys }: NotifierEnvironment,
  { now }: ServiceRuntime,
): ReturnPaths | undefined {
  return address === undefined ? undefined : returnPaths({ keys, address, now });
}

/** Takes reports about mails that have come back. */
async function takeBounces(
  runtime: ServiceRuntime,
  environment: NotifierEnvironment,
  database: Database,
  paths: ReturnPaths,
): Promise<void> {
  const { BOUNCES_ADDRESS = '', BOUNCES_PORT: port, HOST: host } = environment;
  if (port === undefined) return;
  const { BOUNCES_TLS_CERT_FILE: certificate, BOUNCES_TLS_KEY_FILE: key } = environment;
  const { log, now, metrics } = runtime;
  const bounces = bouncesService({ work: runtime.unitOfWork(kyselyTransactions(database)), now, log });
  const end = await listenForBounces({
    ...{ host, port, name: BOUNCES_ADDRESS.replace(/^.*@/, '') },
    tls: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    paths,
    record: (mail, reason) => bounces.record(mail, reason),
    counts: countBounces(metrics),
    log,
  });
  runtime.onStop(end);
}

/** Tells channels of events. */
async function deliver(
  runtime: ServiceRuntime,
  environment: NotifierEnvironment,
  database: Database,
  vault: ChannelVault,
  mailing: Mailing,
  destinations: Destinations,
): Promise<Deliverer> {
  const { log, metrics, topology, now } = runtime;
  const counts = countNotifications(metrics);
  const client = httpsClient({
    destinations,
    authorities: await authoritiesOf(environment),
    proxy: environment.HTTPS_PROXY,
  });
  runtime.onStop(() => client.close());
  const allowance = mailAllowance({
    database,
    perDay: environment.NOTIFICATION_MAILS_PER_ADDRESS,
    keys: environment.SECRETS_KEYS,
  });
  const links = unsubscribeLinksOf(environment);
  const send = senders({ database, vault, client, allowance, unsubscribeLinks: links, log, ...mailing });
  const retrySeconds = environment.NOTIFICATION_RETRY_SECONDS;
  const stopSeconds = environment.SHUTDOWN_GRACE_SECONDS;
  const deliverer = new Deliverer({ database, send, counts, metrics, log, retrySeconds, stopSeconds });
  runtime.onStop(() => deliverer.stop());
  const throttleSeconds = environment.NOTIFICATION_THROTTLE_SECONDS;
  const dueAfter = new WeakSet<object>();
  const due = (tx: object) => void dueAfter.add(tx);
  const unitOfWork = runtime.unitOfWork(kyselyTransactions(database));
  const work = wakingAfter(unitOfWork, dueAfter, () => deliverer.wake());
  const notifications = notificationsService({ throttleSeconds, counts, now, due });
  await runtime.consume({
    ...notifierEvents(topology),
    recovers: true,
    work,
    handle: (event, tx) => notifications.notice(tx, event),
    handleMany: () => notifications.noticeMany(),
    mostTogether: eventsTogether,
  });
  await deliverer.start();
  return deliverer;
}

/** The unit of work, after whose commit is looked for what it has left to be done. */
function wakingAfter<Handle extends Sql>(
  work: UnitOfWork<Handle>,
  dueAfter: WeakSet<object>,
  wake: () => void,
): UnitOfWork<Handle> {
  return async (origin, run) => {
    let isDue = false;
    const result = await work(origin, async (tx) => {
      const outcome = await run(tx);
      isDue = dueAfter.has(tx);
      return outcome;
    });
    if (isDue) wake();
    return result;
  };
}

/** Answers main-api, which has the API of what the notifier keeps. */
function answerMainApi(
  runtime: ServiceRuntime,
  environment: NotifierEnvironment,
  database: Database,
  vault: ChannelVault,
  destinations: Destinations,
  wake: () => void,
): void {
  const { nats, topology, log } = runtime;
  const change = changes(runtime.unitOfWork(kyselyTransactions(database)));
  const channels = channelsService({ database, change, vault, destinations, wake });
  const subscriptions = subscriptionsService({ database, change });
  const links = unsubscribeLinksOf(environment);
  const unsubscribes = unsubscribesService({ database, change, vault, links });
  const end = answerRequests({
    nats,
    subject: topology.subjects.notifierRequests,
    queue: 'notifier',
    box: secretBox(environment.MAIL_KEYS),
    requests: notifierRequests,
    handlers: requestHandlers(channels, subscriptions, unsubscribes),
    most: mostRequests,
    log,
  });
  runtime.onStop(end);
}

const unsubscribeLinksOf = ({ SECRETS_KEYS: keys, MAIN_API_URL: apiUrl }: NotifierEnvironment) =>
  unsubscribeLinks({ keys, apiUrl });

/** Guards for deliveries and for writes: lookups of the one do not wait for those of the other. */
function guardsOf(
  { metrics }: ServiceRuntime,
  {
    NOTIFICATIONS_ALLOWED: allowed,
    NOTIFICATIONS_REFUSED: refused,
    NAME_SERVERS: servers,
  }: NotifierEnvironment,
): { deliveries: Destinations; writes: Destinations } {
  const onLookup = countLookups(metrics);
  const guard = () =>
    guardedBy({ who: 'Notifications', reach: 'internet', allowed, refused, servers, onLookup });
  return { deliveries: guard(), writes: guard() };
}
