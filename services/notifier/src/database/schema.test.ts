import { migrate } from '@sluice/service';
import { foreignKeysWithoutIndex, testDatabase } from '@sluice/testing';
import { schemaDifferences } from '@sluice/testing/kysely-schema';
import pg from 'pg';

test('the tables are in the database as Kysely is told, with an index for each foreign key', async () => {
  const database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  await migrate(pool, new URL('../../migrations/', import.meta.url));
  expect(await schemaDifferences(new URL('./tables.ts', import.meta.url), pool)).toEqual([]);
  expect(
    await foreignKeysWithoutIndex(async (text) => (await pool.query<{ name: string }>(text)).rows),
  ).toEqual([]);
  await pool.end();
  await database.drop();
});
