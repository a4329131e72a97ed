import type { DeploymentId, NodeId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';
import type { Range } from './telemetry-range.ts';
import type { SeriesSource } from './series-steps.ts';

export type SeriesAggregate = 'avg' | 'min' | 'max' | 'rate';

export interface SeriesQuery extends Range {
  deploymentId: DeploymentId;
  nodeId: NodeId | undefined;
  /** of a connector; 0: the programs themselves */
  instanceId: number;
  /** the program and the name, such as `node.cpu_percent` */
  metrics: readonly string[];
  source: SeriesSource;
  stepSeconds: number;
  aggregate: SeriesAggregate;
}

/** The value of a metric of a node in the step that begins at `at`. */
export interface SeriesPoint {
  metric: string;
  node_id: NodeId;
  at: Date;
  value: number | null;
}

const aggregates = {
  avg: sql`sum(sum) / sum(count)`,
  min: sql`min(min)`,
  max: sql`max(max)`,
  // how much it has grown; where it is lower it has begun again
  rate: sql`
    CASE WHEN max(max) >= lag(max(max)) OVER earlier THEN max(max) - lag(max(max)) OVER earlier ELSE max(max) END
    / extract(epoch FROM begins - lag(begins) OVER earlier)::float8`,
};

/** least, greatest, sum and number of the samples of an entry */
const sums = {
  telemetry_samples: sql`value::float8 AS min, value::float8 AS max, value::float8 AS sum, 1 AS count`,
  telemetry_minutes: sql`(value -> 0)::float8 AS min, (value -> 1)::float8 AS max, (value -> 2)::float8 AS sum, (value -> 3)::float8 AS count`,
};

/** The points of chosen metrics, by metric, node and time. The database sums them up: at most one of each step leaves it. */
export async function findSeries(db: Database, query: SeriesQuery): Promise<SeriesPoint[]> {
  const { deploymentId, nodeId, instanceId, metrics, source, stepSeconds, aggregate, from, to } = query;
  const ofNode = nodeId === undefined ? sql`true` : sql`node_id = ${nodeId}`;
  const values = source === 'telemetry_samples' ? sums.telemetry_samples : sums.telemetry_minutes;
  // what an instance counts is shown without the ending that it is stored with
  const stored =
    instanceId === 0 ? sql`metrics -> name` : sql`coalesce(metrics -> name, metrics -> (name || '_total'))`;
  const { rows } = await sql<SeriesPoint>`
    WITH chosen AS (
      SELECT metric, split_part(metric, '.', 1) AS runtime, split_part(metric, '.', 2) AS name, position
      FROM unnest(${[...metrics]}::text[]) WITH ORDINALITY AS chosen (metric, position)
    ), entry AS (
      SELECT metric, position, node_id, date_bin(make_interval(secs => ${stepSeconds}), at, 'epoch') AS begins, ${values}
      FROM ${sql.table(source)} JOIN chosen USING (runtime), LATERAL (SELECT ${stored} AS value) AS found
      WHERE deployment_id = ${deploymentId} AND at >= ${from} AND at < ${to} AND instance_id = ${instanceId} AND ${ofNode}
        AND value IS NOT NULL
    )
    SELECT metric, node_id, begins AS at, ${aggregates[aggregate]} AS value
    FROM entry GROUP BY metric, position, node_id, begins
    WINDOW earlier AS (PARTITION BY metric, node_id ORDER BY begins)
    ORDER BY position, node_id, begins`.execute(db);
  return rows;
}
