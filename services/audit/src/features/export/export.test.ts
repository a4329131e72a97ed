import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { idOf, type TenantId } from '@sluice/contracts';
import { csvHeader, entryOfCsv, entryOfJson } from '@sluice/contracts/audit-export';
import { openKysely } from '@sluice/service/kysely';
import { client, eventually } from '@sluice/testing';
import pg from 'pg';
import { auditService } from '#test/audit-service.ts';
import { allowExport, anEvent, linked, named, nameOf, record } from '#test/events.ts';
import { countingRows } from '#test/rows.ts';
import type { Tables } from '../../database/tables.ts';
import { findEntriesIn } from '../audit-log/log-reading.store.ts';
import { plansService } from '../plans/plans.service.ts';
import { exportService } from './export.service.ts';

/** more than two sockets and their streams hold */
const most = 30_000;
const on = auditService({ replicas: 1 });
const large = 9;
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
let key: string;
beforeAll(async () => {
  key = await on.key();
  await allowExport(on);
});

/** What an export says, by lines. */
async function exported(query = '', token = key, tenant = 1): Promise<string[]> {
  const path = `/audit/tenants/${tenant}/export${query && `?${query}`}`;
  const answer = await fetch(`${on.replica().url}${path}`, { headers: { 'svc-api-key': token } });
  expect([answer.status, query]).toEqual([200, query]);
  return (await answer.text()).split('\n').slice(0, -1);
}
const entries = async (query = '', token = key) => (await exported(query, token)).map(entryOfJson);
const refusal = async (query = '', token = key) => {
  const { status, body } = await client(on.replica().url, token).get(`/audit/tenants/1/export${query}`);
  return [status, body['code']];
};

describe('an export', () => {
  const division = { id: 4, name: 'Sales' };
  beforeAll(async () => {
    await record(
      on,
      named('a'),
      { ...named('=b'), division },
      anEvent({ type: 'broker_painted', data: { name: 'c' } }),
      named('d'),
    );
  });

  test('has all entries in the order of the log, so that they can be verified, in either format', async () => {
    const lines = await entries();
    expect(lines.map(nameOf)).toEqual(['a', '=b', 'c', 'd']);
    linked(lines);
    const [head, ...records] = await exported('format=csv');
    expect(head).toBe(csvHeader);
    expect(records.map(entryOfCsv)).toEqual(lines);
  });

  test('goes on behind an entry', async () => {
    expect((await entries('after=2')).map(nameOf)).toEqual(['c', 'd']);
    expect(await exported('after=4')).toEqual([]);
    expect(await exported('after=9007199254740991&format=csv')).toEqual([csvHeader]);
  });

  test('has what satisfies every filter', async () => {
    expect((await entries('division=4')).map(nameOf)).toEqual(['=b']);
    expect((await entries('types=division_created&division=3')).map(nameOf)).toEqual(['a', 'd']);
    expect(await refusal('?types=nothing')).toEqual([400, 'invalid_request']);
    expect(await refusal('?format=xml')).toEqual([400, 'invalid_request']);
    expect(await refusal('?after=-1')).toEqual([400, 'invalid_request']);
  });

  test('of a division is open to who may read its part, and nothing else is', async () => {
    const part = await on.key({ role: { division: ['audit:read'] }, division: 4 });
    expect((await entries('division=4', part)).map(nameOf)).toEqual(['=b']);
    expect((await entries('division=4&author=7', part)).map(nameOf)).toEqual(['=b']);
    for (const query of ['', '?division=3', '?environment=4', '?division=04'])
      expect(await refusal(query, part)).toEqual([403, 'forbidden']);
    const { status, body } = await client(on.replica().url, part).get('/audit/tenants/1?division=4');
    expect([status, body['total_results']]).toEqual([200, 1]);
    expect((await client(on.replica().url, part).get('/audit/tenants/1')).status).toBe(403);
  });

  test('needs a plan that has it, by what was said last', async () => {
    const other = await on.key({ tenant: 2 });
    const status = async () => (await client(on.replica().url, other).get('/audit/tenants/2/export')).status;
    expect(await status()).toBe(403);
    await allowExport(on, 2);
    expect(await status()).toBe(200);
    await allowExport(on, 2, false);
    expect(await status()).toBe(403);
  });

  test('of a deleted tenant is not there', async () => {
    const gone = await on.key({ tenant: 3 });
    await allowExport(on, 3);
    await record(on, anEvent({ type: 'tenant_deleted', tenant_id: 3, data: { name: 'Gone' } }));
    for (const path of ['export', 'export?format=csv&after=1', '?page=1'])
      expect(
        (await client(on.replica().url, gone).get(`/audit/tenants/3/${path}`.replace('/?', '?'))).status,
      ).toBe(404);
    expect(await on.sql('SELECT type FROM log_entries WHERE tenant_id = 3')).toEqual([
      { type: 'tenant_deleted' },
    ]);
  });
});

