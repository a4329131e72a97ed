import type { DeploymentId, NodeId, ReportedConsumer, ReportedStream } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

/** What nodes have reported of a deployment as a whole. */
export interface ReportState {
  /** of the node that was heard of least lately; null where none has reported */
  reported_at: Date | null;
  /** how many there are, listed or not */
  streams: number;
  consumers: number;
}

export async function findReportState(db: Database, id: DeploymentId): Promise<ReportState> {
  const found = await db
    .selectFrom('stream_reports')
    .select(({ fn }) => [
      fn.min('reported_at').as('reported_at'),
      fn.sum<number | null>('streams_total').as('streams'),
      fn.sum<number | null>('consumers_total').as('consumers'),
    ])
    .where('deployment_id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    reported_at: found.reported_at,
    streams: Number(found.streams ?? 0),
    consumers: Number(found.consumers ?? 0),
  };
}

export interface HeldStream {
  node_id: NodeId;
  reported_at: Date;
  held: ReportedStream;
}
export interface HeldConsumer {
  node_id: NodeId;
  reported_at: Date;
  held: ReportedConsumer;
}

export async function findStreams(
  db: Database,
  id: DeploymentId,
  { results, offset }: Page,
): Promise<[HeldStream[], number]> {
  const streams = db.selectFrom('broker_streams').where('deployment_id', '=', id);
  const { total } = await streams
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await streams
    .select(['node_id', 'reported_at', 'held'])
    .orderBy('name')
    .limit(results)
    .offset(offset)
    .execute();
  return [rows, Number(total)];
}

export async function hasStream(db: Database, id: DeploymentId, name: string): Promise<boolean> {
  const found = await db
    .selectFrom('broker_streams')
    .select('name')
    .where('deployment_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirst();
  return found !== undefined;
}

export async function findConsumers(
  db: Database,
  id: DeploymentId,
  stream: string,
  { results, offset }: Page,
): Promise<[HeldConsumer[], number]> {
  const consumers = db
    .selectFrom('broker_consumers')
    .where('deployment_id', '=', id)
    .where('stream', '=', stream);
  const { total } = await consumers
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await consumers
    .select(['node_id', 'reported_at', 'held'])
    .orderBy('name')
    .limit(results)
    .offset(offset)
    .execute();
  return [rows, Number(total)];
}

/** How many are stored of the deployment. */
export async function countHeld(
  db: Database,
  id: DeploymentId,
): Promise<{ streams: number; consumers: number }> {
  const { rows } = await sql<{ streams: number; consumers: number }>`
    SELECT (SELECT count(*)::int FROM broker_streams WHERE deployment_id = ${id}) AS streams,
           (SELECT count(*)::int FROM broker_consumers WHERE deployment_id = ${id}) AS consumers`.execute(db);
  return rows[0] ?? { streams: 0, consumers: 0 };
}

export interface LagQuery {
  deploymentId: DeploymentId;
  stream: string;
  /** undefined: those with the greatest lag */
  consumers: readonly string[] | undefined;
  /** included */
  from: Date;
  /** not included */
  to: Date;
  /** minutes are kept for as long as samples, hours for as long as telemetry */
  source: 'consumer_minutes' | 'consumer_hours';
  stepSeconds: number;
  aggregate: LagAggregate;
}

export type LagAggregate = 'avg' | 'min' | 'max';

/** The lag of a consumer in the step that begins at `at`. */
export interface LagPoint {
  consumer: string;
  at: Date;
  value: number;
}

/** consumers whose lag is answered at once */
const mostColumns = 10;

const aggregates = {
  avg: sql`sum(pending_sum) / sum(samples)`,
  min: sql`min(pending_min)`,
  max: sql`max(pending_max)`,
};

/** What has been reported of the lag of a stream's consumers, by consumer and time. */
export async function findLag(db: Database, query: LagQuery): Promise<LagPoint[]> {
  const { deploymentId, stream, consumers, from, to, source, stepSeconds, aggregate } = query;
  const named = consumers ? sql`consumer = ANY (${[...consumers]}::text[])` : sql`true`;
  const { rows } = await sql<LagPoint>`
    WITH entry AS MATERIALIZED (
      SELECT * FROM ${sql.table(source)}
      WHERE deployment_id = ${deploymentId} AND stream = ${stream} AND at >= ${from} AND at < ${to} AND ${named}
    ), chosen AS (
      SELECT consumer FROM entry GROUP BY consumer ORDER BY max(pending_max) DESC, consumer LIMIT ${mostColumns}
    )
    SELECT consumer, date_bin(make_interval(secs => ${stepSeconds}), at, 'epoch') AS at, (${aggregates[aggregate]})::float8 AS value
    FROM entry JOIN chosen USING (consumer)
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return rows;
}
