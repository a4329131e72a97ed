import type { DeploymentId } from '@sluice/contracts';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type DnsRecord = Pick<Selectable<Tables['dns_records']>, 'domain' | 'address'>;

/** Adds a record to the zone; one of the same domain stays as it is. */
export async function insertDnsRecord(
  db: Database,
  record: Insertable<Tables['dns_records']>,
): Promise<void> {
  await db
    .insertInto('dns_records')
    .values(record)
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .execute();
}

/** Has a deployment's domain lead to its first node that has an address of its own. */
export async function moveRecords(db: Database, deploymentId: DeploymentId): Promise<void> {
  await sql`
    UPDATE dns_records SET address = placed.host
    FROM (
      SELECT address ->> 'host' AS host FROM nodes
      WHERE deployment_id = ${deploymentId} AND address IS NOT NULL ORDER BY position LIMIT 1
    ) AS placed
    WHERE deployment_id = ${deploymentId}`.execute(db);
}
