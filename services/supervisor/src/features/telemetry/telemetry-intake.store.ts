import type { Sample, LogLine } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';
import type { FromNode, Outcome } from '../agents/node-batches.ts';

/** A batch of a node. Its times and ids are such that PostgreSQL can store them. */
export interface NodeBatch extends FromNode {
  spool: string;
  number: number;
  samples: readonly Sample[];
  lines: readonly LogLine[];
}

/**
 * Stores batches of different nodes in one statement that waits for no lock. The five minutes that its samples lie in stay locked until it
 * is committed, so that no sum leaves them out.
 * @returns what became of each, in the same order, and whether it is new
 */
export async function storeBatches(
  db: Database,
  batches: readonly NodeBatch[],
): Promise<{ outcome: Outcome; is_new: boolean }[]> {
  const received = batches.map(({ nodeId, ...batch }) => ({ node_id: nodeId, ...batch }));
  const { rows } = await sql<{ outcome: Outcome; is_new: boolean }>`
    WITH received AS (
      SELECT *
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(received)}::jsonb) AS (
             node_id bigint, key text, spool uuid, number bigint, samples jsonb, lines jsonb))
           WITH ORDINALITY AS received (node_id, key, spool, number, samples, lines, position)
    ), known AS (
      SELECT received.*, nodes.deployment_id
      FROM received JOIN nodes ON nodes.id = received.node_id AND nodes.public_key ->> 'x' = received.key
    ), free AS (
      SELECT nodes.id
      FROM nodes JOIN known ON known.node_id = nodes.id
      -- once more: the key may have been revoked since the statement began
      WHERE nodes.public_key ->> 'x' = known.key
      FOR KEY SHARE OF nodes SKIP LOCKED
    ), taken AS (
      INSERT INTO telemetry_batches AS former (node_id, deployment_id, spool, number, taken_at)
      SELECT node_id, deployment_id, spool, number, now() FROM known JOIN free ON free.id = node_id ORDER BY node_id
      ON CONFLICT (node_id) DO UPDATE
      SET (deployment_id, spool, number, taken_at) =
          (excluded.deployment_id, excluded.spool, excluded.number, excluded.taken_at)
      WHERE former.spool <> excluded.spool OR former.number < excluded.number
      RETURNING node_id
    ), sample AS (
      SELECT known.deployment_id, sample.at, known.node_id, sample.runtime,
             coalesce(sample.connector_instance_id, 0) AS instance_id,
             coalesce(sample.instance_status, sample.status) AS status, sample.metrics
      FROM known JOIN taken USING (node_id),
           jsonb_to_recordset(samples) AS sample (
             at timestamptz, runtime text, connector_instance_id bigint, status text, instance_status text, metrics jsonb)
    ), stored_samples AS (
      INSERT INTO telemetry_samples (deployment_id, at, node_id, runtime, instance_id, status, metrics)
      SELECT * FROM sample
    ), due AS (
      INSERT INTO telemetry_due (deployment_id, at)
      SELECT DISTINCT deployment_id, date_bin('5 minutes', at, 'epoch') AS begins FROM sample ORDER BY begins, deployment_id
      -- changes nothing, and locks
      ON CONFLICT (at, deployment_id) DO UPDATE SET at = excluded.at WHERE false
    ), stored_lines AS (
      INSERT INTO telemetry_lines (deployment_id, at, node_id, runtime, instance_id, level, message)
      SELECT known.deployment_id, line.at, known.node_id, line.runtime, coalesce(line.connector_instance_id, 0),
             line.level, line.message
      FROM known JOIN taken USING (node_id),
           ROWS FROM (jsonb_to_recordset(lines) AS (
             at timestamptz, runtime text, connector_instance_id bigint, level text, message text))
           WITH ORDINALITY AS line (at, runtime, connector_instance_id, level, message, place)
      ORDER BY line.place
    )
    SELECT CASE WHEN known.node_id IS NULL THEN 'refused'
                WHEN free.id IS NULL THEN 'busy'
                ELSE 'taken' END AS outcome,
           known.node_id IS NOT NULL AND taken.node_id IS NOT NULL AS is_new
    FROM received
    LEFT JOIN known ON known.position = received.position
    LEFT JOIN free ON free.id = received.node_id
    LEFT JOIN taken ON taken.node_id = received.node_id
    ORDER BY received.position`.execute(db);
  return rows;
}
