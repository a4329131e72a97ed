import type { Page } from '@sluice/http';
import { isUniqueViolation, problem } from '@sluice/service';
import { Raw, type DeepPartial, type EntitySchema, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { Database } from './database.ts';

/** A row to insert: what it leaves open is null, where the column may be and has no default of its own. */
export function newRow<Row extends ObjectLiteral>(
  { manager }: Database,
  entity: EntitySchema<Row>,
  values: DeepPartial<NoInfer<Row>>,
): Row {
  const row = manager.create(entity, values);
  for (const column of manager.dataSource.getMetadata(entity).columns)
    if (column.isNullable && column.default === undefined && column.getEntityValue(row) === undefined)
      column.setEntityValue(row, null);
  return row;
}

/** Runs a statement that may break `constraint`. @throws Problem of this code, when it does */
export async function uniquely<T>(
  constraint: string,
  statement: Promise<T>,
  code: Parameters<typeof problem>[0] = 'name_taken',
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? problem(code) : error;
  }
}

/** Inserts a row. @throws Problem of this code, when it breaks the unique constraint */
export async function insertRow<Row extends ObjectLiteral>(
  db: Database,
  entity: EntitySchema<Row>,
  values: DeepPartial<NoInfer<Row>>,
  constraint?: string,
  code?: Parameters<typeof problem>[0],
): Promise<Row> {
  const row = newRow(db, entity, values);
  const inserting = db.manager.insert(entity, row);
  await (constraint === undefined ? inserting : uniquely(constraint, inserting, code));
  return row;
}

/** These fields of a row. */
export const pick = <Row extends object, Field extends keyof Row>(row: Row, ...fields: Field[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>;

/** The row that is found. @throws Problem `not_found` */
export async function existing<Row>(finding: Promise<Row | null | undefined>): Promise<Row> {
  const row = await finding;
  if (row === null || row === undefined) throw problem('not_found');
  return row;
}

/** The first of the rows that a statement finds. */
export const firstOf = async <Row>(finding: Promise<Row[]>): Promise<Row | undefined> => (await finding)[0];

/** A text in any case; the expression is that of the indexes. */
export const ignoringCase = (text: string) =>
  Raw<string>((column) => `lower(${column}) = lower(:text)`, { text });

type Where<Row extends ObjectLiteral> = FindOptionsWhere<NoInfer<Row>>;

/** Deletes rows, which are read in the same statement: of two transactions that want a row one gets it. */
export async function takeRows<Row extends ObjectLiteral, Taken = Row>(
  { manager }: Database,
  entity: EntitySchema<Row>,
  where: Where<Row>,
  returning = '*',
): Promise<Taken[]> {
  const taking = manager.createQueryBuilder().delete().from(entity).where(where).returning(returning);
  return (await taking.execute()).raw as Taken[];
}

/** Changes rows. @returns them as they are then */
export async function changeRows<Row extends ObjectLiteral>(
  { manager }: Database,
  entity: EntitySchema<Row>,
  where: Where<Row>,
  changes: QueryDeepPartialEntity<NoInfer<Row>>,
): Promise<Row[]> {
  const change = manager.createQueryBuilder().update(entity).set(changes).where(where).returning('*');
  return (await change.execute()).raw as Row[];
}

interface CountRow {
  count: number;
}

/** How many rows there are of `source`: what follows FROM in a statement. */
export const countRows = async (db: Database, source: string, values: readonly unknown[]) =>
  (await firstOf(db.query<CountRow>(`SELECT count(*) FROM ${source}`, values)))?.count ?? 0;

/** What a list shows of its rows besides their own columns. */
interface Shown {
  columns?: string;
  as?: string;
  /** tables of which each row has exactly one */
  joins?: string;
  /** a column by which the rows are in order, where it is another than the time of their creation */
  by?: string;
  direction?: 'ASC' | 'DESC';
}

/**
 * A page of the rows of `source`, newest first unless said otherwise, and how many there are in all: one statement, unless the page lies behind the last row
 * (`bench:api`, 'list 10 divisions'). What is joined is looked up for the rows of the page alone.
 */
export async function pageOfRows<Row extends object>(
  db: Database,
  { offset, results }: Page,
  source: string,
  values: readonly unknown[],
  { columns = '*', as = 'listed', joins = '', by = 'created_at', direction = 'DESC' }: Shown = {},
): Promise<[Row[], number]> {
  const rows = await db.query<Row & CountRow>(
    `SELECT ${columns}, (SELECT count(*) FROM ${source}) AS count
     FROM (SELECT * FROM ${source} ORDER BY ${by} ${direction}, id ${direction}
           OFFSET $${values.length + 1} LIMIT $${values.length + 2}) AS ${as} ${joins}
     ORDER BY ${as}.${by} ${direction}, ${as}.id ${direction}`,
    [...values, offset, results],
  );
  return [rows, rows[0]?.count ?? (offset > 0 ? await countRows(db, source, values) : 0)];
}

/** All rows, a batch at a time: `list` answers the next ones after a key. */
export async function* batches<Row, Key>(
  first: Key,
  list: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  for (let after = first; ;) {
    const rows = await list(after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = keyOf(last);
  }
}
