import { idOf as idFrom, type RoleId } from '@sluice/contracts';
import { createLog, createPool, sqlOf } from '@sluice/service';
import { ChangeFeeds, feedSettings, loadApiDocument } from '@sluice/http';
import { client, eventually, follow, type Followed, type TestReplica } from '@sluice/testing';
import { Registry } from '@prometheus-io/client';
import { z } from 'zod';
import { deploymentsOf, idOf, small } from '#test/deployments.ts';
import { refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';
import type { TestTenant } from '#test/tenants.ts';
import { kinds } from './events.operations.ts';

const given = people({
  environment: { FEED_READERS: '6', FEED_READERS_PER_CALLER: '4' },
});
const { on, region, a, second } = given;
let pool: ReturnType<typeof createPool>;
let acme: TestTenant;
let followed: Followed[] = [];

beforeAll(() => {
  pool = createPool(on.databaseUrl, 4, createLog('test', 'error'));
  on.onClose(() => pool.end());
});
beforeEach(async () => {
  acme = await a.tenant({ overrides: { api_keys_limit: 20 } });
});
afterEach(async () => {
  for (const stream of followed) stream.leave();
  followed = [];
  // they have given their places back
  await eventually(async () => expect(await openFeeds()).toEqual([0, 0]));
});

interface Way {
  key?: string;
  replica?: Pick<TestReplica, 'url'>;
  after?: string | undefined;
}

/** Follows on the replica that the changes are not made at. */
async function feed({ key = acme.key, replica = second, after }: Way = {}): Promise<Followed> {
  const headers = { 'svc-api-key': key, ...(after !== undefined && { 'last-event-id': after }) };
  const stream = await follow(`${replica.url}${acme.path}/events/stream`, headers);
  followed.push(stream);
  return stream;
}

const openFeeds = () =>
  Promise.all(
    [on.replica(), second].map(async ({ url }) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(/^sluice_feeds_open (\d+)$/m.exec(text)?.[1]);
    }),
  );

/** What the next event says, such as `created division 7`. */
async function next(stream: Followed): Promise<string> {
  const { event, data } = (await stream.next()) ?? { event: 'nothing', data: {} };
  if (event !== 'change') return `${event} ${String(data['reason'])}`;
  return `${String(data['change'])} ${String(data['kind'])} ${String(data['id'])}`;
}

const keyWith = async (permissions: object, division?: number): Promise<[token: string, id: number]> => {
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const at = `${division === undefined ? acme.path : acme.divisionPath}/api_keys`;
  const { body } = await acme.admin.post(at, { name: `key ${Math.random()}`, permissions, expiry_at });
  return [String(body['token']), Number(body['id'])];
};

test('tells of changes on another replica what they are of, and nothing of the content', async () => {
  const stream = await feed();
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  const environment = await acme.add(`${acme.divisionPath}/environments`, { name: 'production' });
  const event = await stream.next();
  expect(event).toEqual({
    event: 'change',
    data: {
      ...{ kind: 'environment', id: environment, change: 'created', revision: expect.any(Number) as number },
      ...{ division_id: acme.division, environment_id: environment, deployment_id: null },
      changed_at: expect.stringMatching(/^20.*Z$/) as string,
    },
  });
  await acme.admin.put(`${acme.divisionPath}/environments/${environment}`, { description: 'ours' });
  const later = await stream.next();
  expect(later?.data).toMatchObject({ kind: 'environment', id: environment, change: 'updated' });
  expect(Number(later?.data['revision'])).toBeGreaterThan(Number(event?.data['revision']));
  await acme.admin.delete(`${acme.divisionPath}/environments/${environment}`);
  expect(await next(stream)).toBe(`deleted environment ${environment}`);
});

test('tells of what reports, keys, members, roles and channels change', async () => {
  const deployments = await deploymentsOf(acme);
  const stream = await feed();
  const id = idOf(await acme.admin.post(`${deployments}/managed`, small));
  expect(await next(stream)).toBe(`created deployment ${id}`);
  await region.status(id, 1, 'waiting_for_nodes');
  expect(await next(stream)).toBe(`updated deployment ${id}`);
  const [, key] = await keyWith({ tenant: ['info:read'] });
  expect(await next(stream)).toBe(`created api_key ${key}`);
  const { id: member } = await acme.person([acme.roles.viewer]);
  expect(await next(stream)).toBe(`created member ${member}`);
  const role = await acme.add(`${acme.path}/roles`, {
    name: 'reader',
    permissions: { tenant: ['info:read'] },
  });
  expect(await next(stream)).toBe(`created role ${role}`);
  await acme.admin.put(`${acme.path}/members/${member}`, { roles: [role] });
  expect(await next(stream)).toBe(`updated member ${member}`);
  await acme.admin.put(`${acme.path}/config`, {
    ...{ join_policy: 'open', block_external_invitations: false, enforce_domain_only_invitations: false },
  });
  expect(await next(stream)).toBe(`updated tenant ${acme.id}`);
});

