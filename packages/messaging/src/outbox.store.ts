import type { PruningRule, Sql } from '@sluice/service';
import type { StreamState } from './streams.ts';

/** The statements of the relay, on `outbox`, `outbox_sent` and `outbox_dead_letters`. */

export interface OutboxRow {
  id: number;
  message_id: string;
  ordering_key: string;
  subject: string;
  headers: Record<string, string>;
  payload: string;
  /** how often NATS has refused it before */
  refusals: number;
}

/** Where NATS has stored a row. */
export interface Sent {
  id: number;
  stream: string;
  sequence: number;
  /** whether it had not been stored there before */
  isNew: boolean;
}

/** identifies relays among the advisory locks of a database */
const relayLock = 0x51_0b_0c_5e;
/** rows that are read at a time */
const batchRows = 200;
/** no further row is read once these are */
const batchBytes = 4 * 2 ** 20;

/** The stream that a subject belongs to, as the column `stream_kind` says it. */
export const streamKindOf = (subject: string) => subject.split('.')[1] ?? '';

/** The kinds of stream for which something waits. Reads one entry of the index for each, however much waits. */
export async function waitingKinds(sql: Sql): Promise<string[]> {
  const kinds = await sql.query<{ stream_kind: string }>(
    `WITH RECURSIVE kinds AS (
       (SELECT stream_kind FROM outbox ORDER BY stream_kind LIMIT 1)
       UNION ALL
       SELECT (SELECT stream_kind FROM outbox WHERE stream_kind > kinds.stream_kind ORDER BY stream_kind LIMIT 1)
       FROM kinds WHERE stream_kind IS NOT NULL)
     SELECT stream_kind FROM kinds WHERE stream_kind IS NOT NULL`,
  );
  return kinds.map(({ stream_kind }) => stream_kind);
}

/** after how many milliseconds without a statement the database ends a relay's transaction, and its lock with it */
const idleMilliseconds = 8_000;

/**
 * Takes the lock of the relays of one kind until the transaction ends, which the database does by itself when nothing
 * has been heard of it for eight seconds: from a process that is frozen, or whose machine is gone.
 * @returns false when another relay has it
 */
export async function tryRelayLock(sql: Sql, kind: string): Promise<boolean> {
  await endWhenIdle(sql);
  const [lock] = await sql.query<{ mine: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1::int, hashtext($2)) AS mine',
    [relayLock, kind],
  );
  return lock?.mine === true;
}

