import type { Access, DeploymentId } from '@sluice/contracts';
import { In } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { bigint, jsonb, table } from '@sluice/main-store/columns';

/** Who may reach a deployment, as its region has reported it last. */
const DeploymentAccess = table('deployment_access', {
  deployment_id: bigint<DeploymentId>({ primary: true }),
  revision: bigint(),
  access: jsonb<Access>(),
});

/** Keeps what a region reports of who may reach a deployment, unless a later report is here. */
export const keepAccess = (db: Database, id: DeploymentId, access: Access) =>
  db.query(
    `INSERT INTO deployment_access AS kept (deployment_id, revision, access) VALUES ($1, $2, $3)
     ON CONFLICT (deployment_id) DO UPDATE SET revision = excluded.revision, access = excluded.access
     WHERE kept.revision < excluded.revision`,
    [id, access.revision, JSON.stringify(access)],
  );

export async function findAccess(db: Database, ids: DeploymentId[]) {
  const rows = await db.manager.findBy(DeploymentAccess, { deployment_id: In(ids) });
  return new Map(rows.map(({ deployment_id, access }) => [deployment_id, access]));
}
