import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { LRUCache } from 'lru-cache';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { BounceCounts } from './bounce-metrics.ts';
import type { BounceOutcome } from './bounces.service.ts';
import { failureIn } from './delivery-report.ts';
import type { ReturnedMail, ReturnPaths } from '../mails/return-paths.ts';

interface CertificateFiles {
  certificate: string;
  key: string;
}

export interface BounceListenerOptions {
  host: string;
  port: number;
  /** as which it greets */
  name: string;
  /** where its certificate and the key of that are; without them it has no STARTTLS */
  tls: CertificateFiles | undefined;
  paths: Pick<ReturnPaths, 'read'>;
  record: (mail: ReturnedMail, reason: string) => Promise<BounceOutcome>;
  counts: BounceCounts;
  log: Log;
  /** of a connection, however busy it is, and of one that says nothing */
  sessionMilliseconds?: number;
  silenceMilliseconds?: number;
}

/** of a report, in bytes: with a mail of ours as a whole, and as a page of HTML besides */
const longestReport = 128 * 1024;
/** reports about one mail that are looked at within an hour; it takes one, and a few more where the first is left with its server */
const mostOfMail = 10;
const countedMilliseconds = 60 * 60 * 1_000;
/** mails whose reports are counted */
const mostCounted = 10_000;
/** connections at a time: as many reports may be in memory */
const mostConnections = 64;
/** of a command: an address with its parameters (RFC 5321, 4.5.3.1.4) */
const longestCommand = 2_048;
/** for what is under way at the end: a report is stored within moments, or comes again */
const graceMilliseconds = 1_000;
const rereadSeconds = 60 * 60;

export interface BounceListener {
  /** reads the certificate again, which is renewed while the service runs; undefined without one */
  job: Job | undefined;
  end: () => Promise<void>;
}

/** A reply that begins with its code, as SMTP has it. */
class Reply extends Error {
  readonly responseCode: number;
  constructor(reply: string) {
    super(reply.slice(4));
    this.responseCode = Number(reply.slice(0, 3));
  }
}

/**
 * Takes reports about mails of ours by SMTP, and nothing else: from the null sender (`<>`), to one return path that holds. A report is
 * acknowledged once what it says is stored; what fails until then is left with the server that has it.
 */
export async function listenForBounces(options: BounceListenerOptions): Promise<BounceListener> {
  const { host, port, name, tls, paths, log } = options;
  const { sessionMilliseconds = 120_000, silenceMilliseconds = 30_000 } = options;
  const seen = new LRUCache<string, number>({
    max: mostCounted,
    ttl: countedMilliseconds,
    noUpdateTTL: true,
  });
  const server = new SMTPServer({
    ...(tls && (await certificateOf(tls))),
    name,
    logger: false,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: longestReport,
    maxClients: mostConnections,
    maxCommandLength: longestCommand,
    maxRecipients: 1,
    socketTimeout: silenceMilliseconds,
    closeTimeout: graceMilliseconds,
    onMailFrom: ({ address }, _session, done) =>
      done(address === '' ? null : new Reply('550 5.7.1 only reports of undelivered mails are taken here')),
    onRcptTo({ address }, _session, done) {
      if (paths.read(address)) return done();
      options.counts.inc({ outcome: 'refused' });
      done(new Reply('550 5.1.1 there is no such return path'));
    },
    onData: (stream, session, done) =>
      void take(options, seen, stream, session).then(
        () => done(),
        (error: unknown) => done(replyTo(error, log)),
      ),
  });
  const clearTimers = endLongSessions(server, sessionMilliseconds);
  // a client that goes in the middle of something
  server.on('error', (error) => log.debug('a connection with a report has failed', { error }));
  server.listen(port, host);
  await once(server.server, 'listening');
  const reread = async (files: CertificateFiles) => server.updateSecureContext(await certificateOf(files));
  return {
    job: tls && { name: 'bounces_certificate', every: rereadSeconds, run: () => reread(tls) },
    async end() {
      await new Promise<void>((resolve) => server.close(resolve));
      clearTimers();
    },
  };
}

/** Ends sessions that take longer, however busy they are. @returns what forgets about those that are left */
function endLongSessions(server: SMTPServer, milliseconds: number): () => void {
  const timers = new Map<string, NodeJS.Timeout>();
  server.onConnect = ({ id }, done) => {
    const connection = [...server.connections].find((one) => one.id === id);
    const timer = setTimeout(() => connection?.close(), milliseconds);
    timers.set(id, timer);
    done();
  };
  server.onClose = ({ id }) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/** @throws Reply when it is not taken */
async function take(
  { paths, record, counts, log }: BounceListenerOptions,
  seen: LRUCache<string, number>,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const raw = await readAll(stream).catch(() => {
    throw new Reply('451 4.4.2 the connection was lost');
  });
  if (!raw) throw new Reply(`552 5.3.4 more than ${longestReport} bytes`);
  const mail = paths.read(envelope.rcptTo[0]?.address ?? '');
  if (!mail) throw new Reply('550 5.1.1 there is no such return path');
  const times = (seen.get(mail.id.toString()) ?? 0) + 1;
  seen.set(mail.id.toString(), times);
  if (times > mostOfMail) {
    counts.inc({ outcome: 'too_many' });
    throw new Reply('450 4.7.1 too many reports about this mail');
  }
  const reason = await failureIn(raw).catch(() => {
    counts.inc({ outcome: 'unreadable' });
    log.warn('what came to the return path of a mail cannot be read', { kind: mail.kind, id: mail.id });
    throw new Reply('554 5.6.0 it cannot be read');
  });
  if (reason === undefined) return counts.inc({ outcome: 'no_failure' });
  const outcome = await record(mail, reason);
  counts.inc({ outcome });
  if (outcome === 'early') throw new Reply('451 4.3.0 the mail is not known yet');
}

/** @returns undefined for what is too large */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // the rest has to be read, but not to be kept
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks);
}

/** What is no reply is a trouble of ours, in which the server that sends is to come again. */
function replyTo(error: unknown, log: Log): Reply {
  if (error instanceof Reply) return error;
  log.warn('a report about a mail could not be recorded', { error });
  return new Reply('451 4.3.0 it cannot be taken now');
}

async function certificateOf({ certificate, key }: CertificateFiles) {
  const read = { cert: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') };
  // while one of them is new already, they do not go together
  createSecureContext(read);
  return read;
}
