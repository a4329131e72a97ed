import { consumerOf } from '@sluice/contracts';
import {
  createApp,
  inTransaction,
  startRuntime,
  secretBox,
  type Log,
  type RunningService,
} from '@sluice/service-kit';
import type { NotifierEnvironment } from './config.ts';
import { countMails } from './features/mails/mail-metrics.ts';
import { mailsService } from './features/mails/mails.service.ts';
import { openMailTransport } from './features/mails/transports/open-transport.ts';

/** Nobody calls the notifier: it has health and metrics, and no API. */
const document = { openapi: '3.1.0', info: { title: 'Sluice notifier', version: '0.1.0' }, paths: {} };

/** mails that are being sent at the same time; each holds a database connection meanwhile */
const concurrency = 4;
/** a mail that the mail server has not taken for a day is no news any more */
const giveUpAfterMilliseconds = 24 * 60 * 60 * 1000;

/** Starts the notifier: the consumer that sends the mails of all services. */
export async function startNotifier(environment: NotifierEnvironment, log: Log): Promise<RunningService> {
  const migrations = new URL('../migrations/', import.meta.url);
  const runtime = await startRuntime('notifier', environment, migrations, log, {
    authorizes: false,
  });
  const { topology, pool, metrics, readiness, service, leaving } = runtime;

  const ended = new AbortController();
  const mails = mailsService({
    cipher: secretBox(environment.MAIL_KEYS),
    sender: environment.MAIL_FROM,
    transport: await openMailTransport(environment, ended.signal),
    counts: countMails(metrics),
    log,
  });
  const consumer = await runtime.consume({
    ...consumerOf(topology, 'notifier'),
    work: runtime.unitOfWork((run) => inTransaction(pool, run)),
    handle: (message) => mails.send(message),
    concurrency,
    giveUpAfterMilliseconds,
  });
  runtime.onStop(async () => {
    // a mail that a slow server has not taken by then is sent again by another replica
    const grace = setTimeout(() => ended.abort(), environment.SHUTDOWN_GRACE_SECONDS * 1000);
    await consumer.stop();
    clearTimeout(grace);
  });

  const trustedProxies = environment.TRUSTED_PROXIES;
  const { limit } = runtime.guards;
  const app = createApp({
    ...{ document, limit, readiness, metrics, service, log, trustedProxies, leaving },
    routers: [],
  });
  return runtime.serve(app);
}
