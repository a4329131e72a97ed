import type { StreamReport } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';
import type { FromNode, Outcome } from '../agents/node-batches.ts';
import { carriedOnAlerts } from '../telemetry/consumer-alerts.store.ts';

/** A part of what a node's broker holds. Its time is one that there are partitions for. */
export interface NodeStreams extends FromNode, StreamReport {}

/** streams, and consumers, of a deployment at most */
const mostHeld = 1_000;

/**
 * Stores parts of reports of different nodes. What was reported later by another node, such as a new leader, stays. Of a deployment that has
 * `mostHeld` no further one is taken in.
 * @returns what became of each, in the same order
 */
export async function storeStreams(db: Database, reports: readonly NodeStreams[]): Promise<Outcome[]> {
  const received = reports.map(({ nodeId, ...report }) => ({ node_id: nodeId, ...report }));
  const { rows } = await sql<{ outcome: Outcome }>`
    WITH received AS (
      SELECT *
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(received)}::jsonb) AS (
             node_id bigint, key text, report uuid, at timestamptz, streams_total int, consumers_total int,
             streams jsonb, consumers jsonb))
           WITH ORDINALITY AS received (node_id, key, report, at, streams_total, consumers_total, streams, consumers, position)
    ), known AS (
      SELECT received.*, nodes.deployment_id
      FROM received JOIN nodes ON nodes.id = received.node_id AND nodes.public_key ->> 'x' = received.key
    ), free AS (
      SELECT nodes.id
      FROM nodes JOIN known ON known.node_id = nodes.id
      WHERE nodes.public_key ->> 'x' = known.key
      FOR KEY SHARE OF nodes SKIP LOCKED
    ), taken AS (
      INSERT INTO stream_reports (node_id, deployment_id, reported_at, streams_total, consumers_total)
      SELECT node_id, deployment_id, at, streams_total, consumers_total FROM known JOIN free ON free.id = node_id ORDER BY node_id
      ON CONFLICT (node_id) DO UPDATE
      SET (deployment_id, reported_at, streams_total, consumers_total) =
          (excluded.deployment_id, excluded.reported_at, excluded.streams_total, excluded.consumers_total)
      RETURNING node_id
    ), stream AS (
      SELECT DISTINCT ON (deployment_id, name) deployment_id, name, node_id, report, at, held
      FROM known JOIN taken USING (node_id), jsonb_array_elements(streams) AS held, nullif(held ->> 'name', '') AS name
      ORDER BY deployment_id, name, at DESC
    ), stored_streams AS (
      INSERT INTO broker_streams AS former (deployment_id, name, node_id, report, reported_at, held)
      SELECT deployment_id, name, node_id, report, at, held
      FROM (SELECT stream.*, former.name IS NOT NULL AS is_known,
                   row_number() OVER (PARTITION BY deployment_id, former.name IS NULL ORDER BY name) AS place
            FROM stream LEFT JOIN broker_streams AS former USING (deployment_id, name)) AS placed
      WHERE is_known OR place <= ${mostHeld} - (
              SELECT count(*) FROM broker_streams WHERE broker_streams.deployment_id = placed.deployment_id)
      ORDER BY deployment_id, name
      ON CONFLICT (deployment_id, name) DO UPDATE
      SET (node_id, report, reported_at, held) =
          (excluded.node_id, excluded.report, excluded.reported_at, excluded.held)
      WHERE former.reported_at <= excluded.reported_at
    ), consumer AS (
      SELECT DISTINCT ON (deployment_id, stream, name) deployment_id, held ->> 'stream' AS stream, name, node_id, report, at, held
      FROM known JOIN taken USING (node_id), jsonb_array_elements(consumers) AS held, nullif(held ->> 'name', '') AS name
      ORDER BY deployment_id, stream, name, at DESC
    ), stored_consumers AS (
      INSERT INTO broker_consumers AS former (deployment_id, stream, name, node_id, report, reported_at, held)
      SELECT deployment_id, stream, name, node_id, report, at, held
      FROM (SELECT consumer.*, former.name IS NOT NULL AS is_known,
                   row_number() OVER (PARTITION BY deployment_id, former.name IS NULL ORDER BY stream, name) AS place
            FROM consumer LEFT JOIN broker_consumers AS former USING (deployment_id, stream, name)) AS placed
      WHERE is_known OR place <= ${mostHeld} - (
              SELECT count(*) FROM broker_consumers WHERE broker_consumers.deployment_id = placed.deployment_id)
      ORDER BY deployment_id, stream, name
      ON CONFLICT (deployment_id, stream, name) DO UPDATE
      SET (node_id, report, reported_at, held) =
          (excluded.node_id, excluded.report, excluded.reported_at, excluded.held)
      WHERE former.reported_at <= excluded.reported_at
      RETURNING deployment_id, stream, name, reported_at, (held ->> 'pending')::bigint AS pending
    ), ${carriedOnAlerts}, minutes AS (
      ${sumUp('consumer_minutes', '1 minute')}
    ), hours AS (
      ${sumUp('consumer_hours', '1 hour')}
    )
    SELECT CASE WHEN known.node_id IS NULL THEN 'refused'
                WHEN free.id IS NULL THEN 'busy'
                ELSE 'taken' END AS outcome
    FROM received
    LEFT JOIN known ON known.position = received.position
    LEFT JOIN free ON free.id = received.node_id
    ORDER BY received.position`.execute(db);
  const outcomes = rows.map(({ outcome }) => outcome);
  const ended = reports.filter(
    ({ complete, last }, index) => complete && last && outcomes[index] === 'taken',
  );
  await deleteGone(db, ended);
  return outcomes;
}

const sumUp = (table: 'consumer_minutes' | 'consumer_hours', length: string) => sql`
  INSERT INTO ${sql.table(table)} AS former (deployment_id, at, stream, consumer, pending_min, pending_max, pending_sum, samples)
  SELECT deployment_id, date_bin(${length}::interval, reported_at, 'epoch'), stream, name, pending, pending, pending, 1
  FROM stored_consumers
  ORDER BY deployment_id, stream, name
  ON CONFLICT (deployment_id, stream, consumer, at) DO UPDATE
  SET (pending_min, pending_max, pending_sum, samples) =
      (least(former.pending_min, excluded.pending_min), greatest(former.pending_max, excluded.pending_max),
       former.pending_sum + excluded.pending_sum, former.samples + 1)`;

/** Deletes what a node has reported before and not in these reports, which are complete. */
async function deleteGone(db: Database, ended: readonly NodeStreams[]): Promise<void> {
  if (ended.length === 0) return;
  const reports = JSON.stringify(ended.map(({ nodeId, report }) => ({ node_id: nodeId, report })));
  for (const table of ['broker_streams', 'broker_consumers'] as const)
    await sql`
      DELETE FROM ${sql.table(table)} AS held
      USING jsonb_to_recordset(${reports}::jsonb) AS ended (node_id bigint, report uuid)
      WHERE held.node_id = ended.node_id AND held.report <> ended.report`.execute(db);
}
