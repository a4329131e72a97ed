import type { EntitySchemaColumnOptions } from 'typeorm';

/** The id of a table. TypeORM turns a generated `bigint` into text; under its other name it stays a number. */
export const idColumn: EntitySchemaColumnOptions = { type: 'int8', primary: true, generated: 'increment' };
