interface KeyRow {
  name: string;
}

/**
 * Foreign keys that no index leads by: a deletion of what they refer to scans all rows.
 * @returns `table (columns)`, none when there is an index for each
 */
export async function foreignKeysWithoutIndex(query: (text: string) => Promise<KeyRow[]>): Promise<string[]> {
  const keys = await query(
    `SELECT format('%s (%s)', c.conrelid::regclass, string_agg(a.attname, ', ')) AS name
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
     WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT FROM pg_index i
       WHERE i.indrelid = c.conrelid AND i.indisvalid
         AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
         -- where the column is null nothing is referred to
         AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))
     GROUP BY c.oid, c.conrelid ORDER BY 1`,
  );
  return keys.map(({ name }) => name);
}

interface PlanRow {
  'QUERY PLAN': string;
}

/**
 * Statements that cannot but look at a whole table: no index leads to what they are about, however large it grows.
 * @param statements with at most `$1`, a number of rows
 */
export async function statementsWithoutIndex(
  query: (text: string) => Promise<PlanRow[]>,
  statements: readonly string[],
): Promise<string[]> {
  const scanning: string[] = [];
  for (const statement of statements) {
    // as long as there is another way, a scan costs more than anything
    await query('SET enable_seqscan = off');
    const plan = await query(`EXPLAIN ${statement.replace('$1', '1000')}`);
    if (plan.some((line) => line['QUERY PLAN'].includes('Seq Scan'))) scanning.push(statement);
  }
  return scanning;
}

/** The columns that hold what is sealed, by their names, with the columns of their table's primary key. */
export async function columnsOfSealed(
  query: (text: string) => Promise<{ table: string; column: string; key: string[] }[]>,
): Promise<{ table: string; column: string; key: string[] }[]> {
  return await query(`
    SELECT c.table_name AS table, c.column_name AS column, (
        SELECT array_agg(a.attname::text ORDER BY array_position(i.indkey::int2[], a.attnum))
        FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indisprimary AND i.indrelid = format('public.%I', c.table_name)::regclass
      ) AS key
    FROM information_schema.columns c
    WHERE c.table_schema = 'public' AND c.column_name LIKE 'sealed%'
    ORDER BY 1, 2`);
}
