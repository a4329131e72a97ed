import type { DeploymentId, Heartbeat, NodeId } from '@sluice/contracts';
import { sql } from 'kysely';
import { storedConnectors } from '@sluice/region-store/connector-reports';
import type { Database } from '@sluice/region-store/tables';
import { hasKey } from '@sluice/region-store/nodes.store';
import type { FromNode, Outcome } from './node-batches.ts';

/**
 * Records which revision the node with this key is in; never one that there has not been.
 * @returns whether that is news
 */
export async function recordAppliedRevision(
  db: Database,
  nodeId: NodeId,
  key: string,
  revision: number,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE nodes SET applied_revision = least(${revision}::bigint, deployments.revision)
    FROM deployments
    WHERE nodes.id = ${nodeId} AND deployments.id = deployment_id AND ${hasKey(key)}
      AND applied_revision <> least(${revision}::bigint, deployments.revision)
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** What a node says of itself. */
export interface Beat extends FromNode {
  heartbeat: Heartbeat;
}

/** `changed`: its broker, its ports, what it has applied or its revision are others than before, or it had not been heard of. */
export interface Taken {
  outcome: Outcome;
  changed: boolean;
  deployment_id: DeploymentId;
}

/** what a broker counts, such as its messages, changes all the time: it is stored no more often than this */
const statisticsSeconds = 5;

/**
 * Stores what nodes say of themselves, in one statement that writes only what is new: `last_heartbeat_at` once it is
 * `resolutionSeconds` old. Waits for no lock, so that one locked node holds up no other. Each node may
 * be there once.
 * @returns what became of each, in the same order
 */
export async function recordHeartbeats(
  db: Database,
  beats: readonly Beat[],
  resolutionSeconds: number,
): Promise<Taken[]> {
  const reported = beats.map(({ nodeId, key, heartbeat }) => ({
    ...{ node_id: nodeId, key, ...heartbeat },
    connectors: storedConnectors(heartbeat.connectors),
  }));
  const { rows } = await sql<Taken>`
    WITH reported AS (
      SELECT *
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) AS (
             node_id bigint, key text, agent_version text, applied_revision bigint,
             runtimes jsonb, ports jsonb, statistics jsonb, applied jsonb, connectors jsonb, cluster jsonb))
           WITH ORDINALITY
             AS reported (node_id, key, agent_version, applied_revision, runtimes, ports, statistics, applied, connectors,
                      cluster, position)
    ), known AS (
      SELECT reported.*, nodes.deployment_id, least(reported.applied_revision, deployments.revision) AS revision,
             nodes.last_heartbeat_at IS NULL OR nodes.unreachable_since IS NOT NULL
               OR (nodes.runtimes, nodes.ports, nodes.applied, nodes.connectors, nodes.cluster, nodes.applied_revision)
                  IS DISTINCT FROM
                  (reported.runtimes, reported.ports, reported.applied, reported.connectors, reported.cluster,
                   least(reported.applied_revision, deployments.revision))
               AS changed,
             nodes.agent_version IS DISTINCT FROM reported.agent_version
               OR nodes.last_heartbeat_at <= now() - make_interval(secs => ${resolutionSeconds})
               OR nodes.statistics IS DISTINCT FROM reported.statistics
                  AND nodes.last_heartbeat_at <= now() - make_interval(secs => ${statisticsSeconds})
               AS stale
      FROM reported
      JOIN nodes ON nodes.id = reported.node_id AND nodes.public_key ->> 'x' = reported.key
      JOIN deployments ON deployments.id = nodes.deployment_id
    ), free AS (
      SELECT nodes.id
      FROM nodes JOIN known ON known.node_id = nodes.id
      -- once more: the key may have been revoked since the statement began
      WHERE (known.changed OR known.stale) AND nodes.public_key ->> 'x' = known.key
      FOR NO KEY UPDATE OF nodes SKIP LOCKED
    ), written AS (
      UPDATE nodes
      SET agent_version = known.agent_version,
          last_heartbeat_at = now(),
          unreachable_since = NULL,
          applied_revision = known.revision,
          runtimes = known.runtimes,
          ports = known.ports,
          applied = known.applied,
          connectors = known.connectors,
          cluster = known.cluster,
          statistics = known.statistics
      FROM known JOIN free ON free.id = known.node_id
      WHERE nodes.id = known.node_id
      RETURNING nodes.id
    )
    SELECT known.deployment_id,
           CASE WHEN known.node_id IS NULL THEN 'refused'
                WHEN written.id IS NULL AND (known.changed OR known.stale) THEN 'busy'
                ELSE 'taken' END AS outcome,
           written.id IS NOT NULL AND known.changed AS changed
    FROM reported
    LEFT JOIN known ON known.position = reported.position
    LEFT JOIN written ON written.id = reported.node_id
    ORDER BY reported.position`.execute(db);
  return rows;
}
