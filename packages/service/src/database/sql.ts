import { isTlsFailure } from './tls.ts';

/** What the platform tables need of a transaction, with any library that a service uses. */
export interface Sql {
  /** Runs one statement with `$1`-style parameters and answers its rows. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. */
export type RunTransaction<Handle extends Sql> = <T>(work: (handle: Handle) => Promise<T>) => Promise<T>;

/** PostgreSQL's code of an error, wherever the library that ran the statement has put it. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'driverError' in error ? sqlState(error.driverError) : undefined;
}

/** Whether a statement broke a unique constraint; with `constraint`, that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return constraint === undefined || constraintOf(error) === constraint;
}

function constraintOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('constraint' in error) return error.constraint;
  return 'driverError' in error ? constraintOf(error.driverError) : undefined;
}

/**
 * Whether PostgreSQL refuses a prepared statement since a migration has changed what it answers: one with `*`, when its table
 * has got a column. It has had no effect, and prepared anew it succeeds.
 */
export function isStalePlan(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('driverError' in error) return isStalePlan(error.driverError);
  return 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

/**
 * Whether an error says that the database or the network is away, rather than that the work itself is wrong: trying
 * again later will do. Classes 08 (connection), 53 (resources) and 57 (shutdown, statements that took too long), deadlocks,
 * serialization failures, locks that were waited for too long, transactions that were given up because nothing was heard of
 * them, statements that a migration has changed, a database that takes no writes for now, and one without a trusted certificate.
 */
export function isTransient(error: unknown): boolean {
  if (isBusy(error) || isStalePlan(error) || isTlsFailure(error)) return true;
  const code = sqlState(error) ?? '';
  if (/^(08|53|57P)/.test(code) || ['40001', '40P01', '25P03', '25006'].includes(code)) return true;
  if (networkErrors.has(code)) return true;
  // the last is what a client of its own says whose connection takes too long
  return (
    error instanceof Error &&
    /connection (error|terminated)|is not queryable|^timeout expired$/i.test(error.message)
  );
}

/** Whether the server does not know the database, the role or its password, which may be made a moment later. */
export const isMissingDatabase = (error: unknown): boolean =>
  ['3D000', '28P01', '28000'].includes(sqlState(error) ?? '');

const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/**
 * Whether the database is there, but had no time: a statement or a lock took too long (57014, 55P03), or all connections are
 * in use, of the pool or of the server (53300).
 */
export function isBusy(error: unknown): boolean {
  if (['57014', '55P03', '53300'].includes(sqlState(error) ?? '')) return true;
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}
