import { idOf, type DeploymentId, type DivisionId, type EnvironmentId, type UserId } from '@sluice/contracts';
import pg from 'pg';
import { auditService } from '#test/audit-service.ts';
import { openKysely } from '@sluice/service/kysely';
import type { Database, Tables } from '../../database/tables.ts';
import type { EntryFilter } from '../audit-log/entry-filter.ts';
import { pageOfEntries } from './entries.store.ts';

/** 100,000 entries of five tenants; every filter matches a part of them. */
const fill = `
  INSERT INTO log_entries (prev_hash, hash, recorded_at, seq, event_id, position, tenant_id, type, author_id, author_name, user_id, user_name,
    division_id, division_name, environment_id, environment_name, deployment_id, deployment_name,
    data, correlation_id, occurred_at)
  SELECT '', '', timestamptz '2026-01-01' + n * interval '20 seconds', n, gen_random_uuid(), n, 1 + n % 5,
    (ARRAY['deployment_created', 'deployment_deleted', 'division_created', 'api_key_created'])[1 + n / 5 % 4],
    1 + n / 7 % 50, 'a', CASE WHEN n % 11 = 0 THEN 1 + n % 50 END, 'u',
    1 + n / 5 % 5, 'd', 1 + n / 5 % 20, 'e', CASE WHEN n % 3 = 0 THEN 1 + n / 3 % 200 END, 'x',
    '{}', md5((n / 3)::text)::uuid, timestamptz '2026-01-01' + n * interval '20 seconds'
  FROM generate_series(1, 100000) AS n`;

const filters = {
  from: { from: new Date('2026-01-05') },
  to: { to: new Date('2026-01-20') },
  author: { author: idOf<UserId>(3) },
  user: { user: idOf<UserId>(3) },
  division: { division: idOf<DivisionId>(3) },
  environment: { environment: idOf<EnvironmentId>(3) },
  deployment: { deployment: idOf<DeploymentId>(3) },
  types: { types: ['division_created'] },
  correlationId: { correlationId: 'a87ff679-a2f3-e71d-9181-a67b7542122c' },
} satisfies Record<string, Partial<EntryFilter>>;

const on = auditService({ replicas: 1 });
let pool: pg.Pool;
let database: Database;

beforeAll(async () => {
  await on.replica().stop();
  pool = new pg.Pool({ connectionString: on.databaseUrl });
  on.onClose(() => pool.end());
  database = openKysely<Tables>(pool);
  await pool.query("SELECT make_log_partition('2026-01-01')");
  await pool.query(fill);
  await pool.query('VACUUM ANALYZE log_entries');
}, 120_000);

/** Which indexes of the log are used for the month that has entries. */
async function indexesOf(plan: string): Promise<string[]> {
  const used = plan.match(/\blog_entries_2026_01_\w+_idx\w*/g) ?? [];
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT inhparent::regclass::text AS name FROM pg_inherits
     WHERE inhrelid = ANY (SELECT unnest($1::text[])::regclass)`,
    [used],
  );
  return rows.map(({ name }) => name);
}

/** PostgreSQL's plan for the tenant's first page, as text. */
async function planOf(filter: Partial<EntryFilter>): Promise<string> {
  const query = pageOfEntries(database, { tenant: idOf(1), ...filter }, { page: 1, results: 10, offset: 0 });
  const lines = await query.explain<{ 'QUERY PLAN': string }>();
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

test.each([
  ['log_entries_by_time', {}],
  ['log_entries_by_time', filters.from],
  ['log_entries_by_time', filters.to],
  ['log_entries_by_author', filters.author],
  ['log_entries_by_user', filters.user],
  ['log_entries_by_division', filters.division],
  ['log_entries_by_environment', filters.environment],
  ['log_entries_by_deployment', filters.deployment],
  ['log_entries_by_type', filters.types],
])('a page is read off %s without sorting: %j', async (index, filter) => {
  const plan = await planOf(filter);
  expect(await indexesOf(plan)).toEqual([index]);
  // what each partition has in order is merged
  expect(plan).not.toMatch(/\bSort {2}\(/);
});

test('the entries of a request are found by their own index', async () => {
  expect(await indexesOf(await planOf(filters.correlationId))).toEqual(['log_entries_by_correlation']);
});

test('no combination of filters scans the whole table', async () => {
  const names = Object.keys(filters) as (keyof typeof filters)[];
  for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
    const combination = names.filter((_, position) => chosen & (1 << position));
    const plan = await planOf(
      Object.assign({}, ...combination.map((name) => filters[name])) as Partial<EntryFilter>,
    );
    expect({ combination, scans: plan.includes('Seq Scan on log_entries_2026_01') }).toEqual({
      combination,
      scans: false,
    });
  }
}, 120_000);
