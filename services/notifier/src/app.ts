import {
  channelMessages,
  consumerOf,
  notifierChannels,
  notifierEvents,
  notifierRequests,
} from '@sluice/contracts';
import { createApp } from '@sluice/http';
import { answerRequests, NotUnderstood } from '@sluice/messaging';
import { startRuntime, type ServiceRuntime } from '@sluice/runtime';
import { countLookups, type Log, type RunningService } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import { secretBox, type SecretBox } from '@sluice/system/secrets';
import { destinations as guardedBy, type Destinations } from '@sluice/system/destinations';
import { authoritiesOf, type NotifierEnvironment, type Sender } from './config.ts';
import type { Database, Tables, Work } from './database/tables.ts';
import { listenForBounces, type BounceListener } from './features/bounces/bounce-listener.ts';
import { countBounces } from './features/bounces/bounce-metrics.ts';
import { bouncesService } from './features/bounces/bounces.service.ts';
import { returnPaths, type ReturnPaths } from './features/mails/return-paths.ts';
import { channelVault, type ChannelVault } from './features/channels/channel-vault.ts';
import { channelInventoryJob } from './features/channels/channel-inventory.ts';
import { channelStatesService } from './features/channels/channel-states.service.ts';
import { channelVersionsRule } from './features/channels/channels.store.ts';
import { checkHost } from './features/channels/host-check.ts';
import { Deliverer } from './features/delivery/deliverer.ts';
import { countNotifications, type NotificationCounts } from './features/delivery/delivery-metrics.ts';
import { httpsClient } from './features/delivery/https-client.ts';
import { mailAllowance } from './features/delivery/mail-allowance.ts';
import { senders } from './features/delivery/senders.ts';
import { countMails } from './features/mails/mail-metrics.ts';
import { mailsService } from './features/mails/mails.service.ts';
import type { MailTransport } from './features/mails/transports/mail-transport.ts';
import { openMailTransport } from './features/mails/transports/open-transport.ts';
import { notificationsService } from './features/notifications/notifications.service.ts';
import { historyService } from './features/notifications/history.service.ts';
import { unsubscribeLinks, type UnsubscribeLinks } from './features/unsubscribes/unsubscribe-links.ts';
import { unsubscribesService } from './features/unsubscribes/unsubscribes.service.ts';
import { mailAllowancesRule } from './features/delivery/mail-allowances.store.ts';
import { notificationRules } from './features/notifications/notifications.store.ts';
import { sentMailsRule } from './features/mails/sent-mails.store.ts';
import { scheduleJobs } from './jobs.ts';

/** The notifier is called over NATS: it has health and metrics, and no API. */
const document = { openapi: '3.1.0', info: { title: 'Sluice notifier', version: '1.0.0' }, paths: {} };

/** mails that are being sent at the same time; each holds a database connection meanwhile */
const mailsAtOnce = 4;
/** a mail that the mail server has not taken, or a channel that no key has opened, for a day becomes a dead letter */
const giveUpAfterMilliseconds = 24 * 60 * 60 * 1000;
/** events that are matched with channels in one transaction: each can notify all channels of its tenant */
const eventsTogether = 100;
/** one look for all events of this time; main-api has sent the state of a channel before it answers its change */
const settleMilliseconds = 20;
/** requests of main-api that are answered at the same time */
const mostRequests = 100;

/** What the parts of the notifier stand on. */
interface Core {
  runtime: ServiceRuntime;
  environment: NotifierEnvironment;
  database: Database;
  work: Work;
  vault: ChannelVault;
  links: UnsubscribeLinks;
  /** opens what main-api has sealed */
  cipher: SecretBox;
  mailing: Mailing;
  /** guards: lookups of one do not wait for those of another */
  newDestinations: () => Destinations;
}

/** How mails are sent, with any text. */
interface Mailing {
  transport: MailTransport;
  sender: Sender;
  returnPaths: ReturnPaths | undefined;
}

/** Starts the notifier: it sends the mails of all services, and notifies the channels of all tenants of events. */
export async function startNotifier(environment: NotifierEnvironment, log: Log): Promise<RunningService> {
  const migrations = new URL('../migrations/', import.meta.url);
  const runtime = await startRuntime('notifier', environment, migrations, log, { authorizes: false });
  const database = openKysely<Tables>(runtime.pool);
  runtime.prune([...notificationRules, channelVersionsRule, mailAllowancesRule, sentMailsRule]);
  const ended = new AbortController();
  const core: Core = {
    ...{ runtime, environment, database },
    work: runtime.unitOfWork(kyselyTransactions(database)),
    vault: channelVault(secretBox(environment.SECRETS_KEYS)),
    links: unsubscribeLinks({ keys: environment.SECRETS_KEYS, apiUrl: environment.MAIN_API_URL }),
    cipher: secretBox(environment.MAIL_KEYS),
    mailing: {
      transport: await openMailTransport(environment, ended.signal),
      sender: environment.MAIL_FROM,
      returnPaths: returnPathsOf(environment, runtime),
    },
    newDestinations: destinationsOf(runtime, environment),
  };
  await notifyAndDeliver(core);
  answerMainApi(core);
  await sendMails(core, ended);
  const bounces = await takeBounces(core);
  scheduleJobs(runtime.schedule, [channelInventoryJob(database, core.work), bounces?.job]);
  const { readiness, metrics, service, leaving } = runtime;
  const trustedProxies = environment.TRUSTED_PROXIES;
  const { limit } = runtime.guards;
  const app = createApp({
    ...{ document, limit, readiness, metrics, service, log, trustedProxies, leaving },
    routers: [],
  });
  return runtime.serve(app);
}

