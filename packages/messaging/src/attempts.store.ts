import type { PruningRule, Sql } from '@sluice/service';

/** The statements on `message_attempts`: which messages were being handled when their process ended. */

/** A message in its stream, as one consumer gets it. */
export interface MessagePlace {
  consumer: string;
  sequence: number;
  /** when NATS has stored it, in nanoseconds */
  storedAt: string;
}

/** What is known of a message from before. */
export interface Suspicion {
  /** by how many other processes an attempt was begun that they did not end */
  begun: number;
  /** an operator wants it dead-lettered */
  isRequested: boolean;
}

/** how long a person's wish waits for the message that it is about */
const wishHours = 24;

/** What is known of a message; attempts of this process itself have evidently not ended it. */
export async function suspicionOf(sql: Sql, place: MessagePlace, process: string): Promise<Suspicion> {
  const [row] = await sql.query<Suspicion>(
    `SELECT CASE WHEN stored_at = $3 AND process <> $4 THEN begun ELSE 0 END AS begun,
       coalesce(put_aside_at > now() - make_interval(hours => $5), false) AS "isRequested"
     FROM message_attempts WHERE consumer = $1 AND sequence = $2`,
    [place.consumer, place.sequence, place.storedAt, process, wishHours],
  );
  return row ?? { begun: 0, isRequested: false };
}

/** Has to be committed before the attempt begins. One more of the same process is none more. */
export async function beginAttempt(sql: Sql, place: MessagePlace, process: string): Promise<void> {
  await sql.query(
    `INSERT INTO message_attempts AS known (consumer, sequence, stored_at, process, begun) VALUES ($1, $2, $3, $4, 1)
     ON CONFLICT (consumer, sequence) DO UPDATE SET
       begun = CASE WHEN known.stored_at IS DISTINCT FROM $3 THEN 1
                    WHEN known.process = $4 THEN known.begun ELSE known.begun + 1 END,
       stored_at = $3, process = $4, begun_at = now()`,
    [place.consumer, place.sequence, place.storedAt, process],
  );
}

/** The attempt has ended, and its process has not. A person's wish stays. */
export async function endAttempt(sql: Sql, { consumer, sequence }: MessagePlace): Promise<void> {
  await sql.query(
    `WITH kept AS (
       UPDATE message_attempts SET stored_at = NULL, process = NULL, begun = 0
       WHERE consumer = $1 AND sequence = $2 AND put_aside_at IS NOT NULL)
     DELETE FROM message_attempts WHERE consumer = $1 AND sequence = $2 AND put_aside_at IS NULL`,
    [consumer, sequence],
  );
}

/** The message was dead-lettered: nothing about it matters any more. */
export async function forgetAttempts(sql: Sql, { consumer, sequence }: MessagePlace): Promise<void> {
  await sql.query('DELETE FROM message_attempts WHERE consumer = $1 AND sequence = $2', [consumer, sequence]);
}

/** Has the next attempt at a message be none: it becomes a dead letter instead. Holds for a day. */
export async function requestDeadLetter(sql: Sql, consumer: string, sequence: number): Promise<void> {
  await sql.query(
    `INSERT INTO message_attempts (consumer, sequence, put_aside_at) VALUES ($1, $2, now())
     ON CONFLICT (consumer, sequence) DO UPDATE SET put_aside_at = now(), begun_at = now()`,
    [consumer, sequence],
  );
}

/** Attempts at messages that have not come again. */
export const attemptsRule: PruningRule = { table: 'message_attempts', since: 'begun_at', keep: '7 days' };
