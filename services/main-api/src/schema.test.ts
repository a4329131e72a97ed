import { createLog, createPool, migrate } from '@sluice/service';
import {
  columnsOfSealed,
  foreignKeysWithoutIndex,
  platformTables,
  testDatabase,
  type TestDatabase,
} from '@sluice/testing';
import type { DataSource } from 'typeorm';
import './app.ts';
import { migrations, openDataSource } from './data-source.ts';
import { sealedColumns } from './sealed-columns.ts';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  const log = createLog('tests', 'error');
  database = await testDatabase();
  const pool = createPool(database.url, 1, log);
  try {
    await migrate(pool, migrations);
  } finally {
    await pool.end();
  }
  dataSource = await openDataSource(database.url, 1, log);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

test('every table has an entity with the columns that the migrations give it', async () => {
  const entities = dataSource.entityMetadatas.map(({ tableName, columns }) => ({
    table: tableName,
    columns: columns
      .map((column) => ({
        name: column.databaseName,
        type: dataSource.driver.normalizeType(column) + (column.isArray ? '[]' : ''),
        nullable: column.isNullable,
      }))
      .sort(byName),
  }));
  expect(entities.sort(byTable)).toEqual(await migratedTables());
});

test('what is sealed can be sealed under another key', async () => {
  const sealed = await columnsOfSealed((text) => dataSource.query(text));
  expect(sealedColumns.toSorted((a, b) => (a.table < b.table ? 1 : -1))).toEqual(sealed.toReversed());
});

test('each foreign key has an index', async () => {
  expect(await foreignKeysWithoutIndex((text) => dataSource.query(text))).toEqual([]);
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
const byTable = (a: { table: string }, b: { table: string }) => (a.table < b.table ? -1 : 1);

interface ColumnRow {
  table_name: string;
  column_name: string;
  type: string;
  nullable: boolean;
}

async function migratedTables() {
  const rows = await dataSource.query<ColumnRow[]>(
    `SELECT c.table_name, c.column_name, c.is_nullable = 'YES' AS nullable,
       CASE c.data_type WHEN 'ARRAY' THEN e.data_type || '[]' ELSE c.data_type END AS type
     FROM information_schema.columns c
       LEFT JOIN information_schema.element_types e
         ON e.object_schema = c.table_schema AND e.object_name = c.table_name AND e.object_type = 'TABLE'
           AND e.collection_type_identifier = c.dtd_identifier
     WHERE c.table_schema = 'public' AND c.table_name <> ALL ($1)`,
    [platformTables],
  );
  const tables = Map.groupBy(rows, ({ table_name }) => table_name);
  return [...tables]
    .map(([table, columns]) => ({
      table,
      columns: columns
        .map(({ column_name, type, nullable }) => ({ name: column_name, type, nullable }))
        .sort(byName),
    }))
    .sort(byTable);
}