test('misses nothing of transactions that commit late, and waits for none', async () => {
  const streams = [await feed(), await feed({ replica: on.replica() })];
  const slow = await pool.connect();
  await slow.query('BEGIN');
  const { rows } = await slow.query<{ id: string }>(
    `INSERT INTO divisions (tenant_id, name) VALUES ($1, 'slow') RETURNING id`,
    [acme.id],
  );
  const quick = await acme.add(`${acme.path}/divisions`, { name: 'quick' });
  for (const stream of streams) expect(await next(stream)).toBe(`created division ${quick}`);
  const after = streams[0]?.lastId;
  await slow.query('COMMIT');
  slow.release();
  for (const stream of streams) expect(await next(stream)).toBe(`created division ${rows[0]?.id}`);
  // the number of what is missing is lower than that of what the client has
  expect(await next(await feed({ after }))).toBe(`created division ${rows[0]?.id}`);
});

test('misses nothing of many transactions at once', async () => {
  const streams = [await feed(), await feed({ replica: on.replica() })];
  let resumed = await feed();
  let after: string | undefined;
  const told = new Set<string>();
  const writing = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; number < 15; number++)
        await pool.query(
          `WITH made AS (INSERT INTO divisions (tenant_id, name) VALUES ($1, $2) RETURNING id)
           SELECT id, pg_sleep(random() * 0.02) FROM made`,
          [acme.id, `${writer}/${number}`],
        );
    }),
  );
  // this one breaks off again and again, and goes on at either replica
  for (let turn = 0; turn < 4; turn++) {
    told.add(await next(resumed));
    resumed.leave();
    after = resumed.lastId ?? after;
    resumed = await feed({ after, replica: on.replica(turn % 2) });
  }
  await writing;
  const all = await pool.query<{ id: string }>(
    `SELECT id FROM divisions WHERE tenant_id = $1 AND name LIKE '%/%'`,
    [acme.id],
  );
  const wanted = new Set(all.rows.map(({ id }) => `created division ${id}`));
  expect(wanted.size).toBe(60);
  for (const stream of streams) {
    const seen = new Set<string>();
    while (seen.size < wanted.size) seen.add(await next(stream));
    expect(seen).toEqual(wanted);
  }
  while (told.size < wanted.size) told.add(await next(resumed));
  expect(told).toEqual(wanted);
});

test('goes on after the last event on another replica, and after a restart', async () => {
  const stream = await feed();
  const first = await acme.add(`${acme.path}/divisions`, { name: 'one' });
  expect(await next(stream)).toBe(`created division ${first}`);
  stream.leave();
  const missed = await acme.add(`${acme.path}/divisions`, { name: 'two' });
  const replica = await on.start();
  const again = await feed({ after: stream.lastId, replica });
  expect(await next(again)).toBe(`created division ${missed}`);
  const stopped = replica.stop();
  expect(await again.rest()).toEqual([{ event: 'end', data: { reason: 'stopping' } }]);
  await stopped;
  const later = await acme.add(`${acme.path}/divisions`, { name: 'three' });
  expect(await next(await feed({ after: again.lastId }))).toBe(`created division ${later}`);
});

test('says that all is to be read again where it cannot say what was missed', async () => {
  const stream = await feed();
  const first = await acme.add(`${acme.path}/divisions`, { name: 'one' });
  await stream.next();
  stream.leave();
  const id = String(stream.lastId);
  const [database, at, snapshot] = id.split('.') as [string, string, string];
  const resume = async (after: string) => {
    const again = await feed({ after });
    const said = await next(again);
    again.leave();
    await eventually(async () => expect(await openFeeds()).toEqual([0, 0]));
    return said;
  };
  expect(await resume(`${database}.${Number(at) - 25 * 3_600_000}.${snapshot}`)).toBe('reset too_old');
  expect(await resume(`00000000.${at}.${snapshot}`)).toBe('reset unknown_id');
  expect(await resume(`${database}.${at}.5:9:7,x`)).toBe('reset unknown_id');
  await pool.query(
    `INSERT INTO object_changes (tenant_id, division_id, kind, object_id, change)
     SELECT $1, $2, 'division', number, 'updated' FROM generate_series(1, 1001) AS number`,
    [acme.id, first],
  );
  expect(await resume(id)).toBe('reset too_many');
});

