import { emptyChain, hashOfEntry, idOf, type TenantId } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import pg from 'pg';
import { auditService, entries } from '#test/audit-service.ts';
import { anEvent, nameOf, record } from '#test/events.ts';
import { entriesBetween } from '../../stores/log-entries.store.ts';

const on = auditService({ per: 'test' });

/** Records some as the release before does: named by their numbers, one in each minute. */
const recordFormer = (
  tenant: number,
  first: number,
  last = first,
  type = 'division_created',
  data?: object,
) =>
  on.sql(
    `INSERT INTO entries (event_id, sequence, tenant_id, type, author_id, author_name, data, occurred_at)
     SELECT gen_random_uuid(), 1, $1, $4, n % 2, 'Ada', coalesce($5::jsonb, jsonb_build_object('name', n::text)),
       timestamptz '2025-03-01 00:00Z' + n * interval '1 minute'
     FROM generate_series($2::int, $3::int) AS n`,
    [tenant, first, last, type, data ? JSON.stringify(data) : null],
  );
const awaited = async () =>
  (await on.sql<{ n: number }>('SELECT count(*)::int AS n FROM former_entries'))[0]?.n;
const allTaken = () => eventually(async () => expect(await awaited()).toBe(0), { timeoutMs: 60_000 });
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

/** Keeps entries from being taken over until what it answers is called, whoever tries. */
async function hold(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: on.databaseUrl });
  await client.connect();
  await client.query("SELECT pg_advisory_lock(hashtext('former_entries'))");
  return () => client.end();
}

/** The names of a tenant's log, in the order of its chain, which has no flaw. */
async function chainOf(tenant: number): Promise<string[]> {
  const log = await entriesBetween(
    { query: (text, values) => on.sql(text, [...(values ?? [])]) as never },
    idOf<TenantId>(tenant),
    1,
    10_000,
  );
  let last = emptyChain;
  for (const { hash, prev_hash, ...entry } of log) {
    expect({ seq: entry.seq, prev_hash }).toEqual({ seq: last.seq + 1, prev_hash: last.hash });
    last = { seq: entry.seq, hash: hashOfEntry(entry, last.hash) };
    expect(hash).toBe(last.hash);
  }
  return log.map(nameOf);
}

test('entries of the release before are taken over in the order in which they happened, once, by all replicas; also those that come while it still runs', async () => {
  const key = await (await on.start(), on.key());
  await on.replica().stop();
  await recordFormer(1, 601, 1_300);
  await recordFormer(2, 1);
  await recordFormer(1, 1, 600);
  const [one] = await Promise.all([on.start(), on.start()]);
  await allTaken();
  expect(await chainOf(1)).toEqual(numbers(1, 1_300));
  // in the month in which they happened
  const [first] = await on.sql('SELECT recorded_at FROM log_entries WHERE tenant_id = 1 AND seq = 1');
  expect(first).toEqual({ recorded_at: new Date('2025-03-01T00:01:00.000Z') });
  await recordFormer(1, 1_301);
  await record(on, anEvent({ data: { name: 'new' } }));
  await allTaken();
  expect((await chainOf(1)).sort()).toEqual([...numbers(1, 1_301), 'new'].sort());
  expect(await chainOf(2)).toEqual(['1']);
  expect((await entries(one, key)).total_results).toBe(1_302);
});

test('until then the service records and answers, and lists are whole', async () => {
  const key = await (await on.start(), on.key());
  await on.replica().stop();
  await recordFormer(1, 1, 60);
  await recordFormer(2, 1);
  const release = await hold();
  const audit = await on.start();
  await record(
    on,
    anEvent({ data: { name: 'new' } }),
    anEvent({ type: 'tenant_updated', data: { name: 'new too' } }),
  );
  const listed = async (query = '') => {
    const { items, total_results } = await entries(audit, key, query);
    return [items.map(nameOf), total_results];
  };
  const former = numbers(1, 60).reverse();
  expect(await awaited()).toBe(61);
  expect(await listed()).toEqual([['new too', 'new', ...former], 62]);
  expect(await listed('types=tenant_updated')).toEqual([['new too'], 1]);
  expect(await listed('author=1&to=2025-03-01T00:10:00Z')).toEqual([['9', '7', '5', '3', '1'], 5]);
  expect(await listed('page=2')).toEqual([[], 62]);
  await release();
  await allTaken();
  expect(await listed()).toEqual([['new too', 'new', ...former], 62]);
  expect(await chainOf(1)).toEqual(['new', 'new too', ...numbers(1, 60)]);
  expect(await chainOf(2)).toEqual(['1']);
});

test('what is listed is there once, while it is taken over and whoever stops meanwhile', async () => {
  const key = await (await on.start(), on.key());
  await on.replica().stop();
  await recordFormer(1, 1, 3_000);
  const audit = await on.start();
  const other = await on.start();
  const stopped = eventually(async () => expect(await awaited()).toBeLessThan(3_000)).then(() =>
    other.stop(),
  );
  for (let left = await awaited(); left; left = await awaited()) {
    const { items, total_results } = await entries(audit, key);
    expect([items.map(nameOf), total_results]).toEqual([numbers(2_901, 3_000).reverse(), 3_000]);
  }
  await stopped;
  expect(await chainOf(1)).toEqual(numbers(1, 3_000));
});

test('what it took for entries and is none is neither listed nor recorded, and what it says of a plan holds', async () => {
  const key = await (await on.start(), on.key());
  await on.replica().stop();
  const plan = (version: number, days: number) => ({
    version,
    features: { audit_retention_days: days, audit_export_enabled: true },
  });
  await recordFormer(1, 1, 1);
  await recordFormer(1, 2, 2, 'tenant_features_updated', plan(2, 36_500));
  await recordFormer(1, 3, 3, 'tenant_features_updated', plan(1, 7));
  await recordFormer(1, 4, 4, 'tenant_features_updated', { nothing: 'that is known' });
  const release = await hold();
  const audit = await on.start();
  const listed = async () => {
    const { items, total_results } = await entries(audit, key);
    return [items.map(nameOf), total_results];
  };
  expect(await listed()).toEqual([['1'], 1]);
  await release();
  await allTaken();
  expect(await listed()).toEqual([['1'], 1]);
  expect(await on.sql('SELECT version::int, audit_retention_days AS days FROM tenant_features')).toEqual([
    { version: 2, days: 36_500 },
  ]);
});
