import pg from 'pg';
import type { Log } from '../log.ts';
import { PreparedStatements } from './prepared.ts';
import type { Sql } from './sql.ts';

// int8 holds ids and counters, which stay below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * A pool of connections that survives the loss of any of them.
 * @param preparedStatements how many each connection keeps; none where each statement runs once
 */
export function createPool(url: string, size: number, log: Log, preparedStatements = 0): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    onConnect: new PreparedStatements(preparedStatements).keepOn,
  });
  const lost = (error: Error) => log.warn('a database connection was lost', { error });
  pool.on('error', lost);
  // the pool listens to idle connections only; one that breaks in use must not end the process either
  pool.on('connect', (client) => void client.on('error', lost));
  return pool;
}

/** A pool, or one of its connections, as the kit's statements use it. */
export function sqlOf(client: Pick<pg.Pool, 'query'>): Sql {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await client.query<Row & pg.QueryResultRow>(text, [...values]);
      return rows;
    },
  };
}

/** Runs `work` in a transaction on a connection of its own. */
export async function inTransaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(sqlOf(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
