import { retry, Schedule } from '@sluice/controller';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  instanceOf,
  redriveOf,
  streamsOf,
  topology,
  verifier,
  type Sender,
  type StreamDeclaration,
  type Topology,
} from '@sluice/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Tracing } from '@sluice/system/tracing';
import type { Express } from 'express';
import type pg from 'pg';
import { Registry } from '@prometheus-io/client';
import {
  rateLimitsOf,
  statementLimitsOf,
  tenantSharesOf,
  type ServiceEnvironment,
  DatabaseIdentity,
  type DatabaseIdentityOptions,
  migrate,
  Notifications,
  createPool,
  databaseUrl,
  isMissingDatabase,
  isTransient,
  sqlOf,
  type PoolOptions,
  Pruner,
  type Pruning,
  type RunTransaction,
  type Sql,
  TenantShares,
  grantToWriter,
  type Writer,
  type Log,
  type RunningService,
  traceService,
} from '@sluice/service';
import { GrantCache, measureGrants } from '@sluice/grants';
import {
  type AnswerDeadline,
  idempotency,
  idempotencyRule,
  recordEffect,
  type Idempotency,
  listen,
  Refusals,
  type NoteRefusal,
  type RefusalsOptions,
  requestLimiter,
  type RequestLimiter,
} from '@sluice/http';
import {
  attemptsRule,
  Consumer,
  ConsumerLag,
  type ConsumerOptions,
  inboxRule,
  DatabaseRecord,
  closeNats,
  connectNats,
  natsAnswers,
  createUnitOfWork,
  type UnitOfWork,
  type UnitOfWorkOptions,
  isNatsUser,
  outboxRules,
  Relay,
  checkSignatures,
  signAs,
  Streams,
} from '@sluice/messaging';

/** What every service stands on: its database, NATS, the grants, the relay of its outbox, metrics. */
export interface ServiceRuntime {
  environment: ServiceEnvironment;
  log: Log;
  now: () => Date;
  /** which service it is, without its region: `main-api`, `supervisor`, … */
  service: string;
  metrics: Registry;
  /** the periodic jobs of the service; stopped after all that `onStop` registers */
  schedule: Schedule;
  pool: pg.Pool;
  /** how further pools are made: with the limits of the service's settings, and measured under their names */
  poolOptions: (name: string) => PoolOptions;
  /** when the database was last found to be replaced, as it says itself; null for never */
  databaseRestoredAt: () => Promise<Date | null>;
  notifications: Notifications;
  nats: NatsConnection;
  topology: Topology;
  grants: GrantCache;
  relay: Relay;
  /** the name of this running instance, unique among all */
  instance: string;
  readiness: Record<string, () => Promise<unknown>>;
  /** for `createApi`: limits of requests, their bodies and their time, and requests that come again with their `Idempotency-Key` */
  guards: { limit: RequestLimiter; once: Idempotency; bodySeconds: number; deadline: AnswerDeadline };
  /** aborted when the service gets the signal to stop: it answers on for `SHUTDOWN_DELAY_SECONDS`, and is not ready */
  leaving: AbortSignal;
  /** aborted when the service begins to stop: handlers that hold a request open answer it then */
  stopping: AbortSignal;
  /** Has what is of no use any more deleted, now and once in a while. */
  prune(prunings: readonly Pruning[]): void;
  /** Has `stop` called when the service ends, before the runtime goes; last registered, first stopped. */
  onStop(stop: () => Promise<void> | void): void;
  /**
   * How the service changes something: what a change sends leaves with its commit, and a request with an
   * `Idempotency-Key` has its effect once, and any request only while its right holds. `committed` is waited for, with
   * the relay already at work.
   */
  unitOfWork<Handle extends Sql>(
    transaction: RunTransaction<Handle>,
    committed?: UnitOfWorkOptions<Handle>['committed'],
  ): UnitOfWork<Handle>;
  /**
   * Starts a durable consumer, which is stopped with the service: first of all that has been registered before. Where NATS
   * does not have it yet, the service is not ready until main-api has made it.
   */
  consume<Handle extends Sql>(options: RuntimeConsumerOptions<Handle>): Promise<Consumer<Handle>>;
  /** What `createApi` tells refusals to, so that those that matter are recorded by this work. */
  recordRefusals<Handle extends Sql>(
    work: UnitOfWork<Handle>,
    subjects?: RefusalsOptions<Handle>['subjects'],
  ): NoteRefusal;
  /** Listens with the finished application. */
  serve(app: Express): Promise<RunningService>;
}

