import type { RunTransaction, Sql } from '@sluice/service-kit';
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import type pg from 'pg';
import type { DeletedTenantsTable } from './features/deleted-tenants/deleted-tenants.store.ts';
import type { EntriesTable } from './features/entries/entries.store.ts';

export interface AuditTables {
  entries: EntriesTable;
  deleted_tenants: DeletedTenantsTable;
}
export type Database = Kysely<AuditTables>;

/** A transaction, for the service's own statements (`db`) and for those of the kit (`query`). */
export interface AuditTransaction extends Sql {
  db: Transaction<AuditTables>;
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

export function transactionsOn(database: Database): RunTransaction<AuditTransaction> {
  return (work) =>
    database.transaction().execute((db) =>
      work({
        db,
        async query<Row>(text: string, values: readonly unknown[] = []) {
          return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
        },
      }),
    );
}
