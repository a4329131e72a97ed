import type { DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '@sluice/region-store/tables';

/** The keys of deployments whose brokers encrypt what they store. Each is sealed by the region. */

export type EncryptionKey = Selectable<Tables['encryption_keys']>;

/** The condition that all data of the deployment is encrypted with the newest version of its key. */
const encrypted = 'Encrypted';

/** The versions of a deployment's key, newest first; none where nothing is encrypted. */
export const listEncryptionKeys = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('encryption_keys')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('version', 'desc')
    .execute();

export const insertEncryptionKey = (
  db: Database,
  key: Pick<EncryptionKey, 'deployment_id' | 'version' | 'sealed_key'>,
) => db.insertInto('encryption_keys').values(key).execute();

/** The newest version by deployment, and of its nodes which do not report that all their data is encrypted with it. */
const progress = sql`
  SELECT key.deployment_id, key.version, nodes.name, nodes.position,
         -- later than the newest where the database was restored to before a rotation
         coalesce((nodes.applied ->> 'encryption_version')::int >= key.version, false) AS applied,
         (nodes.applied ->> 'encryption_version')::int AS reported
  FROM (SELECT deployment_id, max(version) AS version FROM encryption_keys GROUP BY deployment_id) AS key
  JOIN nodes ON nodes.deployment_id = key.deployment_id`;

/**
 * A node whose data is not known to be encrypted with the newest version, and the newest version that any node reports; undefined for a
 * deployment that is not encrypted.
 */
export async function findKeyProgress(
  db: Database,
  deploymentId: DeploymentId,
): Promise<{ newest: number; behind: string | null } | undefined> {
  const { rows } = await sql<{ newest: number | null; behind: string | null }>`
    SELECT greatest(max(version), max(reported)) AS newest,
           (array_agg(name ORDER BY position) FILTER (WHERE NOT applied))[1] AS behind
    FROM (${progress}) AS progress WHERE deployment_id = ${deploymentId}`.execute(db);
  const [row] = rows;
  return row && row.newest !== null ? { newest: row.newest, behind: row.behind } : undefined;
}

/** Sets the condition `Encrypted` of those of the deployments that have a key, by what their nodes report. */
export const setEncrypted = (db: Database, deployments: readonly DeploymentId[]) =>
  sql`
    INSERT INTO deployment_conditions (deployment_id, type, status, reason, message, changed_at)
    SELECT deployment_id, ${encrypted}, CASE WHEN bool_and(applied) THEN 'True' ELSE 'False' END,
           CASE WHEN bool_and(applied) THEN 'KeyApplied' ELSE 'KeyNotApplied' END,
           'version ' || version || coalesce(
             ' of the key is not applied on ' || string_agg(name, ', ' ORDER BY position) FILTER (WHERE NOT applied), ' of the key'),
           now()
    FROM (${progress}) AS progress WHERE deployment_id = ANY(${deployments})
    GROUP BY deployment_id, version
    ON CONFLICT (deployment_id, type) DO UPDATE
    SET status = excluded.status, reason = excluded.reason, message = excluded.message, changed_at = excluded.changed_at
    WHERE (deployment_conditions.status, deployment_conditions.message) IS DISTINCT FROM (excluded.status, excluded.message)`.execute(
    db,
  );
