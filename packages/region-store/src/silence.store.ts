import type { DeploymentId, NodeId } from '@sluice/contracts';
import { sql } from 'kysely';
import { countOf } from './queries.ts';
import type { Database } from './tables.ts';

/** All in seconds. */
export interface Silence {
  /** after which a node is unreachable */
  limit: number;
  /** the time between two looks, of however many replicas */
  pause: number;
  /** a longer time between two looks is a gap, after which every node is given the whole limit anew */
  gap: number;
}

/** A node that has become unreachable, or is heard of again. */
export interface Change {
  id: NodeId;
  deployment_id: DeploymentId;
  unreachable: boolean;
}

/** as many as one look finds; where a whole network is gone, the next ones find the others */
const mostChanges = 1_000;

/**
 * Looks for nodes that have been silent for the limit, and for those that are no longer, in one statement for all, unless
 * another replica has just done so. Each is found once, and marked. Goes by the database's clock alone.
 */
export async function lookForSilence(db: Database, { limit, pause, gap }: Silence): Promise<Change[]> {
  const { rows } = await sql<Change>`
    WITH look AS (
      INSERT INTO silence_looks AS former (watched_since, looked_at) VALUES (now(), now())
      ON CONFLICT (only_row) DO UPDATE
      SET looked_at = now(),
          watched_since = CASE WHEN former.looked_at < now() - make_interval(secs => ${gap})
                               THEN now() ELSE former.watched_since END
      -- a look that is half a pause too early has come after another replica's
      WHERE former.looked_at <= now() - make_interval(secs => ${pause / 2})
      RETURNING watched_since, now() - make_interval(secs => ${limit}) AS horizon
    ), found AS (
      SELECT nodes.id
      FROM look JOIN nodes
        ON CASE WHEN unreachable_since IS NULL THEN last_heartbeat_at < horizon AND watched_since < horizon
                ELSE last_heartbeat_at >= horizon END
      LIMIT ${mostChanges}
      FOR NO KEY UPDATE OF nodes SKIP LOCKED
    )
    UPDATE nodes SET unreachable_since = CASE WHEN unreachable_since IS NULL THEN now() END
    FROM found WHERE nodes.id = found.id
    RETURNING nodes.id, deployment_id, unreachable_since IS NOT NULL AS unreachable`.execute(db);
  return rows;
}

/** How long a supervisor has to have listened to the nodes before their silence counts, in seconds. */
export interface HeartbeatGrace {
  least: number;
  /** as in `Silence` */
  gap: number;
}

/** Whether any replica has listened for so long. */
export const hasBeenListening = ({ least, gap }: HeartbeatGrace) => sql<boolean>`EXISTS (
  SELECT FROM silence_looks
  WHERE watched_since <= now() - make_interval(secs => ${least}) AND looked_at >= now() - make_interval(secs => ${gap}))`;

export const countUnreachable = (db: Database) =>
  countOf(db.selectFrom('nodes').where('unreachable_since', 'is not', null));
