import { randomUUID } from 'node:crypto';
import {
  channelMessages,
  commandSchemas,
  eventTypes,
  type Cause,
  type ChannelMessage,
  type ChannelMessageType,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type TenantId,
  type UserId,
  type CommandData,
  type CommandType,
  type EventData,
  type EventTypeName,
  type Mail,
  type Ref,
  type ReportData,
  type ReportType,
  type Sender,
  type Topology,
} from '@sluice/contracts';
import {
  isStalePlan,
  type RunTransaction,
  type Sql,
  type TenantShares,
  type CommitGuard,
  type Origin,
  currentTraceparent,
  refuseAfterDeadline,
} from '@sluice/service';
import { PermanentError } from './errors.ts';

/** Whom and what an event is about; absent references are null in the envelope. */
export interface Subjects {
  tenant_id: TenantId;
  division?: Ref<DivisionId> | null;
  environment?: Ref<EnvironmentId> | null;
  deployment?: (Ref<DeploymentId> & { uid: string }) | null;
  user?: Ref<UserId> | null;
}

/** bytes of a message: half of what NATS takes unless it is configured otherwise, so that headers fit beside it */
const maxMessageBytes = 512 * 1024;

/**
 * What a unit of work can say to the outside. All of it is stored with the change and sent after the commit. A message
 * above 512 KiB is refused with a `PermanentError`, and with it the change.
 */
export interface Outgoing {
  /** @param correlationId of the work that the event ends: then it has no author, although a caller's change has brought it about */
  emit<Type extends EventTypeName>(
    type: Type,
    about: Subjects,
    data: EventData<Type>,
    correlationId?: string | null,
  ): void;
  /** @throws ZodError for a command that its region could not read */
  command<Type extends CommandType>(
    region: { cloud: string; region: string },
    type: Type,
    data: CommandData<Type>,
  ): void;
  /** Gives the notifier the state of a channel, or has it sent a test message. @throws ZodError for what it could not read */
  channel<Type extends ChannelMessageType>(type: Type, data: ChannelMessage<Type>): void;
  report<Type extends ReportType>(type: Type, data: ReportData<Type>): void;
  /** Asks the notifier to send a mail, whose content is already sealed. @returns its id, by which its failure is reported */
  mail(mail: Mail): string;
}

/** A row of the outbox before it is stored. */
interface Message {
  kind: keyof Outgoing;
  message_id: string;
  ordering_key: string;
  subject: string;
  headers: Record<string, string>;
  payload: string;
}

export interface UnitOfWorkOptions<Handle extends Sql> {
  transaction: RunTransaction<Handle>;
  topology: Topology;
  /** whose word the reports are */
  sender: Sender;
  now: () => Date;
  /** the last statements of every transaction; one that rejects rolls it back */
  beforeCommit?: (sql: Sql, origin: Origin) => Promise<void>;
  /** where rights are checked: those of requests are checked again when their effects are committed */
  grants?: CommitGuard | undefined;
  /** the connections that the changes of one tenant may use */
  shares?: TenantShares | undefined;
  /** called after every transaction that has sent something; the work ends when it resolves */
  committed?: (commit: Commit) => Promise<void> | void;
}

/** What a transaction has committed besides its rows. */
export interface Commit {
  /** the rows that it has added to the outbox */
  outboxIds: number[];
  kinds: ReadonlySet<keyof Outgoing>;
}

/** Runs work in a transaction that also collects what has to be sent. `origin` is the caller, or `system`. */
export type UnitOfWork<Handle extends Sql> = <T>(
  origin: Origin,
  work: (tx: Handle & Outgoing) => Promise<T>,
) => Promise<T>;

/** The one way to change something: the change and the messages about it are stored together or not at all. */
export function createUnitOfWork<Handle extends Sql>(options: UnitOfWorkOptions<Handle>): UnitOfWork<Handle> {
  const { shares } = options;
  const attempt: UnitOfWork<Handle> = async (origin, work) => {
    const change = () => commit(options, origin, work);
    const { result, ...sent } = await (shares ? shares.run(origin, change) : change());
    if (sent.outboxIds.length > 0) await options.committed?.(sent);
    return result;
  };
  return (origin, work) =>
    attempt(origin, work).catch((error: unknown) => {
      // nothing has happened, and all is prepared anew
      if (isStalePlan(error)) return attempt(origin, work);
      throw error;
    });
}

