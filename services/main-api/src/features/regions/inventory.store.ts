import type { ConnectorInstanceId, DeploymentId, HighestIds, Inventory, RegionRef } from '@sluice/contracts';
import { In } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { isOpen } from '@sluice/main-store/deployment-upgrades.store';
import { RemovedDeployment, type DeploymentRow } from '@sluice/main-store/deployments.store';

/** A deployment, as it is compared with what its region has. */
export interface ComparedDeployment extends Pick<
  DeploymentRow,
  | 'id'
  | 'uid'
  | 'tenant_id'
  | 'storage_size'
  | 'generation'
  | 'status'
  | 'status_version'
  | 'delete_requested_at'
> {
  /** of the copy of its rules and logins; 0 without one */
  access_revision: number;
  /** whether an upgrade of it has not ended, as far as is known here */
  is_upgraded: boolean;
  /** instances of connectors, and those of them that the region has taken in */
  instances: ConnectorInstanceId[];
  /** since `usage_since` of the inventory */
  used_seconds: number;
  accepted: ConnectorInstanceId[];
}

/** The deployments of a region in a part of its inventory, in the order of their ids, no more than `limit`. */
export const listInPart = (
  db: Database,
  { cloud, region }: RegionRef,
  { after, upto, usage_since }: Pick<Inventory, 'after' | 'upto' | 'usage_since'>,
  limit: number,
) =>
  db.query<ComparedDeployment>(
    `SELECT id, uid, tenant_id, storage_size, generation, status, status_version, delete_requested_at,
       coalesce((SELECT revision FROM deployment_access a WHERE a.deployment_id = deployments.id), 0) AS access_revision,
       EXISTS (SELECT FROM deployment_upgrades u WHERE u.deployment_id = deployments.id AND u.${isOpen}) AS is_upgraded,
       (SELECT coalesce(sum(extract(epoch FROM u.ended_at - u.started_at)), 0)::bigint
        FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
        WHERE b.uid = deployments.uid AND u.started_at >= $6) AS used_seconds,
       (SELECT coalesce(jsonb_agg(i.id), '[]') FROM connector_instances i
        WHERE i.deployment_id = deployments.id) AS instances,
       (SELECT coalesce(jsonb_agg(i.id), '[]') FROM connector_instances i
        WHERE i.deployment_id = deployments.id AND i.accepted_at IS NOT NULL AND i.refused_at IS NULL) AS accepted
     FROM deployments WHERE cloud = $1 AND region = $2 AND id > $3 AND ($4::bigint IS NULL OR id <= $4)
     ORDER BY id LIMIT $5`,
    [cloud, region, after, upto, limit, usage_since ?? null],
  );

export async function findRemoved(db: Database, uids: string[]) {
  const removed = await db.manager.findBy(RemovedDeployment, { uid: In(uids) });
  return new Set(removed.map(({ uid }) => uid));
}

/** Brings generations above those that a region has, which then takes the next shape in. */
export const raiseGenerations = (db: Database, above: { id: DeploymentId; generation: number }[]) =>
  db.query(
    `UPDATE deployments SET generation = greatest(deployments.generation, above.generation) + 1
     FROM jsonb_to_recordset($1::jsonb) AS above (id bigint, generation bigint)
     WHERE deployments.id = above.id`,
    [JSON.stringify(above)],
  );

/** Whether an id is known that has not been given out yet, as this database has it: then it is older than that. */
export async function isBehind(db: Database, known: HighestIds): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM jsonb_each_text($1::jsonb) AS known (name, id)
     JOIN pg_sequences ON schemaname = current_schema()
       AND format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(known.name, 'id')
     WHERE known.id::bigint > coalesce(last_value, 0)`,
    [JSON.stringify(known)],
  );
  return rows.length > 0;
}