/** What a consumer needs that the runtime does not know. */
export type RuntimeConsumerOptions<Handle extends Sql> = Omit<
  ConsumerOptions<Handle>,
  'nats' | 'topology' | 'metrics' | 'senderOf' | 'sql' | 'process' | 'log' | 'declares' | 'restored'
>;

export interface RuntimeOptions {
  /** another clock, for tests */
  now?: (() => Date) | undefined;
  /** false for a service without callers: it loads no grants, and no change of rights waits for it */
  authorizes?: boolean;
  /** as whom it works once `DATABASE_URL`'s role has migrated; default: as that */
  writer?: Writer | undefined;
  /** what the service does when its database was restored, beside moving all ids on; in the transaction that records the restore */
  restored?: DatabaseIdentityOptions['restored'];
  /** the streams that the service waits for; default: those that its sender may write to or read */
  streams?: readonly (keyof Topology['streams'])[];
  /** true for the one service that makes the streams, and makes them again when NATS has lost them */
  ownsStreams?: boolean | StreamSettings;
}

/** Connects, migrates and loads everything that has to be there before a service can answer. */
export async function startRuntime(
  sender: Sender,
  environment: ServiceEnvironment,
  migrations: URL,
  log: Log,
  { now = () => new Date(), authorizes = true, ...options }: RuntimeOptions = {},
): Promise<ServiceRuntime> {
  const parts = await startParts(sender, environment, migrations, log, { authorizes, ...options });
  const { pool, nats, topology: names, metrics, schedule, relay, declares, instance: process } = parts;
  const senderOf = checkSignatures(names, environment);
  const consumers: Pick<Consumer<Sql>, 'check'>[] = [];
  const shares = new TenantShares(tenantSharesOf(environment));
  const leaving = new AbortController();
  const stopping = new AbortController();
  const stops: (() => Promise<void> | void)[] = [() => stopParts(parts), () => schedule.stop()];
  const onStop = (part: () => Promise<void> | void) => void stops.push(part);
  return {
    ...parts,
    environment,
    log,
    now,
    service: sender.split('/', 1)[0] ?? sender,
    readiness: {
      ...readinessChecks(parts, authorizes),
      consumers: () => Promise.all(consumers.map((consumer) => consumer.check())),
    },
    guards: {
      limit: requestLimiter({ grants: parts.grants, ...rateLimitsOf(environment) }),
      once: idempotency(pool),
      bodySeconds: environment.REQUEST_BODY_SECONDS,
      deadline: { seconds: environment.REQUEST_DEADLINE_SECONDS, log },
    },
    leaving: leaving.signal,
    stopping: stopping.signal,
    unitOfWork: (transaction, committed) =>
      createUnitOfWork({
        transaction,
        topology: names,
        sender,
        now,
        beforeCommit: recordEffect,
        grants: authorizes ? parts.grants : undefined,
        shares,
        committed: async (commit) => {
          relay.wake();
          await committed?.(commit);
        },
      }),
    databaseRestoredAt: () => parts.identity.restoredAt(sqlOf(pool)),
    prune: (prunings) => parts.pruner.add(prunings),
    onStop,
    async consume(options) {
      const ofRuntime = {
        nats,
        topology: names,
        metrics,
        senderOf,
        sql: sqlOf(pool),
        process,
        log,
        declares,
        restored: () => parts.identity.noticeRestore(),
      };
      const consumer = new Consumer({ ...ofRuntime, ...options });
      const { name: durable, ...redriven } = redriveOf(names, options.name);
      const redrive = new Consumer({ ...ofRuntime, ...options, ...redriven, durable, redrives: true });
      for (const each of [redrive, consumer]) {
        await each.start();
        consumers.push(each);
        onStop(() => each.stop());
      }
      return consumer;
    },
    recordRefusals(work, subjects) {
      const refusals = new Refusals({ work, ...(subjects && { subjects }), now, log });
      onStop(() => refusals.stop());
      return refusals.note;
    },
    async serve(app) {
      if (authorizes) await parts.grants.settled();
      const server = await listen(app, {
        host: environment.HOST,
        port: environment.PORT,
        headersSeconds: environment.REQUEST_HEADERS_SECONDS,
        bodySeconds: environment.REQUEST_BODY_SECONDS,
        log,
      });
      return {
        port: server.port,
        async stop() {
          leaving.abort();
          await pause(environment.SHUTDOWN_DELAY_SECONDS * 1000);
          stopping.abort();
          await server.stop(environment.SHUTDOWN_GRACE_SECONDS);
          for (const stop of stops.reverse()) await stop();
        },
      };
    },
  };
}

