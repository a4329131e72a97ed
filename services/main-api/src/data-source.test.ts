import { createLog } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import { openDataSource } from './data-source.ts';
import { databaseOf } from '@sluice/main-store/database';

test('statements are kept prepared, those of the entity manager and those in SQL', async () => {
  const own = await testDatabase();
  const dataSource = await openDataSource(own.url, 1, createLog('tests', 'error'), {
    preparedStatements: 10,
  });
  const database = databaseOf(dataSource.manager);
  for (let time = 0; time < 2; time++) {
    await database.query('SELECT $1::int', [time]);
    await dataSource
      .createQueryBuilder()
      .select('1')
      .from('(SELECT 1)', 'one')
      .where('1 = :time', { time })
      .getRawMany();
  }
  const kept = await database.query<{ runs: number }>(
    'SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements',
  );
  expect(kept).toEqual([{ runs: 2 }, { runs: 2 }]);
  await dataSource.destroy();
  await own.drop();
});
