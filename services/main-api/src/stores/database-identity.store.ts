import type { Database } from '../database.ts';
import type { DatabaseIdentityRow } from './database-identity.entity.ts';

/**
 * Whether this is another database than when this was last asked: restored into another cluster or under a new name, rolled back to a
 * point in time, or taken over by a standby, which may lack what was committed last. Each of these changes the cluster's
 * identifier, its timeline or the database's number; a copy of the files alone changes none.
 */
export async function isAnotherDatabase(db: Database): Promise<boolean> {
  const [now] = await db.query<Pick<DatabaseIdentityRow, 'identity'>>(
    `SELECT format('%s/%s/%s', system_identifier, timeline_id, oid) AS identity
     FROM pg_control_system(), pg_control_checkpoint(), pg_database WHERE datname = current_database()`,
  );
  const identity = now?.identity ?? '';
  await db.query('INSERT INTO database_identity (identity) VALUES ($1) ON CONFLICT DO NOTHING', [identity]);
  const changed = await db.query(
    'UPDATE database_identity SET identity = $1 WHERE identity <> $1 RETURNING 1',
    [identity],
  );
  return changed.length > 0;
}
