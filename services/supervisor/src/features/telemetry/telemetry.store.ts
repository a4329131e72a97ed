import type {
  DeploymentId,
  InstanceRunStatus,
  LogLevel,
  NodeId,
  RuntimeStatus,
  TelemetryRuntime,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { sql, type RawBuilder } from 'kysely';
import type { Database, SummedUp } from '@sluice/region-store/tables';
import { retentionDays } from './telemetry-partitions.store.ts';

/** Of which deployment, time, node and program; absent: whichever it may be. */
export interface Watched {
  deploymentId: DeploymentId;
  /** included */
  from: Date;
  /** not included */
  to: Date;
  nodeId?: NodeId | undefined;
  runtime?: TelemetryRuntime | undefined;
}

/** What an entry covers, in seconds; 0: each sample by itself. */
export type Resolution = 0 | 300 | 3_600 | 86_400;

/** What was measured, and how it was, in the time that begins at `at`. */
export interface Measured {
  at: Date;
  node_id: NodeId;
  runtime: TelemetryRuntime;
  /** 0: of the program itself */
  instance_id: number;
  status: RuntimeStatus | InstanceRunStatus | null;
  samples: number;
  metrics: Record<string, SummedUp>;
}

/** Since when a deployment's telemetry is shown. @throws Problem `not_found` */
export async function shownSince(db: Database, id: DeploymentId): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    SELECT greatest(now() - make_interval(days => ${retentionDays}), (spec ->> 'created_at')::timestamptz) AS since
    FROM deployments WHERE id = ${id}`.execute(db);
  if (!rows[0]) throw problem('not_found');
  return rows[0].since;
}

const ofSamples = sql`
  SELECT deployment_id, at, node_id, runtime, instance_id, status, 1 AS samples, metrics FROM telemetry_samples`;
const tables = {
  0: ofSamples,
  300: sql`SELECT * FROM telemetry_minutes`,
  3600: sql`SELECT * FROM telemetry_hours`,
  // of hours, by the page alone
  86400: sql`SELECT * FROM telemetry_hours`,
} satisfies Record<Resolution, RawBuilder<unknown>>;

/** as many entries as are counted */
const mostCounted = 100_000;

/**
 * One page, newest first, and how many there are in all, of 100,000 at most.
 * @param withStatus only of what has a status
 */
export async function findMeasured(
  db: Database,
  watched: Watched,
  resolution: Resolution,
  { results, offset }: Page,
  withStatus: boolean,
): Promise<{ entries: Measured[]; total: number }> {
  const begins = resolution === 86_400 ? sql`date_bin('1 day', at, 'epoch')` : sql`at`;
  const { rows } = await sql<Measured & { total: number; instance_id: number | null }>`
    WITH watched AS NOT MATERIALIZED (
      ${tables[resolution]}
      WHERE ${isWatched(watched)} AND (status IS NOT NULL OR ${!withStatus}::boolean)
    ), entry AS (
      SELECT ${begins} AS at, node_id, runtime, instance_id FROM watched
      GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC LIMIT ${mostCounted}
    ), total AS (
      SELECT count(*) AS total FROM entry
    ), page AS (
      SELECT * FROM entry ORDER BY at DESC, node_id, runtime, instance_id LIMIT ${results} OFFSET ${offset}
    )
    SELECT total, page.*, reported.status, reported.samples, reported.metrics
    FROM total LEFT JOIN page ON true LEFT JOIN LATERAL (
      SELECT (array_agg(status ORDER BY watched.at DESC))[1] AS status, sum(samples)::bigint AS samples,
             jsonb_agg(metrics) AS metrics
      FROM watched
      WHERE watched.at >= page.at AND watched.at <= page.at + make_interval(secs => ${resolution === 86_400 ? 86_399 : 0})
        AND (watched.node_id, watched.runtime, watched.instance_id) = (page.node_id, page.runtime, page.instance_id)
    ) AS reported ON true
    ORDER BY page.at DESC, page.node_id, page.runtime, page.instance_id`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    entries: rows.flatMap((row) => (row.instance_id === null ? [] : [folded(row)])),
  };
}

function folded({ total: _total, ...row }: Measured & { total: number }): Measured {
  const metrics: Measured['metrics'] = {};
  for (const sums of row.metrics as unknown as Record<string, number | SummedUp>[]) {
    for (const [name, value] of Object.entries(sums)) {
      const [min, max, sum, count] = typeof value === 'number' ? [value, value, value, 1] : value;
      const [least, most, former, samples] = metrics[name] ?? [min, max, 0, 0];
      metrics[name] = [Math.min(min, least), Math.max(max, most), sum + former, count + samples];
    }
  }
  return { ...row, metrics };
}

/** Whether a column has this value; undefined: whichever it may be. */
const is = (column: string, value: string | number | undefined) =>
  value === undefined ? sql`true` : sql`${sql.ref(column)} = ${value}`;

const isWatched = ({ deploymentId, from, to, nodeId, runtime }: Watched) =>
  sql`deployment_id = ${deploymentId} AND at >= ${from} AND at < ${to}
    AND ${is('node_id', nodeId)} AND ${is('runtime', runtime)}`;

/** The newest sample of each thing that is watched, with the name of its node. */
export type Newest = Pick<Measured, 'runtime' | 'instance_id'> & {
  node: string;
  metrics: Record<string, number>;
};

/** what has not been reported for so long is left out */
const newestSeconds = 120;

export async function findNewest(db: Database, deploymentId: DeploymentId): Promise<Newest[]> {
  const { rows } = await sql<Newest>`
    SELECT DISTINCT ON (position, runtime, instance_id) nodes.name AS node, runtime, instance_id, metrics
    FROM telemetry_samples AS sample JOIN nodes ON nodes.id = node_id AND nodes.deployment_id = sample.deployment_id
    WHERE sample.deployment_id = ${deploymentId} AND at >= now() - make_interval(secs => ${newestSeconds})
    ORDER BY position, runtime, instance_id, at DESC`.execute(db);
  return rows;
}

/** from the least to the gravest */
const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** A level and those that are graver. */
export const levelsFrom = (least: LogLevel): LogLevel[] => levels.slice(levels.indexOf(least));

/** Which lines of log are looked for. `level`: the least; `message`: a part of it, in whichever case */
export type LineFilter = Partial<Pick<Line, 'runtime' | 'level' | 'message'>> & {
  nodeId?: NodeId | undefined;
};

export interface Line extends Pick<Measured, 'at' | 'node_id' | 'runtime' | 'instance_id'> {
  id: number;
  level: LogLevel;
  message: string;
}

/** lines that a search looks at */
const mostSearched = 50_000;

export interface FoundLines {
  lines: Line[];
  total: number;
  /** set where the range has more lines than are looked at: when the oldest of those was written */
  searchedFrom: Date | null;
}

/** One page, newest first, among the newest 50,000 lines of the range. */
export async function findLines(
  db: Database,
  deploymentId: DeploymentId,
  { from, to }: Pick<Watched, 'from' | 'to'>,
  filter: LineFilter,
  { results, offset }: Page,
): Promise<FoundLines> {
  const { rows } = await sql<Line & { total: number; searched_from: Date | null }>`
    WITH searched AS (
      SELECT id, at, node_id, runtime, instance_id, level, message FROM telemetry_lines
      WHERE deployment_id = ${deploymentId} AND at >= ${from} AND at < ${to}
      ORDER BY at DESC, id DESC LIMIT ${mostSearched}
    ), found AS (
      SELECT * FROM searched WHERE ${isLookedFor(filter)}
    ), total AS (
      SELECT (SELECT count(*) FROM found) AS total,
             (SELECT CASE WHEN count(*) = ${mostSearched} THEN min(at) END FROM searched) AS searched_from
    )
    SELECT * FROM total LEFT JOIN (
      SELECT * FROM found ORDER BY at DESC, id DESC LIMIT ${results} OFFSET ${offset}
    ) AS page ON true
    ORDER BY at DESC, id DESC`.execute(db);
  return {
    lines: rows.filter(({ id }) => id as number | null),
    total: rows[0]?.total ?? 0,
    searchedFrom: rows[0]?.searched_from ?? null,
  };
}

function isLookedFor({ nodeId, runtime, level, message = '' }: LineFilter) {
  const pattern = `%${message.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const isGrave = level === undefined ? sql`true` : sql`level = ANY (${levelsFrom(level)}::text[])`;
  return sql`${is('node_id', nodeId)} AND ${is('runtime', runtime)} AND ${isGrave} AND message ILIKE ${pattern}`;
}

/** The greatest id that a line has been given. */
export async function newestLineId(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`SELECT last_value AS id FROM telemetry_line_ids`.execute(db);
  return rows[0]?.id ?? 0;
}

/** The lines of a deployment that have come after the one with this id, as they came, at most so many; null: it is gone. */
export async function findLinesAfter(
  db: Database,
  deploymentId: DeploymentId,
  after: number,
  most: number,
): Promise<Line[] | null> {
  const { rows } = await sql<Line & { exists: boolean }>`
    SELECT deployments.id IS NOT NULL AS exists, line.*
    FROM deployments LEFT JOIN LATERAL (
      SELECT id, at, node_id, runtime, instance_id, level, message FROM telemetry_lines
      WHERE deployment_id = deployments.id AND id > ${after} AND at >= (spec ->> 'created_at')::timestamptz
      ORDER BY id LIMIT ${most}
    ) AS line ON true
    WHERE deployments.id = ${deploymentId}
    ORDER BY line.id`.execute(db);
  if (rows.length === 0) return null;
  return rows.filter(({ id }) => id as number | null);
}