/** As `tryRelayLock`, but waits until the other relay has ended. */
export async function waitForRelayLock(sql: Sql, kind: string): Promise<void> {
  await endWhenIdle(sql);
  await sql.query('SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [relayLock, kind]);
}

async function endWhenIdle(sql: Sql): Promise<void> {
  await sql.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleMilliseconds}`);
}

/** The oldest rows of a kind, at most 200 and hardly more than 4 MiB, without ordering keys of which one was refused. */
export function oldestRows(sql: Sql, kind: string): Promise<OutboxRow[]> {
  return sql.query<OutboxRow>(
    `SELECT id, message_id, ordering_key, subject, headers, payload, refusals
     FROM (
       SELECT *, sum(octet_length(payload)) OVER (ORDER BY id) - octet_length(payload) AS bytes_before
       FROM (
         SELECT * FROM outbox
         WHERE stream_kind = $1 AND ordering_key NOT IN (
           SELECT ordering_key FROM outbox WHERE stream_kind = $1 AND retry_at > now())
         ORDER BY id LIMIT $2) AS oldest) AS measured
     WHERE bytes_before < $3 ORDER BY id`,
    [kind, batchRows, batchBytes],
  );
}

/** Keeps rows as sent, into streams that were made at that time. */
export async function keepAsSent(sql: Sql, sent: Sent[], streamCreated: string): Promise<void> {
  await sql.query(
    `WITH gone AS (
       DELETE FROM outbox USING jsonb_to_recordset($1::jsonb) AS sent (id bigint, stream text, sequence bigint)
       WHERE outbox.id = sent.id RETURNING outbox.*, sent.stream, sent.sequence)
     INSERT INTO outbox_sent
       (id, message_id, ordering_key, subject, headers, payload, sent_at, stream, stream_created, sequence)
     SELECT id, message_id, ordering_key, subject, headers, payload, coalesce(sent_at, now()), stream, $2, sequence
     FROM gone`,
    [JSON.stringify(sent), streamCreated],
  );
}

/** Passes a row, and those behind it with its ordering key, by for a while. */
export async function passBy(sql: Sql, id: number, milliseconds: number): Promise<void> {
  await sql.query(
    `UPDATE outbox SET refusals = refusals + 1, retry_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1`,
    [id, milliseconds / 1000],
  );
}

/** Puts a row aside that NATS refuses for good. */
export async function makeDeadLetter(sql: Sql, id: number, reason: string): Promise<void> {
  await sql.query(
    `WITH dead AS (DELETE FROM outbox WHERE id = $1 RETURNING *)
     INSERT INTO outbox_dead_letters
       (id, message_id, ordering_key, subject, headers, payload, reason, attempts, created_at)
     SELECT id, message_id, ordering_key, subject, headers, payload, $2, refusals + 1, created_at FROM dead`,
    [id, reason],
  );
}

/**
 * Whether rows are kept as sent that a stream, as NATS has it now, cannot hold: sent into a former one of its name, or
 * behind its end.
 */
export async function hasLost(sql: Sql, stream: StreamState): Promise<boolean> {
  const [row] = await sql.query(
    `SELECT FROM (
       (SELECT FROM outbox_sent WHERE stream = $1 AND stream_created < $2 LIMIT 1)
       UNION ALL (SELECT FROM outbox_sent WHERE stream = $1 AND stream_created > $2 LIMIT 1)
       UNION ALL (SELECT FROM outbox_sent WHERE stream = $1 AND stream_created = $2 AND sequence > $3 LIMIT 1)) AS lost`,
    [stream.name, stream.created, stream.lastSequence],
  );
  return row !== undefined;
}

/**
 * Has those rows wait again, at their former places, and those that were sent in the last `alsoSeconds`.
 * @returns how many
 */
export async function sendLostAgain(sql: Sql, stream: StreamState, alsoSeconds: number): Promise<number> {
  return await waitAgain(
    sql,
    `stream = $1 AND (stream_created <> $2 OR sequence > $3 OR sent_at > now() - make_interval(secs => $4))`,
    [stream.name, stream.created, stream.lastSequence, alsoSeconds],
  );
}

/**
 * Has rows wait again whose places in a stream `sent` have taken: the stream was set back in between.
 * @returns how many
 */
export async function sendReplacedAgain(sql: Sql, sent: Sent[], streamCreated: string): Promise<number> {
  const added = sent.filter(({ isNew }) => isNew);
  if (!added[0]) return 0;
  const sequence = Math.min(...added.map((row) => row.sequence));
  return await waitAgain(
    sql,
    'stream = $1 AND stream_created = $2 AND sequence >= $3 AND id <> ALL ($4::bigint[])',
    [added[0].stream, streamCreated, sequence, sent.map(({ id }) => id)],
  );
}

async function waitAgain(sql: Sql, condition: string, values: unknown[]): Promise<number> {
  const [moved] = await sql.query<{ count: number }>(
    `WITH lost AS (DELETE FROM outbox_sent WHERE ${condition} RETURNING *),
     waiting AS (
       INSERT INTO outbox (id, message_id, ordering_key, subject, headers, payload, sent_at)
       OVERRIDING SYSTEM VALUE
       SELECT id, message_id, ordering_key, subject, headers, payload, sent_at FROM lost RETURNING 1)
     SELECT count(*) FROM waiting`,
    values,
  );
  return moved?.count ?? 0;
}

/** Whether any of these rows is still in the outbox, or has become a dead letter. */
export async function isUnsent(sql: Sql, ids: readonly number[]): Promise<boolean> {
  const rows = await sql.query(
    `SELECT FROM outbox WHERE id = ANY ($1)
     UNION ALL SELECT FROM outbox_dead_letters WHERE id = ANY ($1) LIMIT 1`,
    [ids],
  );
  return rows.length > 0;
}

/** A message that was sent: where it stands, in a stream that was made at that time. */
export interface SentPosition {
  stream_created: string;
  sequence: number;
  message_id: string;
  sent_at: Date;
}

/** The newest message that is known to stand in a stream. Those of some days are known. */
export async function newestSent(sql: Sql, stream: string): Promise<SentPosition | undefined> {
  const [newest] = await sql.query<SentPosition>(
    `SELECT stream_created, sequence, message_id, sent_at FROM outbox_sent
     WHERE stream = $1 ORDER BY stream_created DESC, sequence DESC LIMIT 1`,
    [stream],
  );
  return newest;
}

/**
 * The oldest message of a stream from which on the outbox has forgotten none. The oldest twenty minutes do not count: they may be being
 * pruned.
 */
export async function oldestSent(sql: Sql, stream: string): Promise<SentPosition | undefined> {
  const [oldest] = await sql.query<SentPosition>(
    `SELECT stream_created, sequence, message_id, sent_at FROM outbox_sent
     WHERE stream = $1 AND stream_created = (SELECT max(stream_created) FROM outbox_sent WHERE stream = $1)
       AND sent_at > (SELECT min(sent_at) + interval '20 minutes' FROM outbox_sent)
     ORDER BY sequence LIMIT 1`,
    [stream],
  );
  return oldest ?? (await newestSent(sql, stream));
}

/** The ids of messages that wait, or were sent after an instant, at most `limit`. */
export async function sentSince(sql: Sql, since: Date, limit: number): Promise<string[]> {
  const rows = await sql.query<{ message_id: string }>(
    `SELECT message_id FROM outbox UNION ALL SELECT message_id FROM outbox_sent WHERE sent_at > $1 LIMIT $2`,
    [since, limit],
  );
  return rows.map(({ message_id }) => message_id);
}

/** Which of these messages the database knows: that wait, were sent within some days, or were refused. */
export async function knownMessages(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ message_id: string }>(
    `SELECT message_id FROM outbox WHERE message_id = ANY ($1::uuid[])
     UNION ALL SELECT message_id FROM outbox_sent WHERE message_id = ANY ($1::uuid[])
     UNION ALL SELECT message_id FROM outbox_dead_letters WHERE message_id = ANY ($1::uuid[])`,
    [ids],
  );
  return rows.map(({ message_id }) => message_id);
}

/** A message that NATS refused for good. */
export interface OutboxDeadLetter {
  id: number;
  subject: string;
  ordering_key: string;
  reason: string;
  attempts: number;
  died_at: Date;
  headers: Record<string, string>;
  payload: string;
}

/** The dead letters of the outbox behind `after`, oldest first. */
export function outboxDeadLetters(sql: Sql, after: number, limit: number): Promise<OutboxDeadLetter[]> {
  return sql.query<OutboxDeadLetter>(
    `SELECT id, subject, ordering_key, reason, attempts, died_at, headers, payload
     FROM outbox_dead_letters WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** Has dead letters of the outbox wait again, at their former places. @returns the ids of those */
export async function sendDeadLettersAgain(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `WITH again AS (DELETE FROM outbox_dead_letters WHERE id = ANY ($1) RETURNING *), waiting AS (
       INSERT INTO outbox (id, message_id, ordering_key, subject, headers, payload) OVERRIDING SYSTEM VALUE
       SELECT id, message_id, ordering_key, subject, headers, payload FROM again RETURNING id)
     SELECT id, pg_notify('outbox', '') FROM waiting`,
    [ids],
  );
  return rows.map(({ id }) => Number(id));
}

