import { createPool, type Log, type PoolOptions } from '@sluice/service';
import { DataSource } from 'typeorm';
import { tables } from '@sluice/main-store/columns';

export const migrations = new URL('../migrations/', import.meta.url);

/** Connects TypeORM, to the pool of the runtime. The tables are made by the migrations, never by TypeORM. */
export function openDataSource(
  url: string,
  poolSize: number,
  log: Log,
  options?: PoolOptions,
): Promise<DataSource> {
  const pool = createPool(url, poolSize, log, options);
  return new DataSource({
    type: 'postgres',
    url,
    // it makes its pool by this, and ends it with itself
    driver: {
      Pool: function () {
        return pool;
      },
    },
    // the pool has logged it
    poolErrorHandler: () => undefined,
    entities: tables,
    synchronize: false,
    logging: false,
  }).initialize();
}