/** Adds entries to the log of a tenant as quickly as the database can; what they say does not matter, nor that their hashes are not theirs. */
async function fill(tenant: number, count: number, kilobytes = 0.64): Promise<void> {
  await on.sql(`
    INSERT INTO log_entries (tenant_id, seq, recorded_at, event_id, position, type, author_id, author_name, division_id, division_name,
      data, occurred_at, prev_hash, hash)
    SELECT ${tenant}, n, date_trunc('month', now()) + n * interval '1 millisecond', gen_random_uuid(), n, 'division_created', 7, 'Ada', 3, 'Payments',
      jsonb_build_object('name', repeat(md5(n::text), ${Math.round((kilobytes * 1_000) / 32)})), now(), sha256((n - 1)::text::bytea), sha256(n::text::bytea)
    FROM generate_series(1, ${count}) AS n`);
  await on.sql(
    `INSERT INTO log_heads (tenant_id, seq) VALUES (${tenant}, ${count}) ON CONFLICT (tenant_id) DO UPDATE SET seq = ${count}`,
  );
}

test('a log of large entries is read a few of them at a time, and none is left out', async () => {
  const tenant = 8;
  await fill(tenant, 7, 400);
  const pool = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
  on.onClose(() => pool.end());
  const filter = { tenant: idOf<TenantId>(tenant) };
  const read = async (after: number, bytes: number, entries = 250) => {
    const found = await findEntriesIn(openKysely<Tables>(pool), filter, { after }, { entries, bytes });
    return [found.entries.map(({ seq }) => seq), found.isAll];
  };
  expect(await read(0, 2 ** 20)).toEqual([[1, 2], false]);
  expect(await read(5, 2 ** 20)).toEqual([[6, 7], true]);
  // one that is larger is read by itself
  expect(await read(2, 1_000)).toEqual([[3], false]);
  expect(await read(6, 1_000)).toEqual([[7], true]);
  expect(await read(0, 2 ** 30, 7)).toEqual([[1, 2, 3, 4, 5, 6, 7], true]);
  expect(await read(0, 2 ** 30, 6)).toEqual([[1, 2, 3, 4, 5, 6], false]);
  expect(await read(7, 2 ** 20)).toEqual([[], true]);
  await allowExport(on, tenant);
  const lines = await exported('', await on.key({ tenant }), tenant);
  expect(lines.map((line) => entryOfJson(line).seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

describe('an export of a large log', () => {
  let token: string;
  beforeAll(async () => {
    token = await on.key({ tenant: large });
    await allowExport(on, large);
    await fill(large, most);
  }, 900_000);

  const open = async (query = '') => {
    const outgoing = request(`${on.replica().url}/audit/tenants/${large}/export?${query}`, {
      headers: { 'svc-api-key': token },
    });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { incoming, close: () => outgoing.destroy() };
  };

  test('reads nothing before there is room for it, however long it is', async () => {
    const pool = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
    on.onClose(() => pool.end());
    const { database, rows } = countingRows(openKysely<Tables>(pool));
    const plans = plansService({ database, now: () => new Date() });
    const exports = exportService({ database, plans, stopping: new AbortController().signal });
    const client = { gone: new AbortController().signal, allowed: async () => undefined };
    const { content } = await exports.open({ tenant_id: idOf<TenantId>(large) }, {}, client);
    let lines = 0;
    for await (const piece of content) {
      lines += piece.split('\n').length - 1;
      // what was read and not handed on
      expect(sum(rows) - lines).toBeLessThanOrEqual(250);
    }
    expect(lines).toBe(most);
    expect(sum(rows)).toBe(most);
  }, 900_000);

  test('waits for a client that is slow, and holds no connection to the database meanwhile', async () => {
    const { incoming, close } = await open('format=csv');
    incoming.pause();
    await eventually(async () =>
      expect(
        await on.sql(
          "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE '%in transaction%'",
        ),
      ).toEqual([]),
    );
    const first = createInterface({ input: incoming })[Symbol.asyncIterator]();
    expect((await first.next()).value).toBe(csvHeader);
    expect(entryOfCsv((await first.next()).value as string).seq).toBe(1);
    close();
    incoming.on('error', () => undefined);
  });

  test('is one of two at a time, and gives its place back however it ends', async () => {
    const held = [await open(), await open()];
    for (const { incoming } of held) incoming.on('error', () => undefined).pause();
    const third = () =>
      client(on.replica().url, token).get(`/audit/tenants/${large}/export?after=${most - 1}`);
    const refused = await third();
    expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
      429,
      'too_many_exports',
      '30',
    ]);
    // another tenant has places of its own
    expect(await refusal()).toEqual([200, undefined]);
    for (const { close } of held) close();
    await eventually(async () => expect((await third()).status).toBe(200), { timeoutMs: 60_000 });
    for (let time = 0; time < 5; time++) expect((await third()).status).toBe(200);
  });
});