async function commit<Handle extends Sql, T>(
  options: UnitOfWorkOptions<Handle>,
  origin: Origin,
  work: (tx: Handle & Outgoing) => Promise<T>,
): Promise<Commit & { result: T }> {
  let outboxIds: number[] = [];
  let messages: Message[] = [];
  let endCommit = () => {};
  const { right } = origin;
  const guard = right && options.grants;
  try {
    const result = await options.transaction(async (handle) => {
      messages = [];
      const outcome = await work(Object.assign(handle, outgoing(messages, origin.cause, options)));
      outboxIds = await store(handle, messages, guard?.commitMilliseconds);
      await options.beforeCommit?.(handle, origin);
      // the last things before the commit
      refuseAfterDeadline();
      if (right && guard) endCommit = guard.beginCommit(right);
      return outcome;
    });
    return { result, outboxIds, kinds: new Set(messages.map(({ kind }) => kind)) };
  } finally {
    endCommit();
  }
}

/**
 * Stores messages. From here on the database gives the transaction up when it hears nothing of it for `idleMilliseconds`: should this
 * process stop after it has compared the right that the transaction stands on, nothing is committed once that can have been taken away.
 */
async function store(sql: Sql, messages: Message[], idleMilliseconds: number | undefined): Promise<number[]> {
  const idle = idleMilliseconds === undefined ? null : String(Math.round(idleMilliseconds));
  if (messages.length === 0) {
    if (idle !== null) await sql.query(`SELECT ${endWhenIdle('$1')}`, [idle]);
    return [];
  }
  const stored = await sql.query<{ id: number }>(
    `WITH stored AS (
       INSERT INTO outbox (message_id, ordering_key, subject, headers, payload)
       SELECT message_id, ordering_key, subject, headers, payload
       FROM jsonb_to_recordset($1::jsonb) AS row (message_id uuid, ordering_key text, subject text, headers jsonb, payload text)
       RETURNING id)
     SELECT id, pg_notify('outbox', ''), ${idle === null ? '$2::text' : endWhenIdle('$2')} FROM stored`,
    [JSON.stringify(messages), idle],
  );
  return stored.map(({ id }) => Number(id));
}

const endWhenIdle = (milliseconds: string) =>
  `set_config('idle_in_transaction_session_timeout', ${milliseconds}, true)`;

function outgoing(
  messages: Message[],
  cause: Cause,
  { topology: { subjects }, sender, now }: Pick<UnitOfWorkOptions<Sql>, 'topology' | 'sender' | 'now'>,
): Outgoing {
  const add = (
    kind: keyof Outgoing,
    ordering_key: string,
    subject: string,
    payload: unknown,
    id = randomUUID(),
  ) => {
    const traceparent = currentTraceparent();
    const headers: Record<string, string> = traceparent ? { traceparent } : {};
    const text = JSON.stringify(payload);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxMessageBytes)
      throw new PermanentError(
        `A message on ${subject} has ${bytes} bytes; at most ${maxMessageBytes} can be sent`,
      );
    messages.push({ kind, message_id: id, ordering_key, subject, headers, payload: text });
  };
  const envelope = (type: string) => ({
    id: randomUUID(),
    type,
    occurred_at: now().toISOString(),
    correlation_id: cause.correlation_id,
  });
  return {
    emit(type, about, data, correlationId) {
      const isEnd = correlationId !== undefined;
      const head = { ...envelope(type), ...(isEnd && { correlation_id: correlationId }) };
      const { author, api_key } = isEnd ? { author: null, api_key: null } : cause;
      const refs = { division: null, environment: null, deployment: null, user: null, ...about };
      add(
        'emit',
        `tenant ${about.tenant_id}`,
        subjects.event(sender, about.tenant_id, type),
        // its fields alone: other properties of the object are not sent
        { ...head, ...refs, author, api_key, data: eventTypes[type].data.parse(data) },
        head.id,
      );
    },
    command({ cloud, region }, type, data) {
      commandSchemas[type].parse(data);
      const head = envelope(type);
      add(
        'command',
        `region ${cloud} ${region}`,
        subjects.command(cloud, region, type),
        { ...head, data },
        head.id,
      );
    },
    channel(type, data) {
      const checked = channelMessages[type].parse(data);
      const head = envelope(type);
      const key = `channel ${checked.channel_id}`;
      add('channel', key, subjects.channelMessage(type), { ...head, data: checked }, head.id);
    },
    report(type, data) {
      const head = envelope(type);
      add('report', 'reports', subjects.report(sender, type), { ...head, data }, head.id);
    },
    mail(mail) {
      const head = envelope(mail.template);
      add('mail', `mail ${mail.to}`, subjects.mail(mail.template), { ...head, data: mail }, head.id);
      return head.id;
    },
  };
}
