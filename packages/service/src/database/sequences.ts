import type { Sql } from './sql.ts';

/** How far ids move on past the highest one that is known: later ones may have been given out. */
const stride = 100_000;

/**
 * Moves all sequences of the schema on, so that no id is given out twice.
 * @param known the highest ids that are known from elsewhere, by the name of their table
 */
export async function moveSequencesOn(
  sql: Sql,
  known: Readonly<Record<string, number | undefined>> = {},
): Promise<void> {
  await sql.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass,
       greatest(coalesce(last_value, 0), coalesce((
         SELECT max(known.id::bigint) FROM jsonb_each_text($1::jsonb) AS known (name, id)
         WHERE pg_get_serial_sequence(known.name, 'id') = format('%I.%I', schemaname, sequencename)), 0)) + $2)
     FROM pg_sequences WHERE schemaname = current_schema()`,
    [JSON.stringify(known), stride],
  );
}

/**
 * Moves all sequences of the schema past the time, in hundredths of a second: for a database that is new, and cannot know which ids one
 * before it has given out. No service gives out a hundred ids a second for years.
 */
export async function moveSequencesPastTime(sql: Sql): Promise<void> {
  await sql.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, past.time)
     FROM pg_sequences, (SELECT (extract(epoch FROM clock_timestamp()) * 100)::bigint AS time) past
     WHERE schemaname = current_schema() AND coalesce(last_value, 0) < past.time`,
  );
}
