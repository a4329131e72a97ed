import { migrate, pruningStatement } from '@sluice/service';
import {
  columnsOfSealed,
  foreignKeysWithoutIndex,
  statementsWithoutIndex,
  testDatabase,
} from '@sluice/testing';
import { schemaDifferences } from '@sluice/testing/kysely-schema';
import pg from 'pg';
import { sealedColumns } from './sealed-columns.ts';
import { pruningRules } from './pruning.ts';

test('the tables are in the database as Kysely is told, with an index for each foreign key and pruning', async () => {
  const database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await migrate(pool, new URL('../migrations/', import.meta.url));
  expect(await schemaDifferences(new URL(import.meta.resolve('@sluice/region-store/tables')), pool)).toEqual(
    [],
  );
  const query = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows;
  expect(await foreignKeysWithoutIndex(query)).toEqual([]);
  expect(await statementsWithoutIndex(query, pruningRules(400).map(pruningStatement))).toEqual([]);
  const sealed = await columnsOfSealed(async (text) => (await pool.query(text)).rows as never);
  const named = sealedColumns.map(({ table, column, key }) => ({ table, column, key }));
  expect(named.toSorted(byName)).toEqual(sealed);
  await pool.end();
  await database.drop();
});

const byName = (one: { table: string; column: string }, other: { table: string; column: string }) =>
  `${one.table}.${one.column}` < `${other.table}.${other.column}` ? -1 : 1;
