import { migrate, pruningStatement } from '@sluice/service';
import { foreignKeysWithoutIndex, statementsWithoutIndex, testDatabase } from '@sluice/testing';
import { schemaDifferences } from '@sluice/testing/kysely-schema';
import pg from 'pg';
import { pruningRules } from '../stores/pruning.ts';

test('the tables are in the database as Kysely is told, with an index for each foreign key and pruning', async () => {
  const database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await migrate(pool, new URL('../../migrations/', import.meta.url));
  expect(await schemaDifferences(new URL('./tables.ts', import.meta.url), pool)).toEqual([]);
  const query = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows;
  expect(await foreignKeysWithoutIndex(query)).toEqual([]);
  expect(await statementsWithoutIndex(query, pruningRules(400).map(pruningStatement))).toEqual([]);
  await pool.end();
  await database.drop();
});
