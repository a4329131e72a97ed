import type { DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { takeTurn } from './telemetry-partitions.store.ts';

/** five minutes of deployments that are summed up in one transaction */
const mostAtOnce = 200;
/** how long after its end a time is summed up: by then the batches that bring it have come */
const settled = '45 seconds';

/**
 * Sums up the five minutes that are over, and the hours that they lie in, both as a whole: doing it again changes nothing, and samples
 * that come late bring it about once more. By one replica at a time.
 * @returns how many were summed up
 */
export async function sumUp(database: Database): Promise<number> {
  return await database.transaction().execute(async (tx) => {
    await takeTurn(tx);
    const { rows: due } = await sql<Span>`
      DELETE FROM telemetry_due USING (
        SELECT deployment_id, at FROM telemetry_due
        WHERE at < now() - interval '5 minutes' - ${sql.lit(settled)}::interval
        ORDER BY at LIMIT ${mostAtOnce} FOR UPDATE SKIP LOCKED
      ) AS over
      WHERE telemetry_due.deployment_id = over.deployment_id AND telemetry_due.at = over.at
      RETURNING telemetry_due.deployment_id, telemetry_due.at`.execute(tx);
    if (due.length === 0) return 0;
    await sumUpMinutes(tx, due);
    await sumUpHours(tx, due);
    return due.length;
  });
}

interface Span {
  deployment_id: DeploymentId;
  at: Date;
}

const sumUpMinutes = (tx: Database, due: readonly Span[]) =>
  sql`
    WITH due AS (${listed(due)}), sample AS (
      SELECT due.deployment_id, due.at, node_id, runtime, instance_id, status, sample.at AS taken_at, metrics
      FROM due JOIN telemetry_samples AS sample
        ON sample.deployment_id = due.deployment_id AND sample.at >= due.at AND sample.at < due.at + interval '5 minutes'
    ), number AS (
      SELECT deployment_id, at, node_id, runtime, instance_id, name,
             jsonb_build_array(min(value::float8), max(value::float8), sum(value::float8), count(*)) AS summed_up
      FROM sample, jsonb_each_text(metrics) AS metric (name, value)
      GROUP BY deployment_id, at, node_id, runtime, instance_id, name
    ), head AS (
      SELECT deployment_id, at, node_id, runtime, instance_id, count(*) AS samples,
             (array_agg(status ORDER BY taken_at DESC))[1] AS status
      FROM sample GROUP BY deployment_id, at, node_id, runtime, instance_id
    )
    ${written('telemetry_minutes')}`.execute(tx);

/** Of those that are summed up already, which this transaction has changed. */
const sumUpHours = (tx: Database, due: readonly Span[]) =>
  sql`
    WITH due AS (
      SELECT DISTINCT deployment_id, date_bin('1 hour', at, 'epoch') AS at FROM (${listed(due)}) AS minutes
    ), sample AS (
      SELECT due.deployment_id, due.at, node_id, runtime, instance_id, status, samples, minutes.at AS taken_at, metrics
      FROM due JOIN telemetry_minutes AS minutes
        ON minutes.deployment_id = due.deployment_id AND minutes.at >= due.at AND minutes.at < due.at + interval '1 hour'
    ), number AS (
      SELECT deployment_id, at, node_id, runtime, instance_id, name,
             jsonb_build_array(min((value ->> 0)::float8), max((value ->> 1)::float8), sum((value ->> 2)::float8),
                               sum((value ->> 3)::bigint)) AS summed_up
      FROM sample, jsonb_each(metrics) AS metric (name, value)
      GROUP BY deployment_id, at, node_id, runtime, instance_id, name
    ), head AS (
      SELECT deployment_id, at, node_id, runtime, instance_id, sum(samples) AS samples,
             (array_agg(status ORDER BY taken_at DESC))[1] AS status
      FROM sample GROUP BY deployment_id, at, node_id, runtime, instance_id
    )
    ${written('telemetry_hours')}`.execute(tx);

const listed = (spans: readonly Span[]) => sql`
  SELECT * FROM jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) AS span (deployment_id bigint, at timestamptz)`;

const written = (table: 'telemetry_minutes' | 'telemetry_hours') => sql`
  INSERT INTO ${sql.table(table)} (deployment_id, at, node_id, runtime, instance_id, status, samples, metrics)
  SELECT deployment_id, at, node_id, runtime, instance_id, status, samples, coalesce(metrics, '{}')
  FROM head LEFT JOIN (
    SELECT deployment_id, at, node_id, runtime, instance_id, jsonb_object_agg(name, summed_up) AS metrics
    FROM number GROUP BY deployment_id, at, node_id, runtime, instance_id
  ) AS folded USING (deployment_id, at, node_id, runtime, instance_id)
  ON CONFLICT (deployment_id, at, node_id, runtime, instance_id) DO UPDATE
  SET status = excluded.status, samples = excluded.samples, metrics = excluded.metrics`;
