/** The least that the kit's own tables need of a transaction, whatever library the service uses. */
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
 * again later will do. Classes 08 (connection), 53 (resources) and 57P (shutdown), deadlocks, serialization failures,
 * transactions that were given up because nothing was heard of them, statements that a migration has changed.
 */
export function isTransient(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  const code = sqlState(error) ?? '';
  if (/^(08|53|57P)/.test(code) || ['40001', '40P01', '55P03', '25P03'].includes(code)) return true;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return true;
  return (
    error instanceof Error &&
    /connection terminated|is not queryable|timeout exceeded when trying to connect/i.test(error.message)
  );
}
