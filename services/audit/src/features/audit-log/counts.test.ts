import { idOf, type EnvironmentId, type TenantId, type UserId } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { auditService } from '#test/audit-service.ts';
import type { Tables } from '../../database/tables.ts';
import type { EntryFilter } from './entry-filter.ts';
import { findEntries, pageOfEntries } from '../entries/entries.store.ts';
import { countedTotal } from './log-counts.store.ts';

const on = auditService({ replicas: 1 });
const tenant = idOf<TenantId>(7);
const size = 12_400;
const filters: Partial<EntryFilter>[] = [
  {},
  { author: idOf<UserId>(3) },
  { user: idOf<UserId>(1) },
  { environment: idOf<EnvironmentId>(404) },
  { types: ['b'] },
  { types: ['a', 'c', 'a'] },
  { types: ['b'], author: idOf<UserId>(3) },
];
const times: Partial<EntryFilter>[] = [
  {},
  { from: new Date('2026-05-03T11:12:13.500Z') },
  { to: new Date('2026-05-07T01:02:03.004Z') },
  { from: new Date('2026-05-03T11:12:13.500Z'), to: new Date('2026-05-05T00:00:00Z') },
];

/** Entries a minute apart, two at a time, and every 50th heard of a day late. */
const fill = `
  INSERT INTO log_entries (prev_hash, hash, recorded_at, seq, event_id, position, tenant_id, type, author_id, author_name,
    user_id, user_name, data, occurred_at)
  SELECT '', '', now(), n, gen_random_uuid(), n, 7, (ARRAY['a', 'b', 'c', 'c', 'c'])[1 + n % 5], 1 + n % 9, 'a',
    CASE WHEN n % 100 = 0 THEN 1 END, 'u', '{}',
    timestamptz '2026-05-01' + n / 2 * interval '1 minute' - CASE WHEN n % 50 = 0 THEN interval '1 day' ELSE '0' END
  FROM generate_series(1, ${size}) AS n`;

beforeAll(async () => {
  await on.sql(fill);
  await on.sql("INSERT INTO log_heads (tenant_id, seq, hash) VALUES (7, $1, '')", [size]);
  await on.replica().stop();
  await on.start();
  await eventually(
    async () => expect(await on.sql('SELECT seq FROM log_counted')).toEqual([{ seq: 12_000 }]),
    { timeoutMs: 60_000 },
  );
}, 120_000);

test('pages and totals from the counts are those of all entries, whatever is looked for', async () => {
  for (const filter of filters)
    for (const time of times) {
      const wanted: EntryFilter = { tenant, ...filter, ...time };
      const all = await pageOfEntries(on.database, wanted, { page: 1, results: size, offset: 0 }).execute();
      for (const offset of [0, 990, 1_001, 3_333, 12_005, 12_390]) {
        const found = await findEntries(on.database, wanted, { page: 1, results: 20, offset });
        expect({ wanted, offset, total: found.total }).toEqual({ wanted, offset, total: all.length });
        expect(found.entries.map(({ seq }) => seq)).toEqual(
          all.slice(offset, offset + 20).map(({ seq }) => seq),
        );
      }
    }
}, 120_000);

interface Plan {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Plan[];
}

const scansOf = (plan: Plan): Plan[] => [
  ...(plan['Relation Name']?.startsWith('log_entries') ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

test.each(filters.slice(0, 3))(
  'a total reads the entries behind the counts by their numbers, and none before: %j',
  async (filter) => {
    await on.sql('VACUUM ANALYZE log_entries');
    const statements: CompiledQuery[] = [];
    const pool = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
    const logged = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void statements.push(query),
    });
    await countedTotal(logged, { tenant, ...filter });
    await logged.destroy();
    const plans: Plan[] = [];
    for (const { sql, parameters } of statements) {
      const text = `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`;
      const rows = await on.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(text, [...parameters]);
      plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
    }
    const read = plans.flatMap(scansOf).filter((scan) => scan['Actual Rows'] > 0);
    expect(
      read.map((scan) => [scan['Index Name']?.replace(/_\d{4}_\d{2}/, ''), scan['Actual Rows']]),
    ).toEqual([['log_entries_pkey', size - 12_000]]);
  },
);
