import type {
  ConnectorInstanceId,
  DeploymentId,
  DeploymentSpec,
  NodeId,
  TelemetryRuntime,
} from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

export const alertKinds = ['cpu', 'memory', 'disk', 'unreachable'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Of what an alert is. */
interface Watched {
  node_id: NodeId;
  kind: AlertKind;
  runtime: TelemetryRuntime;
  /** 0: the program itself */
  instance_id: number;
}

/** What a batch says of one thing. Times are ISO 8601. */
export interface Observation extends Watched {
  first_at: string;
  last_at: string;
  /** of the last sample; null for what has none */
  value: number | null;
  /** since when all samples of the batch up to its end are beyond the threshold, or well within it; null: the last one is not */
  beyond_from: string | null;
  within_from: string | null;
  /** whether these begin in the batch, since a sample before them was otherwise */
  beyond_anew: boolean;
  within_anew: boolean;
}

/**
 * Carries on what is known of those that are, or were, beyond their threshold. Of all others nothing is written.
 * @param gapSeconds after a longer time without a sample it begins anew
 */
export async function recordObservations(
  db: Database,
  observations: readonly Observation[],
  gapSeconds: number,
): Promise<void> {
  if (observations.length === 0) return;
  const from = (side: 'beyond' | 'within') => sql`
    CASE WHEN observed.${sql.ref(`${side}_anew`)} OR former.reported_at < observed.first_at - make_interval(secs => ${gapSeconds})
           OR observed.${sql.ref(`${side}_from`)} IS NULL
         THEN observed.${sql.ref(`${side}_from`)} ELSE coalesce(former.${sql.ref(`${side}_since`)}, observed.${sql.ref(`${side}_from`)}) END`;
  await sql`
    WITH observed AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(observations)}::jsonb) AS observed (
        node_id bigint, kind text, runtime text, instance_id bigint, first_at timestamptz, last_at timestamptz,
        value float8, beyond_from timestamptz, within_from timestamptz, beyond_anew boolean, within_anew boolean)
    ), carried_on AS (
      UPDATE health_alerts AS former
      SET beyond_since = ${from('beyond')}, within_since = ${from('within')}, reported_at = observed.last_at, value = observed.value
      FROM observed
      WHERE (former.node_id, former.kind, former.runtime, former.instance_id) =
            (observed.node_id, observed.kind, observed.runtime, observed.instance_id)
      RETURNING former.node_id, former.kind, former.runtime, former.instance_id
    )
    INSERT INTO health_alerts (node_id, kind, runtime, instance_id, beyond_since, reported_at, value)
    SELECT node_id, kind, runtime, instance_id, beyond_from, last_at, value
    FROM observed LEFT JOIN carried_on USING (node_id, kind, runtime, instance_id)
    WHERE beyond_from IS NOT NULL AND carried_on.node_id IS NULL
    ORDER BY node_id, kind, runtime, instance_id
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Notes which agents are silent, and forgets what was beyond its threshold for too short a time, or is gone. */
export async function tidyAlerts(db: Database): Promise<void> {
  await sql`
    INSERT INTO health_alerts (node_id, kind, runtime, instance_id, beyond_since, reported_at)
    SELECT id, 'unreachable', 'agent', 0, last_heartbeat_at, now() FROM nodes WHERE unreachable_since IS NOT NULL
    ORDER BY id
    ON CONFLICT DO NOTHING`.execute(db);
  await sql`
    DELETE FROM health_alerts
    WHERE raised_at IS NULL AND (beyond_since IS NULL OR kind = 'unreachable' AND runtime = 'agent'
             AND NOT EXISTS (SELECT FROM nodes WHERE id = node_id AND unreachable_since IS NOT NULL))
       OR instance_id <> 0 AND NOT EXISTS (SELECT FROM connector_instances WHERE id = instance_id)`.execute(
    db,
  );
}

/** An alert that is to be emitted, of a deployment that is not being deleted. */
export interface Due extends Watched {
  /** whether it is raised now, or resolved */
  raises: boolean;
  since: Date;
  value: number | null;
  node_name: string;
  deployment: { id: DeploymentId; uid: string; spec: DeploymentSpec };
  connector_instance_id: ConnectorInstanceId | null;
  connector_instance_name: string | null;
  connector_key: string | null;
}

export interface AlertTimes {
  /** for how long a measure has to be beyond its threshold, and how long within it. Seconds. */
  raise: number;
  resolve: number;
  /** for how long a program has to be away */
  unreachable: number;
  /** older samples say nothing of now */
  fresh: number;
}

const mostAtOnce = 200;

/** Finds what is to be raised or resolved, and marks it, so that of however many who look each is found by one, once. */
export async function takeDue(db: Database, times: AlertTimes): Promise<Due[]> {
  const seconds = (side: 'beyond' | 'within', length: ReturnType<typeof sql>) =>
    sql`alert.reported_at - alert.${sql.ref(`${side}_since`)} >= make_interval(secs => ${length})`;
  const isAgent = sql`(alert.kind = 'unreachable' AND alert.runtime = 'agent')`;
  const { rows } = await sql<Due>`
    WITH due AS (
      SELECT alert.node_id, alert.kind, alert.runtime, alert.instance_id, alert.raised_at IS NULL AS raises,
             coalesce(alert.beyond_since, alert.raised_at) AS since, alert.value, nodes.name AS node_name,
             jsonb_build_object('id', deployments.id, 'uid', deployments.uid, 'spec', deployments.spec) AS deployment,
             instance.id AS connector_instance_id, instance.name AS connector_instance_name, instance.connector_key
      FROM health_alerts AS alert
      JOIN nodes ON nodes.id = alert.node_id
      JOIN deployments ON deployments.id = nodes.deployment_id
      LEFT JOIN connector_instances AS instance
        ON instance.id = alert.instance_id AND instance.deployment_id = deployments.id
      WHERE deleted_by IS NULL AND unknown_since IS NULL AND (alert.instance_id = 0 OR instance.id IS NOT NULL)
        AND EXISTS (SELECT FROM deployment_conditions
                    WHERE deployment_id = deployments.id AND type = 'Initialized' AND status = 'True')
        AND CASE
              WHEN ${isAgent} THEN (alert.raised_at IS NULL) = (nodes.unreachable_since IS NOT NULL)
              WHEN alert.raised_at IS NULL THEN alert.reported_at > now() - make_interval(secs => ${times.fresh})
                AND ${seconds('beyond', sql`CASE WHEN kind = 'unreachable' THEN ${times.unreachable}::float8 ELSE ${times.raise}::float8 END`)}
              ELSE ${seconds('within', sql`CASE WHEN kind = 'unreachable' THEN 0 ELSE ${times.resolve}::float8 END`)}
            END
      ORDER BY alert.node_id LIMIT ${mostAtOnce}
      FOR NO KEY UPDATE OF alert SKIP LOCKED
    ), raised AS (
      UPDATE health_alerts AS alert SET raised_at = now() FROM due
      WHERE (alert.node_id, alert.kind, alert.runtime, alert.instance_id) =
            (due.node_id, due.kind, due.runtime, due.instance_id) AND due.raises
    ), resolved AS (
      DELETE FROM health_alerts AS alert USING due
      WHERE (alert.node_id, alert.kind, alert.runtime, alert.instance_id) =
            (due.node_id, due.kind, due.runtime, due.instance_id) AND NOT due.raises
    )
    SELECT * FROM due`.execute(db);
  return rows;
}

export async function countRaised(db: Database): Promise<{ kind: AlertKind; count: number }[]> {
  const { rows } = await sql<{ kind: AlertKind; count: number }>`
    SELECT kind, count(*) FROM health_alerts WHERE raised_at IS NOT NULL GROUP BY kind`.execute(db);
  return rows;
}

/** What is raised of a node: kinds, with the program where it is not the node itself. */
export async function listRaised(db: Database, nodeId: NodeId): Promise<string[]> {
  const raised = await db
    .selectFrom('health_alerts')
    .select(['kind', 'runtime'])
    .where('node_id', '=', nodeId)
    .where('raised_at', 'is not', null)
    .orderBy('kind')
    .orderBy('runtime')
    .limit(20)
    .execute();
  return raised.map(({ kind, runtime }) => (runtime === 'node' ? kind : `${kind} (${runtime})`));
}
