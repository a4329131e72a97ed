import type { Sql } from '@sluice/service';

/** The statements on `consumer_progress`: how far consumers have got, as the database knows it. */

/** A stream as NATS has made it, and a message in it. */
export interface Progress {
  streamCreated: string;
  sequence: number;
}

/** Notes that a message of the consumer needs no further delivery. */
export type NoteProgress = (sql: Sql, sequence: number) => Promise<void>;

/** Notes that a message needs no further delivery; of the same stream the highest counts. Last in its transaction: the row is locked. */
export async function noteProgress(
  sql: Sql,
  consumer: string,
  { streamCreated, sequence }: Progress,
): Promise<void> {
  await sql.query(
    `INSERT INTO consumer_progress AS known (consumer, stream_created, sequence) VALUES ($1, $2, $3)
     ON CONFLICT (consumer) DO UPDATE SET stream_created = excluded.stream_created, sequence = excluded.sequence
     WHERE known.stream_created <> excluded.stream_created OR known.sequence < excluded.sequence`,
    [consumer, streamCreated, sequence],
  );
}

/**
 * Whether the database lacks messages that the consumer has acknowledged: it is an older copy.
 * @param acknowledged up to where NATS has all acknowledgements, asked before this is
 */
export async function isBehind(sql: Sql, consumer: string, acknowledged: Progress): Promise<boolean> {
  const [row] = await sql.query<{ known: boolean }>(
    'SELECT stream_created = $2 AND sequence >= $3 AS known FROM consumer_progress WHERE consumer = $1',
    [consumer, acknowledged.streamCreated, acknowledged.sequence],
  );
  return row?.known !== true;
}

/** Up to where the consumer has handled the messages of a stream; 0 where it has handled none. */
export async function handledUpTo(sql: Sql, consumer: string, streamCreated: string): Promise<number> {
  const [row] = await sql.query<{ sequence: number }>(
    'SELECT sequence FROM consumer_progress WHERE consumer = $1 AND stream_created = $2',
    [consumer, streamCreated],
  );
  return row?.sequence ?? 0;
}
