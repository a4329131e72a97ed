import type { DeploymentId } from '@sluice/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@sluice/region-store/tables';
import { takeTurn, type PartitionedTable } from './telemetry-partitions.store.ts';

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

const listed = (spans: readonly Span[]) => sql`
  SELECT * FROM jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) AS span (deployment_id bigint, at timestamptz)`;

const sumUpMinutes = (tx: Database, due: readonly Span[]) =>
  sumUpInto(tx, 'telemetry_minutes', {
    ...{ due: listed(due), from: 'telemetry_samples', length: '5 minutes', samples: sql`count(*)` },
    metrics: sql`jsonb_each_text(metrics) AS metric (name, value)`,
    summed: sql`jsonb_build_array(min(value::float8), max(value::float8), sum(value::float8), count(*))`,
  });

/** Of those that are summed up already, which this transaction has changed. */
const sumUpHours = (tx: Database, due: readonly Span[]) =>
  sumUpInto(tx, 'telemetry_hours', {
    ...{ from: 'telemetry_minutes', length: '1 hour', samples: sql`sum(samples)` },
    due: sql`SELECT DISTINCT deployment_id, date_bin('1 hour', at, 'epoch') AS at FROM (${listed(due)}) AS minutes`,
    metrics: sql`jsonb_each(metrics) AS metric (name, value)`,
    summed: sql`jsonb_build_array(min((value ->> 0)::float8), max((value ->> 1)::float8), sum((value ->> 2)::float8),
                                  sum((value ->> 3)::bigint))`,
  });

interface Sums {
  /** the times to sum up */
  due: RawBuilder<unknown>;
  from: 'telemetry_samples' | 'telemetry_minutes';
  length: '5 minutes' | '1 hour';
  /** how many samples the rows have */
  samples: RawBuilder<unknown>;
  metrics: RawBuilder<unknown>;
  summed: RawBuilder<unknown>;
}

async function sumUpInto(tx: Database, table: PartitionedTable, sums: Sums): Promise<void> {
  const { due, from, length, samples, metrics, summed } = sums;
  await sql`
    WITH due AS (${due}), sample AS (
      SELECT due.at AS begins, row.* FROM due JOIN ${sql.table(from)} AS row
        ON row.deployment_id = due.deployment_id AND row.at >= due.at AND row.at < due.at + ${sql.lit(length)}::interval
    ), number AS (
      SELECT deployment_id, begins, node_id, runtime, instance_id, name, ${summed} AS summed_up
      FROM sample, ${metrics}
      GROUP BY deployment_id, begins, node_id, runtime, instance_id, name
    ), head AS (
      SELECT deployment_id, begins, node_id, runtime, instance_id, ${samples} AS samples,
             (array_agg(status ORDER BY at DESC))[1] AS status
      FROM sample GROUP BY deployment_id, begins, node_id, runtime, instance_id
    )
    INSERT INTO ${sql.table(table)} (deployment_id, at, node_id, runtime, instance_id, status, samples, metrics)
    SELECT deployment_id, begins, node_id, runtime, instance_id, status, samples, coalesce(metrics, '{}')
    FROM head LEFT JOIN (
      SELECT deployment_id, begins, node_id, runtime, instance_id, jsonb_object_agg(name, summed_up) AS metrics
      FROM number GROUP BY deployment_id, begins, node_id, runtime, instance_id
    ) AS folded USING (deployment_id, begins, node_id, runtime, instance_id)
    ON CONFLICT (deployment_id, at, node_id, runtime, instance_id) DO UPDATE
    SET status = excluded.status, samples = excluded.samples, metrics = excluded.metrics`.execute(tx);
}
