import type pg from 'pg';

/** Begins a file whose statements run by themselves. */
const mark = /^-- no transaction\s*$/m;
const concurrentIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (IF NOT EXISTS )?"?(\w+)"?/i;

/** Whether a file of SQL is to run without a transaction: its first line says so. */
export const isWithoutTransaction = (text: string) => mark.test(text.split('\n', 1)[0] ?? '');

/** The statements of such a file, each of which ends with a semicolon at the end of a line, without comments. */
export function statementsOf(text: string): string[] {
  const code = text.replaceAll(/^\s*--.*$/gm, '');
  return code.split(/;\s*$/m).flatMap((statement) => statement.trim() || []);
}

/**
 * Runs a statement outside of a transaction. An index that a kill has left half built is built anew.
 * @throws Error when it builds an index in a way that cannot be repeated
 */
export async function runStatement(client: pg.ClientBase, statement: string): Promise<void> {
  const [isIndex, repeatable, name] = concurrentIndex.exec(statement) ?? [];
  if (isIndex !== undefined && name !== undefined) {
    if (!repeatable) throw new Error(`The index ${name} has to be created IF NOT EXISTS`);
    await dropInvalidIndex(client, name);
  }
  await client.query(statement);
}

async function dropInvalidIndex(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [`"${name}"`],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}