/** Removes dead letters of the outbox. @returns the ids of those */
export async function dropOutboxDeadLetters(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    'DELETE FROM outbox_dead_letters WHERE id = ANY ($1) RETURNING id',
    [ids],
  );
  return rows.map(({ id }) => Number(id));
}

/** more than that is as bad as that, and takes long to count */
const mostCounted = 100_000;

export type OutboxFigures = Record<'waiting' | 'oldestSeconds' | 'deadLetters', number>;

/** What is measured of the outbox: how much waits and what was dead-lettered, up to 100,000 of each, and for how long the oldest has waited. */
export async function measureOutbox(sql: Sql): Promise<OutboxFigures> {
  const [row] = await sql.query<OutboxFigures>(
    `SELECT (SELECT count(*) FROM (SELECT FROM outbox LIMIT $1) AS counted) AS waiting,
       coalesce(extract(epoch FROM now() - (SELECT created_at FROM outbox ORDER BY id LIMIT 1)), 0)::float8 AS "oldestSeconds",
       (SELECT count(*) FROM (SELECT FROM outbox_dead_letters LIMIT $1) AS counted) AS "deadLetters"`,
    [mostCounted],
  );
  return row ?? { waiting: 0, oldestSeconds: 0, deadLetters: 0 };
}

/** What was sent is forgotten after `keepDays`, and dead letters after 90 days. */
export const outboxRules = (keepDays: number): PruningRule[] => [
  { table: 'outbox_sent', since: 'sent_at', keep: `${keepDays} days` },
  { table: 'outbox_dead_letters', since: 'died_at', keep: '90 days' },
];
