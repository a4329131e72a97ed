import type { Log, Outgoing, Sql } from '@sluice/service-kit';
import { DataSource, type EntityManager, type EntitySchema } from 'typeorm';
import { ApiKey } from './stores/api-keys.entity.ts';
import { Deployment, DeploymentNode } from './stores/deployments.entity.ts';
import { Division } from './stores/divisions.entity.ts';
import { Environment } from './stores/environments.entity.ts';
import { Role } from './stores/roles.entity.ts';
import { Tenant } from './stores/tenants.entity.ts';

export const migrations = new URL('../migrations/', import.meta.url);

const entities: EntitySchema[] = [Tenant, Role, Division, Environment, ApiKey, Deployment, DeploymentNode];

/** The database as stores use it: TypeORM's repositories, and SQL where that is clearer. */
export interface Database extends Sql {
  manager: EntityManager;
}

/** A unit of work: the database within a transaction, and what is to be sent when it commits. */
export type Transaction = Database & Outgoing;

/** Connects TypeORM. The tables are made by the migrations, never by TypeORM. */
export function openDataSource(url: string, poolSize: number, log: Log): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    connectTimeoutMS: 5_000,
    extra: { idle_in_transaction_session_timeout: 60_000, keepAlive: true },
    poolErrorHandler: (error: unknown) => log.warn('an idle database connection was lost', { error }),
    entities,
    synchronize: false,
    logging: false,
  }).initialize();
}

export function databaseOf(manager: EntityManager): Database {
  return {
    manager,
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
      try {
        const { records } = await runner.query(text, [...values], true);
        return records as Row[];
      } finally {
        if (runner !== manager.queryRunner) await runner.release();
      }
    },
  };
}

/** Runs `work` in a transaction of TypeORM. */
export function transactionsOf(dataSource: DataSource) {
  return <T>(work: (database: Database) => Promise<T>): Promise<T> =>
    dataSource.transaction((manager) => work(databaseOf(manager)));
}
