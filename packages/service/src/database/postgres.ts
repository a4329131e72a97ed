import type { Socket } from 'node:net';
import pg from 'pg';
import type { Registry } from '@prometheus-io/client';
import type { Log } from '../log.ts';
import { answerByCallback } from './answered-by-callback.ts';
import { measurePool, type PoolMeasures } from './pool-metrics.ts';
import { PreparedStatements } from './prepared.ts';
import { sqlState, type Sql } from './sql.ts';
import { securedConnection } from './tls.ts';
import { traceStatements } from './traced-statements.ts';

// int8 holds ids and counters, which stay below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How long PostgreSQL works for a statement, in seconds; 0: without end. */
export interface StatementLimits {
  statementSeconds: number;
  /** of it, waiting for a lock */
  lockSeconds: number;
}

export interface PoolOptions extends Partial<StatementLimits> {
  /** what it is called in the metrics, where it is measured */
  name?: string;
  metrics?: Registry;
  /** statements that each connection keeps prepared; none where each runs once */
  preparedStatements?: number;
  /** refuses a new connection before it is used */
  verify?: (client: pg.ClientBase) => Promise<void>;
}

/** the default of a pool; those of a service are settings */
const defaults = { statementSeconds: 30, lockSeconds: 10 };
/** for what takes as long as there is data */
export const unlimited: StatementLimits = { statementSeconds: 0, lockSeconds: 0 };
const connectSeconds = 5;
/** after so many seconds of silence the network is asked whether the other side is still there */
const keepAliveSeconds = 10;
/** how much longer than a statement may take its answer is waited for at most: the server would have given it up */
const answerSeconds = 5;

/** How any connection to the database is made, in a pool or by itself: its loss is noticed within half a minute. */
export const connectionOptions = (url: string) => ({
  ...securedConnection(url),
  connectionTimeoutMillis: connectSeconds * 1000,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveSeconds * 1000,
});

/**
 * A pool of at most `size` connections that survives the loss of any of them. Who waits for one for five seconds is
 * refused; a statement, and a wait for a lock, end with an error of PostgreSQL (57014, 55P03) when their time is over.
 */
export function createPool(url: string, size: number, log: Log, options: PoolOptions = {}): pg.Pool {
  const { name = 'own', metrics, preparedStatements = 0, verify, ...limits } = options;
  const { statementSeconds, lockSeconds } = { ...defaults, ...limits };
  const { keepOn } = new PreparedStatements(preparedStatements);
  const pool = new MeasuredPool({
    ...connectionOptions(url),
    max: size,
    statement_timeout: statementSeconds * 1000,
    lock_timeout: lockSeconds * 1000,
    idle_in_transaction_session_timeout: 60_000,
    // the types say that nothing is returned; the pool waits for the promise
    async onConnect(client: pg.ClientBase) {
      await verify?.(client);
      answerByCallback(client);
      keepOn(client);
      traceStatements(client);
    },
  });
  if (metrics) pool.measures = measurePool(pool, name, metrics);
  const lost = (error: Error) => log.warn('a database connection was lost', { error });
  pool.on('error', lost);
  pool.on('connect', (client) => {
    // the pool listens to idle connections only; one that breaks in use must not end the process either
    client.on('error', lost);
    endWhenReadOnly(client);
    if (statementSeconds > 0)
      endWhenUnanswered(client, statementSeconds + Math.min(statementSeconds, answerSeconds));
  });
  return pool;
}

/** Measures how long a connection was waited for, by whichever library. */
class MeasuredPool extends pg.Pool {
  measures: PoolMeasures | undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    const end = this.measures?.waiting();
    if (!callback) return super.connect().finally(end);
    super.connect((error, client, done) => {
      end?.();
      callback(error, client, done);
    });
  }
}

/**
 * A server that takes no writes is, or was, a standby. The connection goes, so that the next one finds the server that does;
 * a session that was begun while the database was read-only would also stay so.
 */
function endWhenReadOnly(client: pg.PoolClient): void {
  client.connection.on('errorMessage', (error: unknown) => {
    // the caller of the statement gets the error first
    if (sqlState(error) === '25006') setImmediate(() => void client.end().catch(() => undefined));
  });
}

/** A statement that gets no answer fails with its connection. */
function endWhenUnanswered(client: pg.PoolClient, seconds: number): void {
  const stream = client.connection.stream as Socket;
  // what the types leave out: false while a statement is at work
  const state = client as unknown as { readyForQuery: boolean };
  stream.setTimeout(seconds * 1000, () => {
    if (!state.readyForQuery) stream.destroy();
  });
}

/** A pool, or one of its connections, as the statements of these packages use it. */
export function sqlOf(client: Pick<pg.Pool, 'query'>): Sql {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await client.query<Row & pg.QueryResultRow>(text, [...values]);
      return rows;
    },
  };
}

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

/** Gives the statements of this transaction the time that they need: of work in the background that grows with the data. */
export async function takeTime(sql: Sql, seconds = 0): Promise<void> {
  await sql.query(`SELECT set_config('statement_timeout', $1, true)`, [String(seconds * 1000)]);
}
