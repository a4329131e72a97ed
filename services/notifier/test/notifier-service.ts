import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { topology, type MailContent, type MailTemplate, type Topology } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { readConfig, secretBox, secretKeysSchema, type Log, type RunningService } from '@sluice/service-kit';
import { eventually, testDatabase, testNats } from '@sluice/testing';
import pg from 'pg';
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

/** The notifier under test, and the rest of Sluice as it sees it: what comes over NATS. */
export interface Stage {
  topology: Topology;
  nats: NatsConnection;
  /** what a replica needs to know, to be started as a process */
  environment: Record<string, string>;
  /** Starts one more replica in this process; it is stopped by `end` unless it was before. */
  start(more: Record<string, string>): Promise<RunningService>;
  /** A message that asks for a mail; `content` is sealed as it is. */
  sealed(template: string, to: string, content: unknown): Promise<MailMessage>;
  publish(message: MailMessage): Promise<void>;
  /** Asks for a mail, as a service does. */
  ask<Template extends MailTemplate>(
    template: Template,
    to: string,
    content: MailContent<Template>,
  ): Promise<MailMessage>;
  deadLetters(): Promise<DeadLetter[]>;
  /** Waits until no mail waits any more. */
  allSent(): Promise<void>;
  /** everything that is stored in NATS and in the database, and has been logged, as text */
  everythingStored(): Promise<string>;
  query(text: string): Promise<void>;
  end(): Promise<void>;
}

const keys = `test:${randomBytes(32).toString('base64')}`;

export async function setStage(): Promise<Stage> {
  const database = await testDatabase();
  const server = testNats();
  const { url: natsUrl, namespace } = server;
  const names = topology(namespace);
  const nats = await connect({ servers: natsUrl });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const services = new Set<RunningService>();
  const { log, lines } = keptLog();
  const box = secretBox(secretKeysSchema.parse(keys));
  const environment = {
    PORT: '0',
    DATABASE_URL: database.url,
    NATS_URL: natsUrl,
    NATS_NAMESPACE: namespace,
    MAIL_KEYS: keys,
    MAIL_FROM: 'Sluice <no-reply@sluice.example>',
    SHUTDOWN_GRACE_SECONDS: '1',
  };
  const stage: Stage = {
    topology: names,
    nats,
    environment,
    async start(more) {
      const service = await startNotifier(readConfig(notifierEnvironment, { ...environment, ...more }), log);
      services.add(service);
      return {
        port: service.port,
        stop: async () => void (services.delete(service) && (await service.stop())),
      };
    },
    sealed: async (template, to, content) => ({
      id: randomUUID(),
      type: template,
      occurred_at: '2026-03-01T12:00:00.000Z',
      correlation_id: null,
      data: { template, to, sealed: await box.seal(JSON.stringify(content)) },
    }),
    async publish(message) {
      await jetstream(nats).publish(names.subjects.mail(message.type), JSON.stringify(message));
    },
    async ask(template, to, content) {
      const message = await stage.sealed(template, to, content);
      await stage.publish(message);
      return message;
    },
    deadLetters: async () =>
      (await messagesIn(nats, names.streams.deadLetters.name)).map(({ header, text }) => ({
        reason: header.get('Sluice-Reason'),
        text,
      })),
    async allSent() {
      const manager = await jetstreamManager(nats);
      await eventually(
        async () => expect((await manager.streams.info(names.streams.mails.name)).state.messages).toBe(0),
        { timeoutMs: 20_000 },
      );
    },
    async everythingStored() {
      const messages = [
        ...(await messagesIn(nats, names.streams.mails.name)),
        ...(await messagesIn(nats, names.streams.deadLetters.name)),
      ].map(({ header, text }) => `${JSON.stringify([...header])}\n${text}`);
      const rows = await client.query('SELECT i::text FROM inbox i UNION ALL SELECT o::text FROM outbox o');
      return [...messages, JSON.stringify(rows.rows), ...lines].join('\n');
    },
    query: async (text) => void (await client.query(text)),
    async end() {
      for (const service of services) await service.stop();
      await client.end();
      await nats.close();
      await database.drop();
      await server.deleteNamespace();
    },
  };
  return stage;
}

/** The metrics of a replica that the tests look at, as Prometheus reads them. */
export async function metricsOf({ port }: RunningService): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

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
