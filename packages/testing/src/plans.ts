/** A statement with its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** A step of a plan that was carried out, as much of it as is looked at. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

interface ExplainedRow {
  'QUERY PLAN': [{ Plan: Step }];
}

/** What a statement may do. */
interface PlanLimits {
  /** rows from which on no table is read as a whole */
  largeTable: number;
  /** rows that a step may read for nothing, or put in order */
  rows: number;
}

/**
 * Carries a statement that reads out and tells what PostgreSQL did that it should have had an index for: a large table that was
 * read as a whole, rows that were read for nothing, rows that were put in order.
 * @returns one line for each, none when all is well
 */
export async function stepsWithoutIndex(
  query: (text: string, values?: unknown[]) => Promise<object[]>,
  { text, values }: Statement,
  limits: PlanLimits,
): Promise<string[]> {
  const [explained] = await query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
  if (!explained) throw new Error(`nothing is known of ${text}`);
  const large = new Set(await tablesAbove(query, limits.largeTable));
  const steps = stepsOf((explained as ExplainedRow)['QUERY PLAN'][0].Plan);
  return steps.flatMap((step) => complaints(step, large, limits.rows));
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];
const rowsOf = (step: Step) => step['Actual Rows'] * step['Actual Loops'];

function complaints(step: Step, large: ReadonlySet<string>, most: number): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: inputs = [] } = step;
  const forNothing = (step['Rows Removed by Filter'] ?? 0) * step['Actual Loops'];
  const sorted = type === 'Sort' ? inputs.reduce((sum, input) => sum + rowsOf(input), 0) : 0;
  return [
    ...(type === 'Seq Scan' && large.has(table) ? [`reads all of ${table}`] : []),
    ...(forNothing > most ? [`reads ${forNothing} rows of ${table || type} for nothing`] : []),
    ...(sorted > most ? [`puts ${sorted} rows in order`] : []),
  ];
}

async function tablesAbove(
  query: (text: string, values?: unknown[]) => Promise<object[]>,
  rows: number,
): Promise<string[]> {
  const tables = await query("SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > $1", [
    rows,
  ]);
  return (tables as { name: string }[]).map(({ name }) => name);
}
