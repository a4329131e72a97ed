import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import {
  idOf,
  notifierRequests,
  type ChannelMessage,
  type ChannelMessageType,
  type EventTypeName,
  type MailContent,
  type MailTemplate,
  type NotifierRequests,
  type ReportData,
  type ReportType,
  type TenantId,
} from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { requester, type Ask } from '@sluice/messaging';
import { readConfig, type Log } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { eventually, say, ServiceFixture, type FixtureOptions } from '@sluice/testing';
import winston from 'winston';
import { startNotifier } from '../src/app.ts';
import { notifierEnvironment } from '../src/config.ts';

export interface DeadLetter {
  reason: string;
  text: string;
}

export interface MailMessage {
  id: string;
  type: string;
  occurred_at: string;
  correlation_id: null;
  data: { template: string; to: string; sealed: string };
}

const keys = `test:${randomBytes(32).toString('base64')}`;

/** how long an answer is waited for, on a machine that is busy */
const patience = 60_000;

/** The notifier under test, and the rest of Sluice as it sees it: what comes over NATS. */
export const notifier = (options?: FixtureOptions) => new NotifierService(options);

export class NotifierService extends ServiceFixture {
  readonly #log: ReturnType<typeof keptLog>;
  readonly #box = secretBox(secretKeysSchema.parse(keys));

  constructor(options: FixtureOptions = {}) {
    const log = keptLog();
    super((environment) => startNotifier(readConfig(notifierEnvironment, environment), log.log), {
      sender: 'notifier',
      ...options,
      environment: { ...settings, ...options.environment },
    });
    this.#log = log;
  }

  /** A message that asks for a mail; `content` is sealed as it is. */
  async sealed(template: string, to: string, content: unknown): Promise<MailMessage> {
    return {
      id: randomUUID(),
      type: template,
      occurred_at: '2026-03-01T12:00:00.000Z',
      correlation_id: null,
      data: { template, to, sealed: await this.#box.seal(JSON.stringify(content)) },
    };
  }

  async publish(message: MailMessage): Promise<void> {
    await say(this, 'main-api', this.topology.subjects.mail(message.type), message);
  }

  /** Asks for a mail, as a service does. */
  async ask<Template extends MailTemplate>(
    template: Template,
    to: string,
    content: MailContent<Template>,
  ): Promise<MailMessage> {
    const message = await this.sealed(template, to, content);
    await this.publish(message);
    return message;
  }

  seal(text: string): Promise<string> {
    return this.#box.seal(text);
  }

  /** Sends what main-api sends of channels. */
  async channel<Type extends ChannelMessageType>(type: Type, data: ChannelMessage<Type>): Promise<void> {
    const head = { id: randomUUID(), type, occurred_at: new Date().toISOString(), correlation_id: null };
    await say(this, 'main-api', this.topology.subjects.channelMessage(type), { ...head, data });
  }

  /** Asks the notifier, as main-api does. */
  get request(): Ask<NotifierRequests> {
    const { nats } = this;
    const subject = this.topology.subjects.notifierRequests;
    return requester({ nats, subject, box: this.#box, requests: notifierRequests }, patience);
  }

  /** Publishes an event, as main-api or a region does. */
  async event(type: EventTypeName, more: object = {}): Promise<string> {
    const id = randomUUID();
    const event = {
      ...{ id, type, occurred_at: new Date().toISOString(), tenant_id: 1, data: {} },
      ...{ division: null, environment: null, deployment: null, author: null, user: null, api_key: null },
      correlation_id: null,
      ...more,
    };
    await say(
      this,
      'main-api',
      this.topology.subjects.event('main-api', idOf<TenantId>(event.tenant_id), type),
      event,
    );
    return id;
  }

  /** What the notifier has reported of this type. */
  async reports<Type extends ReportType>(type: Type): Promise<ReportData<Type>[]> {
    const found = await messagesIn(this.nats, this.topology.streams.reports.name);
    const reports = found.map(({ text }) => JSON.parse(text) as { type: string; data: ReportData<Type> });
    return reports.flatMap((report) => (report.type === type ? [report.data] : []));
  }

  async deadLetters(): Promise<DeadLetter[]> {
    const { deadLetters } = this.topology.streams;
    return (await messagesIn(this.nats, deadLetters.name)).map(({ header, text }) => ({
      reason: header.get('Sluice-Reason'),
      text,
    }));
  }

  /** Waits until no mail waits any more. */
  allSent(): Promise<void> {
    return this.allTaken(this.topology.streams.mails.name);
  }

  /** Waits until no message of a work queue waits any more. */
  async allTaken(stream: string): Promise<void> {
    const manager = await jetstreamManager(this.nats);
    await eventually(async () => expect((await manager.streams.info(stream)).state.messages).toBe(0), {
      timeoutMs: 20_000,
    });
  }

  /** everything that is stored in NATS and in the database, and has been logged, as text */
  async everythingStored(): Promise<string> {
    const { mails, deadLetters } = this.topology.streams;
    const messages = [
      ...(await messagesIn(this.nats, mails.name)),
      ...(await messagesIn(this.nats, deadLetters.name)),
    ].map(({ header, text }) => `${JSON.stringify([...header])}\n${text}`);
    const rows = await this.sql('SELECT i::text FROM inbox i UNION ALL SELECT o::text FROM outbox o');
    return [...messages, JSON.stringify(rows), ...this.#log.lines].join('\n');
  }
}

const settings = {
  MAIL_KEYS: keys,
  SECRETS_KEYS: `test:${randomBytes(32).toString('base64')}`,
  NOTIFICATIONS_ALLOWED: '127.0.0.0/8',
  MAIL_TRANSPORT: 'smtp',
  // there is no server, unless a test starts one
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIN_API_URL: 'https://api.sluice.example',
  MAIL_FROM: 'Sluice <no-reply@sluice.example>',
  SHUTDOWN_GRACE_SECONDS: '1',
  LOG_LEVEL: 'info',
};

async function messagesIn(nats: NatsConnection, streamName: string) {
  const { state } = await (await jetstreamManager(nats)).streams.info(streamName);
  const stream = await jetstream(nats).streams.get(streamName);
  const found = [];
  for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    if (message) found.push({ header: message.header, text: message.string() });
  }
  return found;
}

/** A log that hides nothing: what stands in it is what the service has said. */
function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      if (process.env['TEST_LOG']) process.stderr.write(chunk);
      done();
    },
  });
  const format = winston.format.printf((entry) => inspect(entry, { depth: 8 }));
  const transports = [new winston.transports.Stream({ stream })];
  return { log: winston.createLogger({ level: 'debug', format, transports }), lines };
}
