import type { Page } from '@sluice/http';
import { isUniqueViolation, problem } from '@sluice/service';
import type { DeepPartial, EntitySchema, ObjectLiteral } from 'typeorm';
import type { Database } from '../database.ts';

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

interface CountRow {
  count: number;
}

/** How many rows there are of `source`: what follows FROM in a statement. */
export async function countRows(db: Database, source: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db.query<CountRow>(`SELECT count(*) FROM ${source}`, values);
  return row?.count ?? 0;
}

/** Whether there is any row of `source`: what follows FROM in a statement. */
export async function rowsExist(db: Database, source: string, values: readonly unknown[]): Promise<boolean> {
  return (await db.query(`SELECT FROM ${source} LIMIT 1`, values)).length > 0;
}

/** What a list shows of its rows besides their own columns. */
interface Shown {
  /** what `columns` and `joins` call the row */
  as?: string;
  /** tables of which each row has exactly one */
  joins?: string;
}

/**
 * A page of the rows of `source`, newest first, and how many there are in all: one statement, unless the page lies behind
 * the last row. What is joined is looked up for the rows of the page alone.
 */
export async function pageOfRows<Row extends object>(
  db: Database,
  columns: string,
  source: string,
  values: readonly unknown[],
  { offset, results }: Page,
  { as = 'listed', joins = '' }: Shown = {},
): Promise<[Row[], number]> {
  const rows = await db.query<Row & CountRow>(
    `SELECT ${columns}, (SELECT count(*) FROM ${source}) AS count
     FROM (SELECT * FROM ${source} ORDER BY created_at DESC, id DESC
           OFFSET $${values.length + 1} LIMIT $${values.length + 2}) AS ${as} ${joins}
     ORDER BY ${as}.created_at DESC, ${as}.id DESC`,
    [...values, offset, results],
  );
  return [rows, rows[0]?.count ?? (offset > 0 ? await countRows(db, source, values) : 0)];
}
