import { randomUUID } from 'node:crypto';
import { idOf, type TenantId } from '@sluice/contracts';
import { openKysely } from '@sluice/service/kysely';
import pg from 'pg';
import { auditService, entries } from '#test/audit-service.ts';
import { anEvent, nameOf, record } from '#test/events.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { searchOf } from '../audit-log/entry-filter.ts';
import { foundKeys, pageOfEntries } from './entries.store.ts';

const on = auditService({ replicas: 1 });
const audit = on.replica();

const tenant = 310;
const other = 311;
let token: string;
beforeAll(async () => {
  token = await on.key({ tenant });
  const event = (name: string, more: object = {}) =>
    anEvent({ tenant_id: tenant, data: { name }, occurred_at: new Date().toISOString(), ...more });
  await record(
    on,
    event('orders-production'),
    event('b', { author: { id: 21, name: "Lovis O'Hara" } }),
    event('c', { deployment: { id: 51, name: 'payments.eu_1', uid: randomUUID() } }),
    event('d', { type: 'environment_created', user: { id: 22, name: 'Grace Hopper' } }),
    event('Straße Ärger', { api_key: { id: 9, name: 'deploy' } }),
    event(`${'x'.repeat(5_000)} behind ${'y '.repeat(9_000)}`, { environment: { id: 1, name: '生产' } }),
    event('orders', { tenant_id: other }),
  );
});

const found = async (q: string, more = '') =>
  (await entries(audit, token, `q=${encodeURIComponent(q)}${more}`, tenant)).items
    .map((entry) => String(nameOf(entry)).slice(0, 20))
    .sort();
const long = 'x'.repeat(20);

describe('a search', () => {
  test.each([
    ['orders', ['orders-production']],
    ['ORD prod', ['orders-production']],
    ['production orders', ['orders-production']],
    // words are found by how they begin
    ['duction', []],
    ['lov', ['b']],
    ["O'Hara", ['b']],
    ['hara lov', ['b']],
    ['payments.eu', ['c']],
    ['eu_1', ['c']],
    ['environment_created', ['d']],
    ['hopper', ['d']],
    ['deploy', ['Straße Ärger']],
    ['straße', ['Straße Ärger']],
    ['ÄRGER', ['Straße Ärger']],
    ['生', [long]],
    ['behind', [long]],
    ['x'.repeat(150), [long]],
    ['orders nothing', []],
    ["orders' | '' & !lovis:*", []],
    ['310:orders', []],
  ])('for %s', async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });

  test('is one of the filters', async () => {
    expect(await found('c', '&types=environment_created')).toEqual(['d']);
    expect(await found('lovis', '&author=22')).toEqual([]);
  });

  test('finds nothing of other tenants', async () => {
    const foreign = await on.key({ tenant: other });
    const { items, total_results } = await entries(audit, foreign, 'q=orders', other);
    expect([items.map(nameOf), total_results]).toEqual([['orders'], 1]);
    expect((await entries(audit, foreign, 'q=lovis', other)).items).toEqual([]);
  });
});

describe('of a month with 100,000 entries', () => {
  let pool: pg.Pool;
  let database: Database;
  const big = idOf<TenantId>(320);

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: on.databaseUrl });
    on.onClose(() => pool.end());
    database = openKysely<Tables>(pool);
    await pool.query("SELECT make_log_partition('2026-02-01')");
    // one of five entries is of this tenant
    await pool.query(`
      INSERT INTO log_entries (prev_hash, hash, recorded_at, seq, event_id, position, tenant_id, type, author_id, author_name, data,
        occurred_at)
      SELECT '', '', timestamptz '2026-02-01' + n * interval '20 seconds', n, gen_random_uuid(), n, 320 + n % 5,
        (ARRAY['deployment_created', 'division_created'])[1 + n / 5 % 2], 1 + n / 7 % 50, 'Author ' || n / 7 % 50,
        jsonb_build_object('name', 'thing ' || n), timestamptz '2026-02-01' + n * interval '20 seconds'
      FROM generate_series(1, 100000) AS n`);
    await pool.query('VACUUM ANALYZE log_entries');
  }, 120_000);

  const filterFor = async (text: string) => ({ tenant: big, search: await searchOf(database, big, text) });
  const planOf = (lines: { 'QUERY PLAN': string }[]) => lines.map((line) => line['QUERY PLAN']).join('\n');

  test.each(['thing 77770', 'thing', 'created', 'author 7', 'absent', 'division author thing'])(
    'a search for %s reads no partition as a whole, and takes no second',
    async (text) => {
      const filter = await filterFor(text);
      const page = { page: 1, results: 10, offset: 0 };
      const begun = performance.now();
      await foundKeys(database, filter).execute();
      await pageOfEntries(database, filter, page).execute();
      expect(performance.now() - begun).toBeLessThan(1_000);
      for (const query of [foundKeys(database, filter), pageOfEntries(database, filter, page)])
        expect(planOf(await query.explain())).not.toContain('Seq Scan on log_entries_2026_02');
    },
  );

  test('one for something rare is read off the index of words', async () => {
    const plan = planOf(await foundKeys(database, await filterFor('thing 77770')).explain());
    expect(plan).toContain('log_entries_2026_02_words_of_idx');
  });

  test('finds the newest 10,000 at most', async () => {
    const key = await on.key({ tenant: big });
    const all = await entries(audit, key, 'q=thing', big);
    expect([all.total_results, all.items.length]).toEqual([10_000, 100]);
    expect(all.items[0]?.data).toEqual({ name: 'thing 100000' });
    const last = await entries(audit, key, 'q=thing&page=100', big);
    expect(last.items).toHaveLength(100);
    expect((await entries(audit, key, 'q=thing&page=101', big)).items).toEqual([]);
  });
});
