import { randomUUID } from 'node:crypto';
import type {
  Cause,
  CommandData,
  CommandType,
  EventData,
  EventTypeName,
  Grant,
  Mail,
  Ref,
  ReportData,
  ReportType,
  Topology,
} from '@sluice/contracts';
import type { RunTransaction, Sql } from '../database/sql.ts';
import { currentContext } from '../request-context.ts';

/** Whom and what an event is about; absent references are null in the envelope. */
export interface Subjects {
  tenant_id: number;
  division?: Ref | null;
  environment?: Ref | null;
  deployment?: Ref | null;
  user?: Ref | null;
}

/** What a unit of work can say to the outside. All of it is stored with the change and sent after the commit. */
export interface Outgoing {
  emit<Type extends EventTypeName>(type: Type, about: Subjects, data: EventData<Type>): void;
  command<Type extends CommandType>(
    region: { cloud: string; region: string },
    type: Type,
    data: CommandData<Type>,
  ): void;
  report<Type extends ReportType>(type: Type, data: ReportData<Type>): void;
  /** Asks the notifier to send a mail, whose content is already sealed. */
  mail(mail: Mail): void;
  /** Publishes the grant of a token, or with null takes it away. */
  grant(key: string, grant: Grant | null): void;
}

interface OutboxRow {
  message_id: string;
  lane: string;
  subject: string;
  headers: Record<string, string>;
  payload: string;
}

export interface UnitOfWorkOptions<Handle extends Sql> {
  transaction: RunTransaction<Handle>;
  topology: Topology;
  now: () => Date;
  /** called with the ids of the rows that a transaction has added to the outbox */
  committed?: (outboxIds: number[]) => void;
}

/** Runs work in a transaction that also collects what has to be sent. */
export type UnitOfWork<Handle extends Sql> = <T>(
  cause: Cause,
  work: (tx: Handle & Outgoing) => Promise<T>,
) => Promise<T>;

/** The one way to change something: the change and the messages about it are stored together or not at all. */
export function createUnitOfWork<Handle extends Sql>(options: UnitOfWorkOptions<Handle>): UnitOfWork<Handle> {
  return async (cause, work) => {
    let ids: number[] = [];
    const result = await options.transaction(async (handle) => {
      const rows: OutboxRow[] = [];
      const outcome = await work(Object.assign(handle, outgoing(rows, cause, options)));
      ids = rows.length > 0 ? await store(handle, rows) : [];
      const committing = currentContext()?.committing;
      if (committing) await handle.query(committing.text, committing.values);
      return outcome;
    });
    if (ids.length > 0) options.committed?.(ids);
    return result;
  };
}

async function store(sql: Sql, rows: OutboxRow[]): Promise<number[]> {
  const stored = await sql.query<{ id: number }>(
    `WITH stored AS (
       INSERT INTO outbox (message_id, lane, subject, headers, payload)
       SELECT message_id, lane, subject, headers, payload
       FROM jsonb_to_recordset($1::jsonb) AS row (message_id uuid, lane text, subject text, headers jsonb, payload text)
       RETURNING id)
     SELECT id, pg_notify('outbox', '') FROM stored`,
    [JSON.stringify(rows)],
  );
  return stored.map(({ id }) => Number(id));
}

function outgoing(
  rows: OutboxRow[],
  cause: Cause,
  { topology: { subjects, buckets }, now }: Pick<UnitOfWorkOptions<Sql>, 'topology' | 'now'>,
): Outgoing {
  const add = (
    lane: string,
    subject: string,
    payload: unknown,
    id = randomUUID(),
    more: Record<string, string> = {},
  ) => {
    const traceparent = currentContext()?.traceparent;
    const headers = { ...(traceparent && { traceparent }), ...more };
    rows.push({
      message_id: id,
      lane,
      subject,
      headers,
      payload: payload === null ? '' : JSON.stringify(payload),
    });
  };
  const envelope = (type: string) => ({
    id: randomUUID(),
    type,
    occurred_at: now().toISOString(),
    correlation_id: cause.correlation_id,
  });
  return {
    emit(type, about, data) {
      const head = envelope(type);
      const { author, api_key } = cause;
      const refs = { division: null, environment: null, deployment: null, user: null, ...about };
      add(
        `tenant ${about.tenant_id}`,
        subjects.event(about.tenant_id, type),
        { ...head, ...refs, author, api_key, data },
        head.id,
      );
    },
    command({ cloud, region }, type, data) {
      const head = envelope(type);
      add(`region ${cloud} ${region}`, subjects.command(cloud, region, type), { ...head, data }, head.id);
    },
    report(type, data) {
      const head = envelope(type);
      add('reports', subjects.report(type), { ...head, data }, head.id);
    },
    mail(mail) {
      const head = envelope(mail.template);
      add(`mail ${mail.to}`, subjects.mail(mail.template), { ...head, data: mail }, head.id);
    },
    grant(key, grant) {
      const removal = { 'KV-Operation': 'DEL' };
      add(`grant ${key}`, `$KV.${buckets.grants}.${key}`, grant, randomUUID(), grant ? {} : removal);
    },
  };
}
