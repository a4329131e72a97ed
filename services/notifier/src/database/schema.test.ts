import { migrate } from '@sluice/service';
import { columnsOfSealed, foreignKeysWithoutIndex, testDatabase } from '@sluice/testing';
import { schemaDifferences } from '@sluice/testing/kysely-schema';
import pg from 'pg';
import { sealedColumns } from '../sealed-columns.ts';

test('the tables are in the database as Kysely knows them, with an index for each foreign key', async () => {
  const database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  await migrate(pool, new URL('../../migrations/', import.meta.url));
  expect(await schemaDifferences(new URL('./tables.ts', import.meta.url), pool)).toEqual([]);
  expect(
    await foreignKeysWithoutIndex(async (text) => (await pool.query<{ name: string }>(text)).rows),
  ).toEqual([]);
  const sealed = await columnsOfSealed(async (text) => (await pool.query(text)).rows as never);
  const named = sealedColumns.map(({ table, column, key }) => ({ table, column, key }));
  expect(named.toSorted(byName)).toEqual(sealed);
  await pool.end();
  await database.drop();
});

const byName = (one: { table: string; column: string }, other: { table: string; column: string }) =>
  `${one.table}.${one.column}` < `${other.table}.${other.column}` ? -1 : 1;
