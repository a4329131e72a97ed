import { consumerLagThresholds, type DeploymentId, type DeploymentSpec } from '@sluice/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

/**
 * Agents report a consumer whose lag stays as it is every five minutes. What was not reported for longer than this is not known, and its
 * time begins anew.
 */
const unknownAfter = sql.lit('400 seconds');

/** Parts of a statement that carry on what is known of the consumers in `stored_consumers`. Of those that do not lag nothing is written. */
export const carriedOnAlerts: RawBuilder<unknown> = sql`
  lagging AS (
    INSERT INTO consumer_alerts AS former (deployment_id, stream, consumer, threshold, beyond_since, reported_at, pending)
    SELECT deployment_id, stream, name, threshold, reported_at, reported_at, pending
    FROM stored_consumers JOIN unnest(${[...consumerLagThresholds]}::bigint[]) AS threshold ON pending >= threshold
    ORDER BY deployment_id, stream, name, threshold
    ON CONFLICT (deployment_id, stream, consumer, threshold) DO UPDATE
    SET beyond_since = CASE WHEN former.reported_at < excluded.reported_at - ${unknownAfter}::interval THEN excluded.reported_at
                            ELSE coalesce(former.beyond_since, excluded.reported_at) END,
        within_since = NULL, reported_at = excluded.reported_at, pending = excluded.pending
  ), recovering AS (
    UPDATE consumer_alerts AS former
    SET beyond_since = NULL, reported_at = stored.reported_at, pending = stored.pending,
        within_since = CASE WHEN stored.pending <= former.threshold / 2 THEN coalesce(former.within_since, stored.reported_at) END
    FROM stored_consumers AS stored
    WHERE (former.deployment_id, former.stream, former.consumer) = (stored.deployment_id, stored.stream, stored.name)
      AND stored.pending < former.threshold
  )`;

/** An alert of a consumer that is to be emitted, of a deployment that is not being deleted. */
export interface DueLag {
  /** whether it is raised now, or resolved */
  raises: boolean;
  stream: string;
  consumer: string;
  threshold: number;
  pending: number;
  since: Date;
  deployment: { id: DeploymentId; uid: string; spec: DeploymentSpec };
}

const mostAtOnce = 200;

/**
 * Finds what is to be raised or resolved, and marks it, so that of however many who look each is found by one, once.
 * @param times for how long a consumer has to lag, and for how long not. Seconds.
 */
export async function takeDueLag(db: Database, times: { raise: number; resolve: number }): Promise<DueLag[]> {
  // a consumer that is gone has no lag
  await sql`
    UPDATE consumer_alerts AS alert SET beyond_since = NULL, within_since = now()
    WHERE within_since IS NULL AND NOT EXISTS (
      SELECT FROM broker_consumers AS held
      WHERE (held.deployment_id, held.stream, held.name) = (alert.deployment_id, alert.stream, alert.consumer))`.execute(
    db,
  );
  await sql`DELETE FROM consumer_alerts WHERE raised_at IS NULL AND beyond_since IS NULL`.execute(db);
  const { rows } = await sql<DueLag>`
    WITH due AS (
      SELECT alert.deployment_id, alert.stream, alert.consumer, alert.threshold, alert.pending, alert.raised_at IS NULL AS raises,
             coalesce(alert.beyond_since, alert.raised_at) AS since,
             jsonb_build_object('id', deployments.id, 'uid', deployments.uid, 'spec', deployments.spec) AS deployment
      FROM consumer_alerts AS alert JOIN deployments ON deployments.id = alert.deployment_id
      WHERE deleted_by IS NULL AND unknown_since IS NULL
        AND CASE WHEN alert.raised_at IS NULL
              THEN now() - alert.beyond_since >= make_interval(secs => ${times.raise})
                AND alert.reported_at > now() - ${unknownAfter}::interval
              ELSE now() - alert.within_since >= make_interval(secs => ${times.resolve}) END
      ORDER BY alert.deployment_id, alert.stream, alert.consumer, alert.threshold LIMIT ${mostAtOnce}
      FOR NO KEY UPDATE OF alert SKIP LOCKED
    ), raised AS (
      UPDATE consumer_alerts AS alert SET raised_at = now() FROM due
      WHERE (alert.deployment_id, alert.stream, alert.consumer, alert.threshold) =
            (due.deployment_id, due.stream, due.consumer, due.threshold) AND due.raises
    ), resolved AS (
      DELETE FROM consumer_alerts AS alert USING due
      WHERE (alert.deployment_id, alert.stream, alert.consumer, alert.threshold) =
            (due.deployment_id, due.stream, due.consumer, due.threshold) AND NOT due.raises
    )
    SELECT * FROM due`.execute(db);
  return rows;
}

export interface RaisedLag {
  consumer: string;
  threshold: number;
  raised_at: Date;
}

/** Alerts of consumers of a stream that are raised and not resolved, the oldest first. */
export async function listRaisedLags(
  db: Database,
  { deploymentId, stream, consumers }: { deploymentId: DeploymentId; stream: string; consumers: string[] },
): Promise<RaisedLag[]> {
  const { rows } = await sql<RaisedLag>`
    SELECT consumer, threshold::float8 AS threshold, raised_at FROM consumer_alerts
    WHERE deployment_id = ${deploymentId} AND stream = ${stream} AND consumer = ANY (${consumers}::text[]) AND raised_at IS NOT NULL
    ORDER BY raised_at, consumer, threshold`.execute(db);
  return rows;
}

/** How many alerts of consumers are raised and not resolved. */
export async function countLagging(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('consumer_alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('raised_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
