import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

/** The tables that have a partition for each day. */
export const partitionedTables = [
  'telemetry_samples',
  'telemetry_minutes',
  'telemetry_hours',
  'telemetry_lines',
  'consumer_minutes',
  'consumer_hours',
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** Days before and after today for which there are partitions at least. What is older than that is not taken in. */
const daysBefore = 2;
const daysAhead = 3;
/** how long a partition may keep those who read and write waiting for it */
const lockMilliseconds = 2_000;
/** identifies the upkeep of telemetry among the advisory locks of the database */
const upkeepLock = 0x51_7e_1e_00;

interface Partition {
  table: PartitionedTable;
  name: string;
  /** the day after */
  ends: string;
}

/** Makes the partitions that are missing from some days ago until some days ahead. */
export async function makePartitions(db: Database): Promise<void> {
  const { rows: missing } = await sql<Partition & { begins: string }>`
    SELECT "table", begins::date::text AS begins, (begins::date + 1)::text AS ends,
           "table" || to_char(begins, '_YYYYMMDD') AS name
    FROM unnest(${[...partitionedTables]}::text[]) AS "table",
         generate_series(timezone('UTC', now())::date - ${daysBefore}::int, timezone('UTC', now())::date + ${daysAhead}::int,
                         '1 day') AS begins
    WHERE to_regclass("table" || to_char(begins, '_YYYYMMDD')) IS NULL`.execute(db);
  if (missing.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await takeTurn(tx);
    for (const { table, name, begins, ends } of missing) {
      await sql`
        CREATE TABLE IF NOT EXISTS ${sql.table(name)} PARTITION OF ${sql.table(table)}
        FOR VALUES FROM (${sql.lit(`${begins}T00:00:00Z`)}) TO (${sql.lit(`${ends}T00:00:00Z`)})`.execute(tx);
    }
  });
}

/**
 * Drops whole days in which nothing is kept: samples after `sampleDays`, all else when it is older than the longest retention of a
 * deployment.
 * @returns the partitions that are gone
 */
export async function dropPartitions(db: Database, sampleDays: number): Promise<string[]> {
  const { rows } = await sql<Partition>`
    WITH kept AS (SELECT coalesce(max(${retentionDays}), 0) AS days FROM deployments)
    SELECT parent.relname AS "table", child.relname AS name, right(child.relname, 8)::date + 1 AS ends
    FROM pg_inherits
    JOIN pg_class AS parent ON parent.oid = inhparent
    JOIN pg_class AS child ON child.oid = inhrelid
    CROSS JOIN kept
    WHERE inhparent = ANY (${[...partitionedTables]}::regclass[])
      AND right(child.relname, 8)::date + 1 <= timezone('UTC', now())::date - CASE
            WHEN parent.relname IN ('telemetry_samples', 'consumer_minutes') THEN least(${sampleDays}::int, greatest(kept.days, ${daysBefore}::int))
            ELSE greatest(kept.days, ${daysBefore}::int) END`.execute(db);
  for (const { name } of rows) {
    await db.transaction().execute(async (tx) => {
      await takeTurn(tx);
      await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(tx);
    });
  }
  return rows.map(({ name }) => name);
}

/** One replica at a time; gives up rather than keep others waiting. */
export async function takeTurn(tx: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${upkeepLock})`.execute(tx);
  await sql`SELECT set_config('lock_timeout', ${String(lockMilliseconds)}, true)`.execute(tx);
}

/** For how many days a deployment's telemetry is kept: never so many that a time is out of range. */
export const retentionDays = sql<number>`least((deployments.spec #>> '{retention,telemetry_days}')::bigint, 3650)::int`;

/**
 * Deletes, of some deployments, an hour of what is older than their retention, or of what is left of one that is gone.
 * @returns how many rows
 */
export async function deleteExpired(db: Database, table: PartitionedTable): Promise<number> {
  const result = await sql`
    WITH ended AS (
      SELECT id, now() - make_interval(days => ${retentionDays}) AS until FROM deployments
      UNION ALL
      SELECT deployment_id, 'infinity'
      FROM telemetry_batches WHERE NOT EXISTS (SELECT FROM deployments WHERE id = deployment_id)
    ), expired AS (
      SELECT ended.id, least(ended.until, oldest.at + interval '1 hour') AS until
      FROM ended CROSS JOIN LATERAL (
        SELECT at FROM ${sql.table(table)} WHERE deployment_id = ended.id AND at < ended.until ORDER BY at LIMIT 1
      ) AS oldest
      LIMIT 20
    )
    DELETE FROM ${sql.table(table)} AS row USING expired
    WHERE row.deployment_id = expired.id AND row.at < expired.until`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Forgets deployments that are gone, once nothing of their telemetry is left. */
export const forgetGone = (db: Database) =>
  sql`
    DELETE FROM telemetry_batches AS batch
    WHERE NOT EXISTS (SELECT FROM deployments WHERE id = batch.deployment_id)
      AND NOT EXISTS (SELECT FROM telemetry_samples AS row WHERE row.deployment_id = batch.deployment_id)
      AND NOT EXISTS (SELECT FROM telemetry_minutes AS row WHERE row.deployment_id = batch.deployment_id)
      AND NOT EXISTS (SELECT FROM telemetry_hours AS row WHERE row.deployment_id = batch.deployment_id)
      AND NOT EXISTS (SELECT FROM telemetry_lines AS row WHERE row.deployment_id = batch.deployment_id)
      AND NOT EXISTS (SELECT FROM consumer_minutes AS row WHERE row.deployment_id = batch.deployment_id)
      AND NOT EXISTS (SELECT FROM consumer_hours AS row WHERE row.deployment_id = batch.deployment_id)`.execute(
    db,
  );
