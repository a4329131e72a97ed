import type { ConfigValue } from '@sluice/contracts';
import { RecordingServer } from '../../test/fixtures/http-server.ts';
import { startInfluxdb, type TestInfluxdb } from '../../test/fixtures/influxdb.ts';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { ConfigRefused, TryLater, type Sink } from '../plugin.ts';
import { influxdbSink } from './influxdb-sink.ts';

const open: Sink[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

async function aSink(values: Record<string, ConfigValue>): Promise<Sink> {
  const config = configOf(influxdbSink, { bucket: 'shop', measurement: 'orders', ...values });
  const sink = await influxdbSink.open(config, await testContext());
  open.push(sink);
  return sink;
}

const published = '1772366400000000000';

describe('what is sent', () => {
  const server = new RecordingServer();
  beforeEach(() => {
    server.received.length = 0;
    server.answers(204);
  });
  /** the line of a message; what is rejected instead */
  const lineOf = async (payload: unknown, values: Record<string, ConfigValue> = {}, more = {}) => {
    const sink = await aSink({ url: server.url, ...values });
    const [rejected] = await sink.write([aMessage(payload, more)], unending());
    return rejected ? rejected.reason : server.received.at(-1)?.body.slice(0, -1);
  };

  test('goes to a bucket with a token, or to a database with a login', async () => {
    const v2 = await aSink({ url: `${server.url}/db/`, org: 'acme & co', token: 's3cret-token' });
    const v1 = { api: 'v1', retention_policy: 'week', username: 'ada', password: 's3cret' };
    for (const sink of [v2, await aSink({ url: server.url, ...v1 })])
      expect(await sink.write([aMessage({ n: 1 })], unending())).toEqual([]);
    expect(server.received).toMatchObject([
      {
        method: 'POST',
        path: '/db/api/v2/write?bucket=shop&org=acme+%26+co&precision=ns',
        headers: { authorization: 'Token s3cret-token' },
      },
      {
        path: '/write?db=shop&rp=week&precision=ns',
        headers: { authorization: `Basic ${Buffer.from('ada:s3cret').toString('base64')}` },
      },
    ]);
  });

  test('what the payload has becomes fields, with numbers as they were written', async () => {
    const payload = Buffer.from(
      '{"n": 9007199254740993, "f": 1.50, "on": true, "text": "a \\"b\\"\\n", "o": {}, "x": null}',
    );
    expect(await lineOf(payload)).toBe(
      `orders n=9007199254740993,f=1.50,on=true,text="a \\"b\\"\n" ${published}`,
    );
  });

  test('tags, fields and the time are taken from where the configuration says', async () => {
    const values = {
      measurement: '{stream} of {topic}',
      tags: [
        'region=payload.customer.region',
        'via=headers.Via',
        'topic=topic',
        'none=payload.none',
        'empty=payload.empty',
      ],
      fields: ['amount=payload.amount', 'items=payload.items', 'id=id'],
      integers: ['items'],
      timestamp: 'payload.at',
    };
    const payload = {
      customer: { region: 'a, b=c' },
      amount: 2.5,
      items: 3,
      at: 1_772_366_400_123,
      empty: '',
    };
    expect(await lineOf(payload, values, { id: 'm1', headers: { via: 'x y' } })).toBe(
      'orders\\ of\\ orders.new,region=a\\,\\ b\\=c,via=x\\ y,topic=orders.new amount=2.5,items=3i,id="m1" 1772366400123000000',
    );
    expect(await lineOf({ n: 1, at: 7, t: 'x' }, { tags: ['t=payload.t'], timestamp: 'payload.at' })).toBe(
      'orders,t=x n=1 7000000',
    );
  });

  test.each([
    ['s', '1772366400', '1772366400000000000'],
    ['s', '1772366400.1234567891', '1772366400123456789'],
    ['ns', '1772366400123456789', '1772366400123456789'],
    ['us', '-1.5', '-1500'],
    ['ms', '"2026-03-01T12:00:00Z"', '1772366400000000000'],
    ['ms', '"2026-03-01T13:00:00.123456789+01:00"', '1772366400123456789'],
    ['ms', '"1969-12-31T23:59:59.5Z"', '-500000000'],
    ['ms', '"yesterday"', 'It has no time at payload.at'],
    ['ms', '1e12', 'It has no time at payload.at'],
    ['ms', 'null', 'It has no time at payload.at'],
  ])('a time in %s as %s is %s', async (timestamp_unit, at, expected) => {
    const line = await lineOf(Buffer.from(`{"n":1,"at":${at}}`), { timestamp: 'payload.at', timestamp_unit });
    expect(line?.replace('orders n=1 ', '')).toBe(expected);
  });

  test.each([
    [{ n: {} }, {}, 'It has no field'],
    ['text', {}, 'It has no field'],
    [Buffer.from('{'), {}, 'It has no field'],
    [{ n: 1, t: 'x\\' }, { tags: ['t=payload.t'] }, 'backslash'],
    [{ 'n\\': 1 }, {}, 'backslash'],
    [{ n: 1.5 }, { integers: ['n'] }, 'n is no integer'],
  ])('%j can be no point', async (payload, values, reason) => {
    expect(await lineOf(payload, values)).toContain(reason);
    expect(server.received).toEqual([]);
  });

  test.each([
    ['tags', 'region'],
    ['tags', 'region=payload'],
    ['fields', 'n=payload..n'],
    ['fields', 'n=published_at'],
    ['fields', 'n=id.x'],
  ])('%s are not %s', async (key, line) => {
    await expect(aSink({ url: server.url, [key]: [line] })).rejects.toThrow(ConfigRefused);
  });

  const noOrg = '{"code":"invalid","message":"Please provide either orgID or org"}';
  test.each([
    ...[200, 401, 404, 429, 500, 503].map(
      (status) => [status, 'no s3cret-token here', 'no *** here'] as const,
    ),
    [400, noOrg, noOrg] as const,
  ])('an answer of %i %j is about all: it is tried again', async (status, body, told) => {
    server.answers(status, body, { 'retry-after': '3' });
    const sink = await aSink({ url: server.url, token: 's3cret-token' });
    const failed: unknown = await sink
      .write([aMessage({ n: 1 })], unending())
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TryLater);
    expect(String(failed)).toContain(`answered ${status} ${told}`);
  });

  test('points that InfluxDB 3 refuses are found by halving, and one that is too large for it', async () => {
    server.answer = ({ body }, response) => {
      if (body.includes('x=1'))
        return response.writeHead(400).end('{"error":"partial write of line protocol occurred"}');
      return response.writeHead(body.length > 500 ? 413 : 204).end();
    };
    const payloads = [{ n: 1 }, { x: 1 }, { n: 2 }, { text: 'y'.repeat(500) }, { n: 3 }];
    const batch = payloads.map((payload, at) => aMessage(payload, { id: `m${at}` }));
    expect(await (await aSink({ url: server.url })).write(batch, unending())).toEqual([
      { id: 'm1', reason: 'The server answered 400 {"error":"partial write of line protocol occurred"}' },
      { id: 'm3', reason: 'The server answered 413' },
    ]);
  });
});

