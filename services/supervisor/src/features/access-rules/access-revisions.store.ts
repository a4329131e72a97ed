import type { DeploymentId } from '@sluice/contracts';
import { problem, type Sql } from '@sluice/service';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';
import { currentRevision, type Deployment } from '@sluice/region-store/deployments.store';

/** The revisions of rules and logins, of which main-api keeps copies. */

/** Raises the revision of a deployment's rules and logins, which goes with the time like that of the desired state. */
export const raiseAccessRevision = (db: Database, id: DeploymentId) =>
  db
    .updateTable('deployments')
    .set({ access_revision: sql<number>`greatest(access_revision + 1, ${currentRevision})` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Has main-api asked for its copies of all rules and logins, with the next inventory, since this database was restored. Until a
 * deployment's is here its agents keep the state that they have, and its rules and login cannot be changed.
 */
export async function askForAccess(db: Sql): Promise<void> {
  await db.query('UPDATE deployments SET access_question = gen_random_uuid() WHERE deleted_by IS NULL');
  await db.query("UPDATE inventories SET begun_at = 'epoch'");
}

/** @throws Problem `unavailable` while main-api has not said what has changed since the copy from which the region was restored */
export function requireKnownAccess({ access_question }: Pick<Deployment, 'access_question'>): void {
  if (access_question === null) return;
  const detail =
    'The region was restored, and access rules and logins are being compared. Try again in a minute.';
  throw problem('unavailable', { detail });
}
