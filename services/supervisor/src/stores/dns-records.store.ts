import type { Insertable, Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

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
