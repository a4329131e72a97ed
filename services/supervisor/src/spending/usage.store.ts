import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

/** When deployments have run at one price; that of one deployment is changed only under its lock. */

export type Usage = Selectable<Tables['usage_intervals']>;

/** Stores an interval, or a later end of the one that began at the same time. */
export async function storeUsage(db: Database, { billed, ...usage }: Usage): Promise<void> {
  await db
    .insertInto('usage_intervals')
    .values({ ...usage, billed: JSON.stringify(billed) })
    .onConflict((conflict) =>
      conflict.columns(['deployment_uid', 'started_at']).doUpdateSet({ ended_at: usage.ended_at }),
    )
    .execute();
}

/** far more than a deployment has in the time for which usage is kept, unless it changes every quarter of an hour */
const most = 6_000;

/** Those of a deployment that have a part after a time, oldest first. */
export const listUsageSince = (db: Database, uid: string, since: Date): Promise<Usage[]> =>
  db
    .selectFrom('usage_intervals')
    .selectAll()
    .where('deployment_uid', '=', uid)
    .where('ended_at', '>', since)
    .orderBy('started_at')
    .limit(most)
    .execute();

export const deleteUsage = (
  db: Database,
  { deployment_uid, started_at }: Pick<Usage, 'deployment_uid' | 'started_at'>,
) =>
  db
    .deleteFrom('usage_intervals')
    .where('deployment_uid', '=', deployment_uid)
    .where('started_at', '=', started_at)
    .execute();

/** What the region remembers of a deployment, newest first. */
export const listUsage = (db: Database, uid: string): Promise<Usage[]> =>
  db
    .selectFrom('usage_intervals')
    .selectAll()
    .where('deployment_uid', '=', uid)
    .orderBy('started_at', 'desc')
    .limit(most)
    .execute();
