import type { Grant } from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import { sqlOf, type Sql } from '@sluice/service';
import { QueryRunnerAlreadyReleasedError, type DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The database as stores use it: TypeORM's entity manager, and SQL (docs/decisions/018-data-access.md). */
export interface Database extends Sql {
  manager: EntityManager;
}

/** What only main-api can do: say what tokens may. */
export interface Granting {
  /** Gives the token of each key of the grants bucket this grant, or with null takes it away. Each key once. */
  setGrants(changes: Iterable<readonly [key: string, grant: Grant | null]>): Promise<void>;
  /** Has the tokens of these keys of the grants bucket refused as frozen, or no longer. */
  setFrozen(keys: readonly string[], frozen: boolean): Promise<void>;
}

/** A unit of work: the database within a transaction, and what is to be sent when it commits. */
export type Transaction = Database & Outgoing & Granting;

export function databaseOf(manager: EntityManager): Database {
  const runner = manager.queryRunner;
  if (!runner)
    return {
      manager,
      ...sqlOf((manager.dataSource.driver as PostgresDriver).master as Parameters<typeof sqlOf>[0]),
    };
  return {
    manager,
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { records } = await runner.query(text, [...values], true);
      return records as Row[];
    },
  };
}

/** Runs `work` in a transaction that sends nothing, of the database outside of any. */
export function inOwnTransaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return transact(db.manager, work);
}

export const transactionsOf =
  (dataSource: DataSource) =>
  <T>(work: (database: Database) => Promise<T>): Promise<T> =>
    transact(dataSource.manager, work);

async function transact<T>(manager: EntityManager, work: (tx: Database) => Promise<T>): Promise<T> {
  try {
    return await manager.transaction((own) => work(databaseOf(own)));
  } catch (error) {
    // what TypeORM says once the database has ended the connection between two statements
    if (error instanceof QueryRunnerAlreadyReleasedError)
      throw new Error('Connection terminated in a transaction', { cause: error });
    throw error;
  }
}