describe('on a server', () => {
  let started: TestInfluxdb | null = null;
  beforeAll(async () => {
    started = await startInfluxdb();
  });
  afterAll(() => started?.remove());

  const onServer = (name: string, work: (server: TestInfluxdb) => Promise<void>) =>
    test(name, async () => {
      if (started) await work(started);
    });
  const loginOf = ({ url, password }: TestInfluxdb) => ({ url, api: 'v1', username: 'ada', password });

  onServer('points are there once, with what they were made of', async (server) => {
    const batch = ['a, b=c', 'x\\y "z"', 'ü\n'].map((t, at) =>
      aMessage({ t, text: `${t}\\`, n: at }, { published_ns: BigInt(published) + BigInt(at) }),
    );
    const values = { ...loginOf(server), measurement: 'm, 1', tags: ['t=payload.t'], integers: ['n'] };
    for (let again = 0; again < 2; again++)
      expect(await (await aSink(values)).write(batch, unending())).toEqual([]);
    const rows = await server.query('SELECT * FROM "m, 1"');
    expect(rows.map(({ t, text, n }) => [t, text, n])).toEqual([
      ['a, b=c', 'a, b=c\\', 0],
      ['x\\y "z"', 'x\\y "z"\\', 1],
      // a tag cannot have the end of a line
      ['ü\\n', 'ü\n\\', 2],
    ]);
  });

  onServer('what the server refuses of a batch is rejected, and all else is there', async (server) => {
    const batch = [{ n: 1 }, { n: 'text' }, { n: 3 }, { time: 4 }, { n: 5 }].map((payload, at) =>
      aMessage(payload, { id: `m${at}`, published_ns: BigInt(published) + BigInt(at) }),
    );
    const sink = await aSink({ ...loginOf(server), measurement: 'picky' });
    expect(await sink.write(batch, unending())).toEqual([
      { id: 'm1', reason: expect.stringContaining('field type conflict') as string },
      { id: 'm3', reason: expect.stringContaining('invalid field name') as string },
    ]);
    expect((await server.query('SELECT n FROM picky')).map(({ n }) => n)).toEqual([1, 3, 5]);
  });

  onServer('a database that is missing and a wrong password are waited for', async (server) => {
    for (const [values, said] of [
      [{ bucket: 'missing' }, '404'],
      [{ password: 'wrong-password' }, '401'],
    ] as const)
      await expect(
        (await aSink({ ...loginOf(server), ...values })).write([aMessage({ n: 1 })], unending()),
      ).rejects.toThrow(`answered ${said}`);
  });
});
