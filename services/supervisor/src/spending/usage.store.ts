import type { DeploymentId, Used } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '@sluice/region-store/tables';

/** When deployments have run at one price; that of one deployment is changed only under its lock. */

export type Usage = Selectable<Tables['usage_intervals']>;
/** Usage as it is reported: `known_since` of the inventory goes along. */
export type KnownUsage = Usage & Pick<Selectable<Tables['inventories']>, 'known_since'>;

const knownSince = sql<Date | null>`(SELECT known_since FROM inventories)`.as('known_since');

/** Stores an interval, or a later end of the one that began at the same time. */
export const storeUsage = (db: Database, { billed, ...usage }: Usage): Promise<KnownUsage> =>
  db
    .insertInto('usage_intervals')
    .values({ ...usage, billed: JSON.stringify(billed) })
    .onConflict((conflict) =>
      conflict.columns(['deployment_uid', 'started_at']).doUpdateSet({ ended_at: usage.ended_at }),
    )
    .returningAll()
    .returning(knownSince)
    .executeTakeFirstOrThrow();

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
export const listUsage = (db: Database, uid: string): Promise<KnownUsage[]> =>
  db
    .selectFrom('usage_intervals')
    .selectAll()
    .select(knownSince)
    .where('deployment_uid', '=', uid)
    .orderBy('started_at', 'desc')
    .limit(most)
    .execute();

/** Adds the parts of intervals that are not there. */
export async function addUsage(
  db: Database,
  { id, uid }: { id: DeploymentId; uid: string },
  used: readonly Used[],
): Promise<void> {
  const rows = used.map(({ from, to, ...billed }) => ({ from, to, billed }));
  await sql`
    INSERT INTO usage_intervals (deployment_uid, deployment_id, started_at, ended_at, billed)
    SELECT ${uid}, ${id}, lower(part), upper(part), billed
    FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS used ("from" timestamptz, "to" timestamptz, billed jsonb),
      unnest(tstzmultirange(tstzrange("from", "to")) - coalesce(
        (SELECT range_agg(tstzrange(started_at, ended_at)) FROM usage_intervals WHERE deployment_uid = ${uid}), '{}')) AS part
  `.execute(db);
}