type Parts = Pick<
  ServiceRuntime,
  | 'metrics'
  | 'schedule'
  | 'pool'
  | 'poolOptions'
  | 'notifications'
  | 'nats'
  | 'topology'
  | 'grants'
  | 'relay'
  | 'instance'
> & {
  identity: DatabaseIdentity;
  record: DatabaseRecord;
  streams: Streams;
  /** whether the service makes its buckets and consumers */
  declares: boolean;
  pruner: Pruner;
  tracing: Tracing | undefined;
};

async function startParts(
  sender: Sender,
  environment: ServiceEnvironment,
  migrations: URL,
  log: Log,
  { authorizes, ...options }: RuntimeOptions,
): Promise<Parts> {
  const sign = signAs(sender, environment);
  const names = topology(environment.NATS_NAMESPACE);
  const instance = instanceOf(sender, `${hostname().replaceAll(/[^\w-]/g, '-')}-${randomUUID()}`);
  const metrics = new Registry();
  const schedule = new Schedule({ log, metrics });
  // before there are connections, whose statements are to be traced
  const tracing = await traceService(environment, sender, metrics, log);
  const url = databaseUrl(environment);
  const { DATABASE_POOL_SIZE: size, DATABASE_PREPARED_STATEMENTS } = environment;
  const { writer, restored } = options;
  const identity = new DatabaseIdentity({
    url,
    migrate: (pool) => migrateAndTell(pool, migrations, writer, log),
    restored,
    metrics,
    log,
  });
  const verifyDatabase = (client: pg.ClientBase) => identity.verify(client);
  const poolOptions = (name: string) => ({
    name,
    metrics,
    preparedStatements: DATABASE_PREPARED_STATEMENTS,
    verify: verifyDatabase,
    ...statementLimitsOf(environment),
  });
  const ownUrl = writer?.url ?? url;
  const pool = createPool(ownUrl, size, log, poolOptions('service'));
  const notifications = new Notifications(ownUrl, log, verifyDatabase);
  const nats = await connectNats(environment, sender, instance, log);
  const { ownsStreams = false } = options;
  const settings = typeof ownsStreams === 'object' ? ownsStreams : undefined;
  // where NATS has no users there may be no main-api that makes what all use
  const declares = Boolean(ownsStreams) || !isNatsUser(environment);
  const record = new DatabaseRecord({
    ...{ nats, topology: names, sender, log },
    bucketReplicas: declares ? (settings?.replicas ?? 1) : undefined,
    raise: () => identity.raiseRevision(sqlOf(pool)),
  });
  // before anything works with the database
  const recorded = await record.read();
  await whenThere('PostgreSQL', () => identity.start(recorded), log);
  await whenThere('PostgreSQL', () => notifications.open(), log);
  record.start();
  const used = (options.streams?.map((kind) => names.streams[kind]) ?? streamsOf(names, sender)).map(
    (stream) => asDecided(stream, names, settings),
  );
  const relay = new Relay({ pool, notifications, nats, metrics, sign, log, streams: used });
  const streams = new Streams({
    nats,
    streams: used,
    owner: ownsStreams !== false,
    replicas: settings?.replicas,
    seen: (stream) => relay.compare(stream),
    missing: (stream) => relay.forget(stream),
    log,
  });
  await streams.start();
  if (ownsStreams !== false)
    schedule.add(new ConsumerLag({ nats, topology: names, streams: used, metrics, log }).job);
  const leaseSeconds = environment.GRANT_LEASE_SECONDS;
  const verify = verifier(environment.TRUSTED_KEYS);
  const grants = new GrantCache({ nats, topology: names, instance, leaseSeconds, verify, log });
  if (authorizes) {
    measureGrants(metrics, grants);
    await grants.open();
  }
  await relay.start();
  const pruner = new Pruner({ pool, schedule, metrics, log });
  pruner.add([inboxRule, attemptsRule, ...outboxRules(environment.OUTBOX_KEEP_DAYS), idempotencyRule]);
  return {
    metrics,
    schedule,
    pool,
    poolOptions,
    identity,
    record,
    notifications,
    nats,
    topology: names,
    grants,
    streams,
    declares,
    relay,
    instance,
    pruner,
    tracing,
  };
}

