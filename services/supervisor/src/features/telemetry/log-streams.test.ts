import { idOf, keyGrantKey, tokenHash, type DeploymentId, type TenantId } from '@sluice/contracts';
import { createLog } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import {
  client,
  follow as followEvents,
  insertInitialized,
  putGrant,
  type SimulatedNode,
  type TestReplica,
} from '@sluice/testing';
import pg from 'pg';
import { aLine, tellingAgent } from '#test/telemetry.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import { supervisor } from '#test/region.ts';
import type { Tables } from '@sluice/region-store/tables';
import { logStreams } from './log-streams.ts';

const region = supervisor();
let replicas: TestReplica[];
let pool: pg.Pool;
let key: string;
let node: SimulatedNode;
let agent: ReturnType<typeof tellingAgent>;
let firstId = 2_000_000;

beforeAll(async () => {
  const parts = { drivers: simulatedDrivers({ runningFrom: 1 }) };
  replicas = await Promise.all([region.startWith(parts), region.startWith(parts)]);
  pool = new pg.Pool({ connectionString: region.databaseUrl, max: 3 });
  region.onClose(() => pool.end());
});

beforeEach(async () => {
  firstId += 1_000;
  [node] = (await insertInitialized(pool, 1, { firstId })) as [SimulatedNode];
  // as if it had been created before its first lines were written
  await region.sql(
    `UPDATE deployments SET spec = spec || jsonb_build_object('created_at', now() - interval '1 day') WHERE id = $1`,
    [node.id],
  );
  key = await region.key('admin', { tenant_id: tenant() });
  agent = tellingAgent(replicas[0]!.url, node);
});

const tenant = () => idOf<TenantId>(1 + (firstId % 100));

/** Follows the logs as a client does. */
const follow = (query = '', replica = replicas[1]!, who = key) =>
  followEvents(`${replica.url}/deployments/${node.id}/logs/stream${query}`, { 'svc-api-key': who });

test('lines are followed on another replica than the one that takes them in, each once', async () => {
  await agent.tell({ lines: [aLine(1, 'before')] });
  const all = await follow();
  const some = await follow('?level=warn&message=DISK');
  expect(all.response.headers.get('content-type')).toBe('text/event-stream');
  await agent.tell({
    lines: [aLine(1, 'one'), aLine(0, 'two on disk'), aLine(0, 'disk full', { level: 'error' })],
  });
  const told = [await all.next(), await all.next(), await all.next()];
  expect(told.map((event) => event?.data['message'])).toEqual(['one', 'two on disk', 'disk full']);
  expect((await some.next())?.data).toMatchObject({
    message: 'disk full',
    node_id: node.id,
    runtime: 'broker',
  });
  await agent.tell({ lines: [aLine(0, 'three')] });
  expect((await all.next())?.data['message']).toBe('three');
  all.leave();
  some.leave();
});

test('lines that come out of their order are followed, too', async () => {
  const stream = await follow();
  const elsewhere = await pool.connect();
  const insert = `INSERT INTO telemetry_lines (deployment_id, at, node_id, runtime, instance_id, level, message)
                  VALUES ($1, now(), $1, 'broker', 0, 'info', $2)`;
  await elsewhere.query('BEGIN');
  await elsewhere.query(insert, [node.id, 'first']);
  await pool.query(insert, [node.id, 'second']);
  expect((await stream.next())?.data['message']).toBe('second');
  await elsewhere.query('COMMIT');
  elsewhere.release();
  expect((await stream.next())?.data['message']).toBe('first');
  stream.leave();
});

test('a stream ends with the right to read it', async () => {
  const stream = await follow();
  const other = await follow('', replicas[1], await region.key('admin', { tenant_id: tenant() }));
  await putGrant(
    { nats: region.nats, topology: region.topology },
    keyGrantKey(tenant(), tokenHash(key)),
    null,
  );
  expect(await stream.rest()).toEqual([{ event: 'end', data: { reason: 'forbidden' } }]);
  await agent.tell({ lines: [aLine(0, 'later')] });
  expect((await other.next())?.data['message']).toBe('later');
  other.leave();
});

test('a stream ends with the deployment', async () => {
  const stream = await follow();
  await region.sql('DELETE FROM deployments WHERE id = $1', [node.id]);
  expect(await stream.rest()).toEqual([{ event: 'end', data: { reason: 'deleted' } }]);
});

test('who does not read is cut, and nobody waits for that', async () => {
  const database = openKysely<Tables>(pool);
  const streams = logStreams({
    database,
    stopping: new AbortController().signal,
    log: createLog('test', 'error'),
  });
  const gone = new AbortController();
  const open = () =>
    streams.open(idOf<DeploymentId>(node.id), {}, { allowed: () => Promise.resolve(), gone: gone.signal });
  const [slow, quick] = [await open(), await open()];
  await quick.next();
  const insert = `INSERT INTO telemetry_lines (deployment_id, at, node_id, runtime, instance_id, level, message)
                  SELECT $1, now(), $1, 'broker', 0, 'info', 'x' FROM generate_series(1, 500)`;
  const linesIn = (text: unknown) => String(text).split('event: line').length - 1;
  for (let read = 0, round = 1; round <= 5; round++) {
    await pool.query(insert, [node.id]);
    while (read < round * 500) read += linesIn((await quick.next()).value);
  }
  const events: string[] = [];
  for await (const text of slow) events.push(text);
  expect(events.at(-1)).toContain('too_slow');
  expect(linesIn(events.join(''))).toBeLessThan(2_001);
  gone.abort();
  expect((await quick.next()).done).toBe(true);
});

test('a deployment has as many streams as a replica has room for', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow()));
  expect(streams.map(({ response }) => response.status)).toEqual(Array<number>(20).fill(200));
  const { response } = await follow();
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
  expect((await follow('', replicas[0])).response.status).toBe(200);
  for (const stream of streams) stream.leave();
  // there is room again once they are gone
  let answer = await follow();
  while (answer.response.status === 429) answer = await follow();
  expect(answer.response.status).toBe(200);
  answer.leave();
});

test('who asks for the head alone gets that alone', async () => {
  const path = `/deployments/${node.id}/logs/stream`;
  const answer = await client(replicas[1]!.url, key).request('HEAD', path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

test('a service that stops tells those who follow', async () => {
  const replica = await region.startWith({ drivers: simulatedDrivers({ runningFrom: 1 }) });
  const stream = await follow('', replica);
  const stopped = replica.stop();
  expect(await stream.rest()).toEqual([{ event: 'end', data: { reason: 'stopping' } }]);
  await stopped;
});
