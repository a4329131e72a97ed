/** A statement with its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** A step of a plan, as much of it as is looked at; what was counted is there when it was carried out. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

interface ExplainedRow {
  'QUERY PLAN': [{ Plan: Step }];
}

type Query = (text: string, values?: unknown[]) => Promise<object[]>;

/** What a statement may do. */
interface PlanLimits {
  /** rows from which on no table is read as a whole */
  largeTable: number;
  /** rows that a step may read for nothing, or put in order */
  rows: number;
}

/**
 * Carries a statement that reads out and tells what PostgreSQL did that it should have had an index for: a large table that was
 * read as a whole, rows that were read for nothing, rows that were put in order. No large table is read as a whole either by
 * the plan without the values, which a statement that is kept prepared comes to.
 * @returns one line for each, none when all is well
 */
export async function stepsWithoutIndex(
  query: Query,
  { text, values }: Statement,
  limits: PlanLimits,
): Promise<string[]> {
  const large = new Set(await tablesAbove(query, limits.largeTable));
  const done = await stepsOf(query, `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
  const generic = await stepsOf(query, `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  const found = [
    ...done.flatMap((step) => [...wholeTables(step, large), ...needlessRows(step, large, limits.rows)]),
    ...generic.flatMap((step) => wholeTables(step, large)),
  ];
  return [...new Set(found)];
}

async function stepsOf(query: Query, text: string, values?: unknown[]): Promise<Step[]> {
  const [explained] = await query(text, values);
  if (!explained) throw new Error(`nothing was explained by ${text}`);
  return withInputs((explained as ExplainedRow)['QUERY PLAN'][0].Plan);
}

const withInputs = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(withInputs)];
const times = ({ 'Actual Loops': loops = 0 }: Step, rows = 0) => rows * loops;

function wholeTables(
  { 'Node Type': type, 'Relation Name': table = '' }: Step,
  large: ReadonlySet<string>,
): string[] {
  return type === 'Seq Scan' && large.has(table) ? [`reads all of ${table}`] : [];
}

function needlessRows(step: Step, large: ReadonlySet<string>, most: number): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: inputs = [] } = step;
  // what is small is read as a whole wherever it is joined
  const counts = table === undefined || large.has(table);
  const forNothing = counts ? times(step, step['Rows Removed by Filter']) : 0;
  const sorted =
    type === 'Sort' ? inputs.reduce((sum, input) => sum + times(input, input['Actual Rows']), 0) : 0;
  return [
    ...(forNothing > most ? [`reads ${forNothing} rows of ${table ?? type} for nothing`] : []),
    ...(sorted > most ? [`puts ${sorted} rows in order`] : []),
  ];
}

async function tablesAbove(query: Query, rows: number): Promise<string[]> {
  const tables = await query("SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > $1", [
    rows,
  ]);
  return (tables as { name: string }[]).map(({ name }) => name);
}