/**
 * Waits for a server that is not there yet, or has no time, as where all of an installation starts at once: an end would only have the
 * start repeated from its beginning.
 */
export async function whenThere<T>(server: string, attempt: () => Promise<T>, log: Log): Promise<T> {
  return await retry(attempt, {
    pause: { first: 250, cap: 5_000 },
    failed: (error) => {
      if (!isTransient(error) && !isMissingDatabase(error)) throw error;
      log.warn('the start waits for a server', { server, error });
    },
  });
}

/** What an installation decides about the streams. */
export interface StreamSettings {
  /** on how many servers each is kept */
  replicas: number;
  eventsKeepDays: number;
}

function asDecided(stream: StreamDeclaration, names: Topology, settings?: StreamSettings): StreamDeclaration {
  if (!settings || stream.name !== names.streams.events.name) return stream;
  return { ...stream, maxAgeSeconds: settings.eventsKeepDays * 24 * 60 * 60 };
}

async function migrateAndTell(
  pool: pg.Pool,
  migrations: URL,
  writer: Writer | undefined,
  log: Log,
): Promise<void> {
  const { unknown } = await migrate(pool, migrations);
  if (writer) await grantToWriter(pool, writer, { isNewer: unknown.length > 0 });
  if (unknown.length > 0)
    log.info('a newer release has migrated the database; what it added is left alone', { unknown });
}

async function stopParts({
  streams,
  relay,
  grants,
  record,
  nats,
  notifications,
  pool,
  tracing,
}: Parts): Promise<void> {
  await streams.stop();
  await relay.stop();
  await grants.close();
  await record.stop();
  await closeNats(nats);
  await notifications.close();
  await pool.end();
  await tracing?.stop();
}

function readinessChecks(
  { identity, notifications, nats, grants, streams }: Parts,
  authorizes: boolean,
): ServiceRuntime['readiness'] {
  return {
    database: async () => {
      identity.check();
      await notifications.check();
    },
    nats: natsAnswers(nats),
    streams: () => streams.check(),
    ...(authorizes && {
      grants: async () => grants.check(),
    }),
  };
}
