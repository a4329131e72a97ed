import type { DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { AcmeTables, Database } from './tables.ts';

export type AcmeRecord = Selectable<AcmeTables['acme_records']>;
export type RecordName = Pick<AcmeRecord, 'fqdn' | 'value'>;

/** Notes that a record is about to be set, so that it is removed in any case. @returns since when it is known to be set */
export async function claimRecord(
  db: Database,
  deploymentId: DeploymentId,
  { fqdn, value }: RecordName,
): Promise<Date | null> {
  const { set_at } = await db
    .insertInto('acme_records')
    .values({ fqdn, value, deployment_id: deploymentId, set_at: null, unneeded_since: null })
    .onConflict((conflict) =>
      conflict.columns(['fqdn', 'value']).doUpdateSet({
        deployment_id: deploymentId,
        unneeded_since: null,
        // one that was about to go may have gone
        set_at: sql`CASE WHEN acme_records.unneeded_since IS NULL THEN acme_records.set_at END`,
      }),
    )
    .returning('set_at')
    .executeTakeFirstOrThrow();
  return set_at;
}

export async function markSet(db: Database, { fqdn, value }: RecordName, set_at: Date | null): Promise<void> {
  await db
    .updateTable('acme_records')
    .set({ set_at })
    .where('fqdn', '=', fqdn)
    .where('value', '=', value)
    .execute();
}

export async function markUnneeded(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .updateTable('acme_records')
    .set({ unneeded_since: now, remove_at: now })
    .where('deployment_id', '=', deploymentId)
    .where('unneeded_since', 'is', null)
    .execute();
}

/** not needed, also since the deployment is gone */
const unneeded = sql<boolean>`(unneeded_since IS NOT NULL OR NOT EXISTS
  (SELECT FROM acme_orders WHERE acme_orders.deployment_id = acme_records.deployment_id))`;

/** Records to remove, which no other replica takes before `seconds` have passed. */
export async function takeUnneeded(
  db: Database,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<RecordName[]> {
  const { rows } = await sql<RecordName>`
    WITH taken AS (
      SELECT fqdn, value FROM acme_records WHERE remove_at <= clock_timestamp() AND ${unneeded}
      ORDER BY remove_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE acme_records SET remove_at = clock_timestamp() + make_interval(secs => ${seconds})
    FROM taken WHERE acme_records.fqdn = taken.fqdn AND acme_records.value = taken.value
    RETURNING taken.fqdn, taken.value`.execute(db);
  return rows;
}

/** Forgets a record that is gone, unless it is needed again. */
export async function deleteUnneeded(db: Database, { fqdn, value }: RecordName): Promise<void> {
  await db
    .deleteFrom('acme_records')
    .where('fqdn', '=', fqdn)
    .where('value', '=', value)
    .where(unneeded)
    .execute();
}
