import type { Access, DeploymentId } from '@sluice/contracts';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '@sluice/region-store/tables';

export type FormerCredentials = Selectable<Tables['former_credentials']>;

/** The logins of a deployment that were replaced and are still good, the one that ends first first. */
export const listFormerCredentials = (db: Database, deploymentId: DeploymentId, now: Date) =>
  db
    .selectFrom('former_credentials')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('valid_to', '>', now)
    .orderBy('valid_to')
    .execute();

/** Ends every login of a deployment that was replaced. */
export const deleteFormerCredentials = (db: Database, deploymentId: DeploymentId) =>
  db.deleteFrom('former_credentials').where('deployment_id', '=', deploymentId).execute();

export const insertFormerCredentials = (db: Database, former: FormerCredentials) =>
  db.insertInto('former_credentials').values(former).execute();

/** Makes these the logins of a deployment that were replaced and are still good. */
export async function replaceFormerCredentials(
  db: Database,
  deploymentId: DeploymentId,
  former: Access['former_logins'],
): Promise<void> {
  await deleteFormerCredentials(db, deploymentId);
  for (const { username, sealed_password, valid_to } of former)
    await insertFormerCredentials(db, {
      ...{ deployment_id: deploymentId, username, sealed_password },
      valid_to: new Date(valid_to),
    });
}
