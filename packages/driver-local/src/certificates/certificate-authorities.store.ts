import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database, LocalTables } from '../tables.ts';

export type Authority = Selectable<LocalTables['certificate_authorities']>;

export async function listAuthorities(db: Database): Promise<Authority[]> {
  return await db.selectFrom('certificate_authorities').selectAll().orderBy('id', 'desc').execute();
}

/** Makes replicas that would make an authority wait for each other until their transactions end. */
export async function lockAuthorities(db: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('certificate_authorities'))`.execute(db);
}

export async function insertAuthority(
  db: Database,
  authority: Insertable<LocalTables['certificate_authorities']>,
): Promise<Authority> {
  return await db
    .insertInto('certificate_authorities')
    .values(authority)
    .returningAll()
    .executeTakeFirstOrThrow();
}