test('tells a caller of what they may read alone, also when that changes', async () => {
  const other = await acme.add(`${acme.path}/divisions`, { name: 'other' });
  const added = await acme.add(`${acme.path}/roles`, {
    name: 'of one division',
    permissions: { divisions: { [other]: { permissions: ['info:read', 'environment:read'] } } },
  });
  const role = idFrom<RoleId>(added);
  const person = await acme.person([role]);
  const stream = await feed({ key: await person.token({ role_id: role }) });
  const bound = await feed({
    key: (await keyWith({ division: ['info:read', 'environment:read'] }, acme.division))[0],
  });
  await acme.add(`${acme.divisionPath}/environments`, { name: 'hidden' });
  const shown = await acme.add(`${acme.path}/divisions/${other}/environments`, { name: 'shown' });
  expect(await next(stream)).toBe(`created environment ${shown}`);
  expect(await next(bound)).toContain('created environment');
  await acme.admin.put(`${acme.path}/roles/${role}`, {
    permissions: { divisions: { [acme.division]: { permissions: ['environment:read'] } } },
  });
  expect(await next(stream)).toBe('reset rights_changed');
  await acme.add(`${acme.path}/divisions/${other}/environments`, { name: 'hidden' });
  const seen = await acme.add(`${acme.divisionPath}/environments`, { name: 'seen' });
  expect(await next(stream)).toBe(`created environment ${seen}`);
  expect(await next(bound)).toBe(`created environment ${seen}`);
});

test('ends with the key, and with the session', async () => {
  const [token, id] = await keyWith({ tenant: ['info:read'] });
  const stream = await feed({ key: token });
  await acme.admin.delete(`${acme.path}/api_keys/${id}`);
  const revoked = performance.now();
  expect(await stream.rest()).toEqual([{ event: 'end', data: { reason: 'forbidden' } }]);
  expect(performance.now() - revoked).toBeLessThan(5_000);
  const { owner, path } = await given.founder();
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const ofSession = await follow(`${second.url}${path}/events/stream`, { cookie });
  followed.push(ofSession);
  expect(ofSession.response.status).toBe(200);
  await owner.delete('/account/sign_out');
  expect(await ofSession.rest()).toEqual([{ event: 'end', data: { reason: 'forbidden' } }]);
});

test('is none for strangers and other tenants', async () => {
  const beta = await a.tenant();
  const path = `${acme.path}/events/stream`;
  expect(refusal(await client(second.url).get(path))).toBe('401 unauthenticated');
  expect(refusal(await beta.admin.get(path))).toBe('403 forbidden');
  const stream = await feed();
  await beta.add(`${beta.path}/divisions`, { name: 'theirs' });
  const own = await acme.add(`${acme.path}/divisions`, { name: 'ours' });
  expect(await next(stream)).toBe(`created division ${own}`);
});

test('has as many readers as there is room for, and gives places back', async () => {
  const own = await Promise.all(Array.from({ length: 4 }, () => feed()));
  expect(own.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
  const { response } = await feed();
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
  const keys = await Promise.all([1, 2, 3].map(() => keyWith({ tenant: ['info:read'] })));
  const others = [];
  for (const [key] of keys) others.push((await feed({ key })).response.status);
  expect(others).toEqual([200, 200, 503]);
  own[0]?.leave();
  await eventually(async () => expect((await feed()).response.status).toBe(200));
});

test('leaves out what a slow reader has not taken, and says so', async () => {
  const feeds = new ChangeFeeds({
    ...{ sql: sqlOf(pool), stopping: new AbortController().signal, metrics: new Registry(), kinds },
    environment: z.object(feedSettings).parse({}),
    document: await loadApiDocument(new URL('../../../openapi/', import.meta.url)),
    log: createLog('test', 'error'),
  });
  const gone = new AbortController();
  const caller = { permissions: {}, may: () => true } as never;
  const call = { caller, params: { tenant_id: acme.id }, lastEventId: undefined, signal: gone.signal };
  const { raw } = await feeds.answer({ ...call, allowed: () => Promise.resolve(caller) });
  const events = (raw!.content as AsyncGenerator<string>)[Symbol.asyncIterator]();
  await events.next();
  for (let round = 0; round < 4; round++)
    await pool.query(
      `INSERT INTO object_changes (tenant_id, kind, object_id, change)
       SELECT $1, 'member', number, 'updated' FROM generate_series(1, 600) AS number`,
      [acme.id],
    );
  let text = '';
  await eventually(async () => {
    text = String((await events.next()).value);
    expect(text).toContain('event: reset');
  });
  expect(text).toContain('too_slow');
  expect(text.split('event: change').length).toBeLessThan(1_001);
  gone.abort();
  expect((await events.next()).done).toBe(true);
});
