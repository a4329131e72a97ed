import type { DeploymentId, ReportData, Used } from '@sluice/contracts';
import { createLog, sqlOf } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import type { UnitOfWork } from '@sluice/messaging';
import { insertInitialized } from '@sluice/testing';
import pg from 'pg';
import { supervisor } from '#test/region.ts';
import type { Database, Tables, Transaction, Tx } from '@sluice/region-store/tables';
import { askForAccess } from '../features/access-rules/access-revisions.store.ts';
import { inventoryPart } from '../features/inventory/inventory.service.ts';
import { secondsPerPrice } from './meter.ts';
import { stopMeters, takeUsageBack } from './restored-usage.ts';
import { settleSpending } from './settle-spending.ts';
import { settleDue } from './spend-watch.ts';

/** What a region counts whose database was restored from an older copy (decision 188). */

const region = supervisor({ replicas: 1 });
let pool: pg.Pool;
let database: Database;

beforeAll(() => {
  pool = new pg.Pool({ connectionString: region.databaseUrl, max: 4 });
  database = openKysely<Tables>(pool);
  region.onClose(() => database.destroy());
});

const id = 7_000_000 as DeploymentId;
const month = Date.UTC(2100, 2, 1);
const inSeconds = (seconds: number) => new Date(month + seconds * 1000);
/** a cent a second */
const price = { compute: secondsPerPrice, storage: 0, network: 0, telemetry: 0, data_retention: 0 };
const used = (from: number, to: number, more: Partial<Used> = {}): Used => ({
  ...{ from: inSeconds(from).toISOString(), to: inSeconds(to).toISOString(), price },
  ...{ tier: 'free', nodes: 1, storage: { type: 'local_ssd', size: null }, ...more },
});

let reported: ReportData<'usage'>[] = [];
const changing = <T>(change: (tx: Tx) => Promise<T>) =>
  kyselyTransactions(database)((tx) => {
    const report = (type: string, data: ReportData<'usage'>) =>
      void (type === 'usage' && reported.push(data));
    return change({ ...tx, report, emit: () => undefined } as never);
  });

async function look(now: Date): Promise<void> {
  const work = ((_, run) => changing(run as never)) as UnitOfWork<Transaction>;
  await settleDue({ database, work, now: () => now, log: createLog('test', 'error') });
}
const spans = () =>
  reported.map(({ from, to }) => [from, to].map((time) => (Date.parse(time) - month) / 1000));
const state = async () =>
  (
    await region.sql<{ cents: number; limited_until: Date | null; uid: string }>(
      `SELECT cent_seconds / $2::bigint AS cents, limited_until, uid
       FROM deployments JOIN deployment_spending ON deployment_id = id WHERE id = $1`,
      [id, secondsPerPrice],
    )
  )[0]!;

/** One that runs since its month began, of which an hour is reported; then the region is restored from a copy of that. */
async function restored(spend_limit: number | null = null): Promise<{ uid: string }> {
  await region.sql('DELETE FROM deployments WHERE id = $1', [id]);
  await region.sql('DELETE FROM usage_intervals');
  await insertInitialized(pool, 1, { firstId: id });
  await region.sql('DELETE FROM reconciliations WHERE deployment_id = $1', [id]);
  const limits = { access_rules: 1, monthly_cents: secondsPerPrice, price };
  await region.sql('UPDATE deployments SET spec = spec || $2::jsonb WHERE id = $1', [
    id,
    JSON.stringify({ spend_limit, limits }),
  ]);
  await changing((tx) => settleSpending(tx, id, inSeconds(0)));
  await look(inSeconds(3_600));
  await stopMeters(sqlOf(pool));
  await askForAccess(sqlOf(pool));
  reported = [];
  return await state();
}

async function answered(usage: Used[], now: Date): Promise<void> {
  const { uid } = await state();
  await changing(async (tx) => {
    await tx.db.updateTable('deployments').set({ access_question: null }).where('id', '=', id).execute();
    await takeUsageBack(tx, { id, uid }, usage, now);
  });
}

test('nothing is counted until main-api has answered, whatever happens to the deployment', async () => {
  await restored(50);
  await look(inSeconds(9_000));
  await changing((tx) => settleSpending(tx, id, inSeconds(9_000)));
  await region.sql("UPDATE deployments SET status = 'stopped' WHERE id = $1", [id]);
  await changing((tx) => settleSpending(tx, id, inSeconds(9_500)));
  await region.sql("UPDATE deployments SET deleted_by = '{}', access_question = NULL WHERE id = $1", [id]);
  await changing((tx) => settleSpending(tx, id, inSeconds(9_600)));
  expect(reported).toEqual([]);
  expect(await state()).toMatchObject({ cents: 3_600, limited_until: null });
});

test('the meter goes on from what both have, and what main-api lacks is reported', async () => {
  await restored();
  await answered([used(1_800, 5_000), used(6_000, 6_100)], inSeconds(20_000));
  expect(await state()).toMatchObject({ cents: 5_100 });
  await look(inSeconds(23_600));
  expect(spans()).toEqual([[20_000, 23_600]]);
  expect(await state()).toMatchObject({ cents: 8_700 });
  const stored = await region.sql<{ seconds: number }>(
    'SELECT extract(epoch FROM ended_at - started_at)::int AS seconds FROM usage_intervals ORDER BY started_at',
  );
  expect(stored.map(({ seconds }) => seconds)).toEqual([3_600, 1_400, 100, 3_600]);
});

test('usage of a former month is no part of the meter', async () => {
  await restored();
  await answered([used(-100, 0)], inSeconds(20_000));
  expect(await state()).toMatchObject({ cents: 3_600 });
});

test('a spend limit that is reached by what main-api knows stops the deployment', async () => {
  await restored(50);
  await answered([used(3_600, 5_000)], inSeconds(20_000));
  expect((await state()).limited_until).toEqual(new Date('2100-04-01T00:00:00Z'));
});

test('reports say since when the region knows what happens, and the inventory how much was used', async () => {
  const { uid } = await restored();
  await answered([], inSeconds(20_000));
  await look(inSeconds(23_600));
  const inventory = await inventoryPart(database, id - 1, inSeconds(23_600));
  expect(inventory.known_since).toMatch(/Z$/);
  expect(reported).toMatchObject([{ uid, known_since: inventory.known_since }]);
  expect(inventory.usage_since).toBe('2100-02-01T00:00:00.000Z');
  expect(inventory.deployments[0]).toMatchObject({ id, used_seconds: 7_200 });
});
