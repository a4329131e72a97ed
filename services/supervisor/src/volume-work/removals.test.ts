import { Schedule } from '@sluice/controller';
import { createLog, migrate } from '@sluice/service';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Registry } from '@prometheus-io/client';
import type { Database, Tables } from '@sluice/region-store/tables';
import { removalsJob } from './removals.ts';

let server: TestDatabase;
let connections: pg.Pool;
let database: Database;
const log = createLog('supervisor', 'error');

beforeAll(async () => {
  server = await testDatabase();
  connections = new pg.Pool({ connectionString: server.url, max: 5 });
  await migrate(connections, new URL('../../migrations/', import.meta.url));
  database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) });
});
afterAll(async () => {
  await connections.end();
  await server.drop();
});
beforeEach(async () => {
  await connections.query('DELETE FROM backups');
});

/** Backups whose deployments are gone, each with a copy. */
const unwanted = async (...copies: string[]) => {
  for (const copy of copies)
    await connections.query(
      `INSERT INTO backups (name, backup_type, copies, created_by) VALUES ($1, 'manual', $2, '{}')`,
      [copy, JSON.stringify([{ node_id: 1, volume_id: '1', snapshot_id: copy }])],
    );
};
const left = async () =>
  (await connections.query<{ name: string }>('SELECT name FROM backups ORDER BY id')).rows.map(
    ({ name }) => name,
  );
/** nobody is tried again while a test lasts, however slow the machine is */
const pauses = { first: 3_600_000, cap: 3_600_000 };
const patience = { timeoutMs: 60_000 };
/** Runs the job until the returned function is called. */
function scheduled(options: Parameters<typeof removalsJob>[0]): () => Promise<void> {
  const schedule = new Schedule({ log, metrics: new Registry() });
  schedule.add(removalsJob(options));
  return () => schedule.stop();
}
const never = () => new Promise<never>(() => undefined);

test('copies that cannot be removed, or take for ever, keep no others', async () => {
  await unwanted('broken-1', 'broken-2', 'broken-3', 'broken-4', 'slow-1', 'slow-2', 'slow-3', 'one', 'two');
  const asked: string[] = [];
  let [atOnce, most] = [0, 0];
  const end = scheduled({
    ...{ database, log, pauses, lookSeconds: 0.01 },
    volumes: {
      async remove(copy) {
        asked.push(copy);
        most = Math.max(most, (atOnce += 1));
        if (copy.startsWith('slow')) await never();
        await new Promise(setImmediate);
        atOnce -= 1;
        if (copy.startsWith('broken')) throw new Error('the account is closed');
      },
    },
  });
  await eventually(
    async () =>
      expect(await left()).toEqual([
        ...['broken-1', 'broken-2', 'broken-3', 'broken-4'],
        ...['slow-1', 'slow-2', 'slow-3'],
      ]),
    patience,
  );
  // who has failed waits, and nobody is asked for twice at a time
  expect(new Set(asked).size).toBe(asked.length);
  expect(most).toBeLessThanOrEqual(4);
  // what never answers is not waited for at the end
  await end();
}, 120_000);

test('one that has failed for a moment is removed all the same', async () => {
  await unwanted('one', 'two');
  let refusals = 1;
  const end = () =>
    scheduled({
      ...{ database, log, pauses, lookSeconds: 0.01 },
      volumes: {
        remove: (copy) =>
          copy === 'one' && refusals-- > 0 ? Promise.reject(new Error('not now')) : Promise.resolve(),
      },
    });
  const first = end();
  await eventually(async () => expect(await left()).toEqual(['one']), patience);
  await first();
  const second = end();
  await eventually(async () => expect(await left()).toEqual([]), patience);
  await second();
}, 180_000);
