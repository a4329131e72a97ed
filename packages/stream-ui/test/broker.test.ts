import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headers } from '@nats-io/nats-core';
import { startNats } from '@sluice/embedded';
import { newestMessages, readMessage, storedMessages, type StoredMessage } from '@sluice/streams';
import { eventually, freePorts } from '@sluice/testing';
import { cutsOf } from '../src/broker/cuts.ts';
import { exportMessages } from '../src/broker/export.ts';
import { resetEffect } from '../src/broker/resets.ts';
import { scan } from '../src/broker/scan.ts';
import { explained, openBroker, type Broker } from '../src/broker/session.ts';
import { readSubjects } from '../src/broker/subjects.ts';
import { tailStep } from '../src/broker/tail.ts';
import { publishMany } from '../src/broker/publish.ts';
import { readPage } from '../src/broker/page.ts';
import { mostKept } from '../src/lib/payload.ts';
import { searchOf, type SearchKind } from '../src/lib/search.ts';

const login = { username: 'user', password: 'secret' };
let folder: string;
let server: Awaited<ReturnType<typeof startNats>>;
let url: string;
let broker: Broker;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-stream-ui-'));
  const port = await freePorts(1);
  const configuration = {
    authorization: { user: login.username, password: login.password },
    websocket: { listen: `127.0.0.1:${port}`, no_tls: true },
    max_payload: 8 * 2 ** 20,
  };
  server = await startNats({ folder, configuration });
  url = `ws://127.0.0.1:${port}`;
  broker = await openBroker({ url, login });
}, 60_000);
afterAll(async () => {
  await broker.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A stream with messages of `<name>.0` to `<name>.4` in turn. */
async function stream(name: string, count: number, config: object = {}) {
  await broker.manager.streams.add({ name, subjects: [`${name}.>`], allow_direct: true, ...config });
  for (let index = 0; index < count; index++)
    await broker.client.publish(`${name}.${index % 5}`, JSON.stringify({ index }));
  return await broker.manager.streams.info(name);
}
async function all(messages: AsyncIterable<StoredMessage>): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  for await (const message of messages) found.push(message);
  return found;
}
const signal = () => new AbortController().signal;
const sequences = (messages: readonly StoredMessage[]) => messages.map(({ sequence }) => sequence);

test('a login that is not the deployment’s, and a broker that is not there, are said in words', async () => {
  await expect(openBroker({ url, login: { ...login, password: 'wrong' } })).rejects.toMatchObject({
    code: 'login_refused',
  });
  const port = await freePorts(1);
  await expect(openBroker({ url: `ws://127.0.0.1:${port}`, login })).rejects.toMatchObject({
    code: 'broker_unreachable',
  });
});

test.each([true, false])(
  'messages are read by range and subject without a consumer (direct: %s)',
  async (direct) => {
    const name = `read-${direct}`;
    const info = await stream(name, 12, { allow_direct: direct });
    expect(sequences(await all(storedMessages(broker, info, { first: 3, last: 6 })))).toEqual([3, 4, 5, 6]);
    const ofOne = { first: 1, last: 12, subject: `${name}.1` };
    expect(sequences(await all(storedMessages(broker, info, ofOne)))).toEqual([2, 7, 12]);
    expect(sequences(await newestMessages(broker, info, { first: 1, last: 11 }, 3))).toEqual([9, 10, 11]);
    expect(sequences(await newestMessages(broker, info, ofOne, 2))).toEqual([7, 12]);
    expect((await broker.manager.streams.info(name)).state.consumer_count).toBe(0);
  },
);

test.each([true, false])(
  'messages of a stream that was deleted, and made again, are not taken for those of the former one (direct: %s)',
  async (direct) => {
    const name = `again-${direct}`;
    const former = await stream(name, 3, { allow_direct: direct });
    await broker.manager.streams.delete(name);
    const read = () => all(storedMessages(broker, former, { first: 1, last: 3 }));
    const deleted = { code: 'stream_deleted' };
    expect(explained(await read().catch((error: unknown) => error))).toMatchObject(deleted);
    await stream(name, 3, { allow_direct: direct });
    expect(explained(await read().catch((error: unknown) => error))).toMatchObject(deleted);
  },
);

test('a work queue is looked at, and keeps what it has', async () => {
  const info = await stream('work', 4, { retention: 'workqueue' });
  expect(await all(storedMessages(broker, info, { first: 1, last: 4 }))).toHaveLength(4);
  expect((await broker.manager.streams.info('work')).state.messages).toBe(4);
});

test('of a large message the beginning is kept, and the whole is there when it is asked for', async () => {
  await stream('large', 0);
  const data = new Uint8Array(5 * 2 ** 20).fill(65);
  const about = headers();
  about.append('trace', 'abc');
  await broker.client.publish('large.1', data, { headers: about });
  const info = await broker.manager.streams.info('large');
  const [message] = await newestMessages(broker, info, { first: 1, last: 1 }, 1, mostKept);
  expect(message).toMatchObject({ size: data.length, headers: { trace: ['abc'] } });
  expect(message?.data.length).toBe(mostKept);
  expect((await readMessage(broker, 'large', { seq: 1 }))?.data.length).toBe(data.length);
  const { parts, count } = await exportMessages(
    broker,
    info,
    { first: 1, last: 1 },
    signal(),
    () => undefined,
  );
  const line = JSON.parse(await new Blob(parts).text()) as { data: string };
  expect([count, line.data.length]).toEqual([1, data.length]);
});

test('a live tail shows what can be read, and counts the rest', async () => {
  await stream('live', 3);
  const first = await tailStep(broker, 'live', undefined);
  expect(first).toMatchObject({ messages: [], dropped: 0, place: { next: 4 } });
  for (let index = 0; index < 50; index++) await broker.client.publish(`live.${index % 5}`, 'x');
  const { messages, dropped, place } = await tailStep(broker, 'live', first.place);
  expect([messages.length, dropped, place.next]).toEqual([20, 30, 54]);
  expect(messages.at(-1)?.sequence).toBe(53);
  const ofOne = await tailStep(broker, 'live', first.place, 'live.2');
  expect([ofOne.messages.length, ofOne.dropped]).toEqual([10, 0]);
  await broker.manager.streams.delete('live');
  await stream('live', 60);
  const other = await tailStep(broker, 'live', place);
  expect(other).toMatchObject({ isOther: true, dropped: 40, place: { next: 61 } });
});

test('of large messages a page has fewer, and what has not changed is not read again', async () => {
  await stream('heavy', 10);
  const data = new Uint8Array(6 * 2 ** 20).fill(65);
  for (let index = 0; index < 6; index++) await broker.client.publish('heavy.1', data);
  const read = async (former?: Awaited<ReturnType<typeof readPage>>) => {
    const before = broker.connection.stats().inBytes;
    const page = await readPage(broker, 'heavy', {}, '', former);
    return { page, bytes: broker.connection.stats().inBytes - before };
  };
  const first = await read();
  expect(sequences(first.page.messages)[0]).toBe(16);
  expect(first.page.messages.length).toBeLessThan(6);
  expect(first.bytes).toBeLessThan(64 * 2 ** 20);
  const second = await read(first.page);
  expect(second.page.messages).toBe(first.page.messages);
  expect(second.bytes).toBeLessThan(10_000);
  await broker.client.publish('heavy.1', 'x');
  const third = await read(second.page);
  expect(sequences(third.page.messages)).toEqual([17, ...sequences(first.page.messages)]);
  expect(third.bytes).toBeLessThan(10_000);
  await broker.manager.streams.deleteMessage('heavy', 16);
  expect(sequences((await read(third.page)).page.messages).slice(0, 2)).toEqual([17, 15]);
});

test('a smaller limit says which messages it deletes, and a larger one says nothing', async () => {
  const info = await stream('cuts', 10, { max_msgs: 100 });
  const { deleted } = await cutsOf(broker, info, { ...info.config, max_msgs: 4 });
  expect(deleted).toEqual(['The most messages: the oldest 6 messages are deleted.']);
  expect(await cutsOf(broker, info, { ...info.config, max_msgs: 1000 })).toEqual({
    deleted: [],
    remarks: [],
  });
  const refuses = await cutsOf(broker, info, { ...info.config, max_msgs: 4, discard: 'new' });
  expect(refuses).toEqual({ deleted: [], remarks: ['New messages are refused: there are 10 messages.'] });
  const other = await cutsOf(broker, info, { ...info.config, subjects: ['other'] });
  expect(other.remarks[0]).toMatch(/^Messages of cuts\.> stay/);
});

test('a reset says what it repeats and skips, and loses nothing of a work queue', async () => {
  const info = await stream('resets', 10);
  await broker.manager.consumers.add('resets', { durable_name: 'reader', ack_policy: 'none' });
  const consumer = await broker.client.consumers.get('resets', 'reader');
  const batch = await consumer.fetch({ max_messages: 6 });
  for await (const message of batch) message.ack();
  const at = await broker.manager.consumers.info('resets', 'reader');
  expect((await resetEffect(broker, info, at, 3)).effect).toMatch(/^This repeats 4 messages from sequence 3/);
  expect((await resetEffect(broker, info, at, 9)).effect).toMatch(/^This skips 2 messages/);
  const queue = { ...info, config: { ...info.config, retention: 'workqueue' as const } };
  expect((await resetEffect(broker, queue, at, 9)).refused).toMatch(/would be lost/);
});

const lookIn = async (name: string, kind: SearchKind, expression: string, given = signal()) => {
  const info = await broker.manager.streams.info(name);
  const matches = await searchOf(kind, expression);
  const fits = (messages: readonly StoredMessage[]) => Promise.resolve(messages.map(matches));
  const range = { first: 1, last: info.state.last_seq };
  return await scan(broker, info, range, fits, given, () => undefined);
};

test('a search finds by text and by expressions, and stops when it is told to', async () => {
  await stream('search', 20);
  const look = async (kind: SearchKind, expression: string) =>
    sequences((await lookIn('search', kind, expression)).found);
  expect(await look('text', '"INDEX":7')).toEqual([8]);
  expect(await look('regexp', '"index":1?7\\b')).toEqual([8, 18]);
  expect(await look('jmespath', 'data.index >= `18`')).toEqual([19, 20]);
  const stopped = await lookIn('search', 'text', 'index', AbortSignal.abort());
  expect(stopped).toMatchObject({ found: [], next: 1 });
});

test('a search looks at whole payloads, keeps their beginnings, and goes on where it had found enough', async () => {
  await stream('deep', 0);
  const data = Buffer.alloc(3 * 2 ** 20, 'a');
  data.write('needle', 2 * 2 ** 20);
  await broker.client.publish('deep.1', data);
  const { found, looked, next } = await lookIn('deep', 'regexp', 'ne{2}dle');
  expect(found).toMatchObject([{ sequence: 1, size: data.length, data: { length: mostKept } }]);
  expect([looked.bytes, next]).toEqual([data.length, null]);
  for (let index = 0; index < 210; index++) broker.connection.publish('deep.2', 'x');
  await eventually(async () => expect((await broker.manager.streams.info('deep')).state.last_seq).toBe(211));
  const enough = await lookIn('deep', 'text', 'x');
  expect([enough.found.length, enough.next]).toEqual([200, 202]);
});

test('subjects are read by a filter, in one answer that says how many there are', async () => {
  await stream('subjects', 10);
  const { counts, total } = await readSubjects(broker, 'subjects');
  expect([counts.length, total, Object.fromEntries(counts)['subjects.4']]).toEqual([5, 5, 2]);
  expect(await readSubjects(broker, 'subjects', 'subjects.3')).toEqual({
    counts: [['subjects.3', 2]],
    total: 1,
  });
  expect(await readSubjects(broker, 'subjects', 'other.>')).toEqual({ counts: [], total: 0 });
  await expect(readSubjects(broker, 'none')).rejects.toThrow(/not found/);
});

test('messages of a template are published at their rate, until the run is stopped or one is refused', async () => {
  await stream('runs', 0, { max_msgs_per_subject: 3, discard: 'new', discard_new_per_subject: true });
  const template = { subject: 'runs.{{counter}}', headers: 'n: {{counter 7}}', payload: '{"id":"{{uuid}}"}' };
  const seen: number[] = [];
  const begun = performance.now();
  const done = await publishMany(broker, template, { count: 11, perSecond: 50 }, signal(), (n) =>
    seen.push(n),
  );
  expect(performance.now() - begun).toBeGreaterThan(190);
  expect([done, seen.at(-1)]).toEqual([{ stored: 11, duplicates: 0 }, 11]);
  expect(await readMessage(broker, 'runs', { last_by_subj: 'runs.11' })).toMatchObject({
    headers: { n: ['17'] },
  });
  const stop = new AbortController();
  const stopped = await publishMany(broker, template, { count: 5_000, perSecond: 200 }, stop.signal, (n) => {
    if (n === 5) stop.abort();
  });
  expect(stopped.stored).toBeLessThan(30);
  const same = { ...template, subject: 'runs.same' };
  await expect(
    publishMany(broker, same, { count: 500, perSecond: 200 }, signal(), () => undefined),
  ).rejects.toThrow(/maximum/);
  const known = { ...template, subject: 'runs.known', headers: 'Nats-Msg-Id: one' };
  expect(await publishMany(broker, known, { count: 3, perSecond: 100 }, signal(), () => undefined)).toEqual({
    stored: 1,
    duplicates: 2,
  });
  await expect(
    publishMany(
      broker,
      { ...known, subject: 'nobody' },
      { count: 3, perSecond: 100 },
      signal(),
      () => undefined,
    ),
  ).rejects.toMatchObject({ code: 'no_stream' });
});

test('a session that is closed here has not ended by itself', async () => {
  const ends: unknown[] = [];
  const session = await openBroker({ url, login, onEnd: (end) => ends.push(end) });
  await session.close();
  expect(ends).toEqual([]);
});
