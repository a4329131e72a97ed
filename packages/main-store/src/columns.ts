import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

/** The options of a column, and the type of its values. */
type Column<Value> = EntitySchemaColumnOptions & { readonly value: Value };
type ValueOf<Given> = Given extends { readonly value: infer Value } ? Value : never;
type Options = Omit<EntitySchemaColumnOptions, 'type'>;

const column =
  <Default>(type: NonNullable<EntitySchemaColumnOptions['type']>) =>
  <Value = Default>(options: Options = {}) =>
    ({ type, ...options }) as Column<Value>;

/** The id of a table. TypeORM turns a generated `bigint` into text; under its other name it stays a number. */
export const id = <Id>() => column('int8')<Id>({ primary: true, generated: 'increment' });
export const bigint = column<number>('bigint');
export const boolean = column<boolean>('boolean');
export const integer = column<number>('integer');
export const jsonb = column<unknown>('jsonb');
export const numeric = column<number>('numeric');
export const text = column<string>('text');
export const time = column<Date>('timestamptz');
export const uuid = column<string>('uuid');
export const nullable = <Given extends EntitySchemaColumnOptions>(options: Given) =>
  ({ ...(options as EntitySchemaColumnOptions), nullable: true }) as Column<ValueOf<Given> | null>;

/** The tables of the stores that a program imports. */
export const tables: EntitySchema[] = [];

export function table<Columns extends Record<string, EntitySchemaColumnOptions>>(
  tableName: string,
  columns: Columns,
) {
  type Row = { [Name in keyof Columns]: ValueOf<Columns[Name]> };
  const entity = new EntitySchema<Row>({ name: tableName, tableName, columns });
  tables.push(entity);
  return entity;
}

export type RowOf<Entity> = Entity extends EntitySchema<infer Row> ? Row : never;
