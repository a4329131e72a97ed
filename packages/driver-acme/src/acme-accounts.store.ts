import { sql, type Selectable } from 'kysely';
import type { AcmeTables, Database } from './tables.ts';

export type AcmeAccount = Selectable<AcmeTables['acme_accounts']>;

export async function findAccount(db: Database, directoryUrl: string): Promise<AcmeAccount | undefined> {
  return await db
    .selectFrom('acme_accounts')
    .selectAll()
    .where('directory_url', '=', directoryUrl)
    .executeTakeFirst();
}

/** Makes replicas that would make an account wait for each other until their transactions end. */
export async function lockAccounts(db: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('acme_accounts'))`.execute(db);
}

export async function insertAccount(
  db: Database,
  directory_url: string,
  sealed_key: string,
): Promise<AcmeAccount> {
  return await db
    .insertInto('acme_accounts')
    .values({ directory_url, sealed_key, url: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Stores the address of the account, null where the authority does not know it, and the contacts that it has. */
export async function updateAccount(
  db: Database,
  directoryUrl: string,
  change: Pick<AcmeAccount, 'url' | 'contacts'>,
): Promise<void> {
  await db.updateTable('acme_accounts').set(change).where('directory_url', '=', directoryUrl).execute();
}
