import type { DeploymentId, NodeId, ReportedConsumer, ReportedStream } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { sql } from 'kysely';
import type { Database, SummedUp } from '../../database/tables.ts';

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

export interface LagSeries {
  deploymentId: DeploymentId;
  stream: string;
  consumer: string;
  /** included */
  from: Date;
  /** not included */
  to: Date;
  /** what a point covers: minutes are kept for as long as samples, hours for as long as telemetry. Seconds. */
  resolution: number;
}

/** The metric `consumer_pending` of a consumer: least, greatest, sum and number of reports in each time that begins at `at`, oldest first. */
export async function findConsumerPending(
  db: Database,
  { deploymentId, stream, consumer, from, to, resolution }: LagSeries,
): Promise<{ at: Date; pending: SummedUp }[]> {
  const table = sql.table(resolution % 3_600 === 0 ? 'consumer_hours' : 'consumer_minutes');
  const { rows } = await sql<{ at: Date; min: number; max: number; sum: string; count: number }>`
    SELECT date_bin(make_interval(secs => ${resolution}), at, 'epoch') AS begins,
           min(at) AS at, min(pending_min) AS min, max(pending_max) AS max, sum(pending_sum) AS sum, sum(samples)::int AS count
    FROM ${table}
    WHERE deployment_id = ${deploymentId} AND stream = ${stream} AND consumer = ${consumer} AND at >= ${from} AND at < ${to}
    GROUP BY 1 ORDER BY 1`.execute(db);
  return rows.map(({ at, min, max, sum, count }) => ({ at, pending: [min, max, Number(sum), count] }));
}