async function sendMails(
  { runtime, environment, work, cipher, mailing }: Core,
  ended: AbortController,
): Promise<void> {
  const { log, metrics, topology } = runtime;
  const mails = mailsService({ cipher, ...mailing, counts: countMails(metrics), log });
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

/** Takes reports about mails that have come back, where there is a port for them. */
async function takeBounces({
  runtime,
  environment,
  work,
  mailing: { returnPaths: paths },
}: Core): Promise<BounceListener | undefined> {
  const { BOUNCES_ADDRESS = '', BOUNCES_PORT: port, HOST: host } = environment;
  if (port === undefined || !paths) return undefined;
  const { BOUNCES_TLS_CERT_FILE: certificate, BOUNCES_TLS_KEY_FILE: key } = environment;
  const { log, now, metrics } = runtime;
  const bounces = bouncesService({ work, now, log });
  const listener = await listenForBounces({
    ...{ host, port, name: BOUNCES_ADDRESS.replace(/^.*@/, '') },
    tls: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    paths,
    record: (mail, reason) => bounces.record(mail, reason),
    counts: countBounces(metrics),
    log,
  });
  runtime.onStop(listener.end);
  return listener;
}

/** Takes in channels, notifies them of events, and delivers to them. */
async function notifyAndDeliver(core: Core): Promise<void> {
  const { runtime, environment, cipher, vault } = core;
  const { metrics, topology, now } = runtime;
  const counts = countNotifications(metrics);
  const deliverer = await openDeliverer(core, counts);
  const dueAfter = new WeakSet<object>();
  const work = wakingAfter(core.work, dueAfter, () => deliverer.wake());
  const throttleSeconds = environment.NOTIFICATION_THROTTLE_SECONDS;
  const due = (tx: object) => void dueAfter.add(tx);
  const notifications = notificationsService({
    throttleSeconds,
    consoleUrl: environment.CONSOLE_URL,
    counts,
    now,
    due,
  });
  const states = channelStatesService({ cipher, vault });
  const channels = await runtime.consume({
    ...notifierChannels(topology),
    work,
    giveUpAfterMilliseconds,
    handle: async ({ type, data }, tx) => {
      switch (type) {
        case 'channel_state':
          return await states.apply(tx, channelMessages.channel_state.parse(data));
        case 'channel_test':
          return await notifications.test(tx, channelMessages.channel_test.parse(data));
        default:
          throw new NotUnderstood(`there is no message '${type}' of channels`);
      }
    },
  });
  await runtime.consume({
    ...notifierEvents(topology),
    recovers: true,
    follows: { consumer: channels, settleMilliseconds },
    work,
    handle: (event, tx) => notifications.notice(tx, event),
    handleMany: () => notifications.noticeMany(),
    mostTogether: eventsTogether,
  });
  await deliverer.start();
}

async function openDeliverer(
  { runtime, environment, database, vault, links, mailing, newDestinations }: Core,
  counts: NotificationCounts,
): Promise<Deliverer> {
  const { log, metrics } = runtime;
  const client = httpsClient({
    destinations: newDestinations(),
    authorities: await authoritiesOf(environment),
    proxy: environment.HTTPS_PROXY,
  });
  runtime.onStop(() => client.close());
  const allowance = mailAllowance({
    database,
    perDay: environment.NOTIFICATION_MAILS_PER_ADDRESS,
    keys: environment.SECRETS_KEYS,
  });
  const send = senders({ database, vault, client, allowance, unsubscribeLinks: links, log, ...mailing });
  const retrySeconds = environment.NOTIFICATION_RETRY_SECONDS;
  const stopSeconds = environment.SHUTDOWN_GRACE_SECONDS;
  const deliverer = new Deliverer({ database, send, counts, metrics, log, retrySeconds, stopSeconds });
  runtime.onStop(() => deliverer.stop());
  return deliverer;
}

/** The unit of work, after whose commit the deliverer looks for what the transaction has left due. */
function wakingAfter(work: Work, dueAfter: WeakSet<object>, wake: () => void): Work {
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

/** Answers main-api: what only the notifier can look up, and its history. */
function answerMainApi({ runtime, database, work, vault, links, cipher, newDestinations }: Core): void {
  const { nats, topology, log } = runtime;
  const destinations = newDestinations();
  const unsubscribes = unsubscribesService({ database, work, vault, links });
  const history = historyService(database);
  const end = answerRequests({
    nats,
    subject: topology.subjects.notifierRequests,
    queue: 'notifier',
    box: cipher,
    requests: notifierRequests,
    handlers: {
      async check_host({ tenant_id, host }) {
        await checkHost(destinations, tenant_id, host);
        return {};
      },
      list_notifications: (asked) => history.list(asked),
      find_unsubscribe: (asked) => unsubscribes.find(asked),
      set_unsubscribe: (asked, until) => unsubscribes.set(asked, until),
    },
    most: mostRequests,
    log,
  });
  runtime.onStop(end);
}

function destinationsOf(
  { metrics }: ServiceRuntime,
  {
    NOTIFICATIONS_ALLOWED: allowed,
    NOTIFICATIONS_REFUSED: refused,
    NAME_SERVERS: servers,
  }: NotifierEnvironment,
): () => Destinations {
  const onLookup = countLookups(metrics);
  return () => guardedBy({ who: 'Notifications', reach: 'internet', allowed, refused, servers, onLookup });
}
