import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import type pg from 'pg';
import type { RunTransaction, Sql } from './sql.ts';

/** A transaction of a service that uses Kysely: `db` for its own statements, `query` for those of the platform tables. */
export interface KyselyTransaction<Tables> extends Sql {
  db: Transaction<Tables>;
}

/** The service's database, as Kysely checks statements against `Tables`. */
export function openKysely<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs work in a transaction of Kysely, as the unit of work wants it. */
export function kyselyTransactions<Tables>(
  database: Kysely<Tables>,
): RunTransaction<KyselyTransaction<Tables>> {
  return (work) =>
    database.transaction().execute((db) =>
      work({
        db,
        query: async <Row>(text: string, values: readonly unknown[] = []) =>
          (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
      }),
    );
}
