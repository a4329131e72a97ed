import type { ConfigValue } from '@sluice/contracts';
import { startClickhouse, type TestClickhouse } from '../../test/fixtures/clickhouse.ts';
import { RecordingServer, type ReceivedRequest } from '../../test/fixtures/http-server.ts';
import { aMessage, configOf, testContext, unending, type TestContext } from '../../test/fixtures/plugin.ts';
import { TryLater, type PluginContext, type Sink } from '../plugin.ts';
import { clickhouseSink } from './clickhouse-sink.ts';

const open: Sink[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

async function aSink(values: Record<string, ConfigValue>, context?: PluginContext): Promise<Sink> {
  const config = configOf(clickhouseSink, { table: 'orders', ...values });
  const sink = await clickhouseSink.open(config, context ?? (await testContext()));
  open.push(sink);
  return sink;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => aMessage({ n: at + 1 }, { id: `m${at + 1}` }));

describe('by answers as servers of 26.9 give them', () => {
  const server = new RecordingServer();
  /** the numbers in each insert */
  const inserts: number[][] = [];
  const parameters: URLSearchParams[] = [];
  let refuse: (numbers: number[], request: ReceivedRequest) => [status: number, body: string] = () => [
    200,
    '',
  ];
  let settings = 'async_insert\ninsert_deduplication_token\n';

  beforeEach(() => {
    inserts.length = parameters.length = server.received.length = 0;
    refuse = () => [200, ''];
    settings = 'async_insert\ninsert_deduplication_token\n';
    server.answer = (request, response) => {
      if (request.body.startsWith('SELECT')) return response.end(settings);
      const numbers = [...request.body.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));
      inserts.push(numbers);
      parameters.push(new URLSearchParams(request.path.split('?')[1]));
      const [status, body] = refuse(numbers, request);
      response.writeHead(status).end(body);
    };
  });

  const refusal = (code: number, about: string) =>
    [400, `Code: ${code}. DB::Exception: ${about}. (NAME) (version 26.9.2.1)\n`] as [number, string];
  /** names the first row with a number of these */
  const refuseNumbers = (bad: readonly number[], isNamed: boolean) => {
    refuse = (numbers) => {
      const place = numbers.findIndex((n) => bad.includes(n)) + 1;
      return place === 0 ? [200, ''] : refusal(27, `Cannot parse${isNamed ? `: (at row ${place})` : ''}`);
    };
  };

  test('a batch is one insert, whose answer means that its rows are there', async () => {
    const sink = await aSink({
      ...{ url: `${server.url}/proxy/?team=a`, username: 'ada', password: 's3cret-word' },
      ...{ database: 'shop', id_column: 'id' },
    });
    const batch = [
      aMessage(Buffer.from('{\n"n": 9007199254740993}'), { id: 'a"1' }),
      aMessage(Buffer.from(' { } '), { id: 'b' }),
    ];
    expect(await sink.write(batch, unending())).toEqual([]);
    expect(server.received[1]).toMatchObject({
      method: 'POST',
      path: expect.stringMatching(/^\/proxy\/\?team=a&/) as string,
      headers: { authorization: `Basic ${Buffer.from('ada:s3cret-word').toString('base64')}` },
      body: '{"id":"a\\"1","n": 9007199254740993}\n{"id":"b"}\n',
    });
    expect(Object.fromEntries(parameters[0] ?? [])).toEqual({
      ...{ team: 'a', query: 'INSERT INTO `shop`.`orders` FORMAT JSONEachRow', wait_end_of_query: '1' },
      ...{ async_insert: '0', date_time_input_format: 'best_effort', input_format_skip_unknown_fields: '0' },
      insert_deduplication_token: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test('the same batch of an instance has the same token, also after a restart, and no other has it', async () => {
    const batch = numbered(3);
    const context = await testContext();
    const sinks = [await aSink({ url: server.url }, context), await aSink({ url: server.url }, context)];
    for (const sink of [...sinks, await aSink({ url: server.url })]) await sink.write(batch, unending());
    await sinks[0]?.write(batch.slice(1), unending());
    const [first, ...others] = parameters.map((one) => one.get('insert_deduplication_token'));
    expect(others.map((one) => one === first)).toEqual([true, false, false]);
  });

  test('an attempt whose answer was lost is repeated with its token', async () => {
    const sink = await aSink({ url: server.url });
    const answer = server.answer;
    server.answer = (request, response) =>
      request.body.startsWith('SELECT') ? answer(request, response) : response.destroy();
    await expect(sink.write(numbered(3), unending())).rejects.toThrow();
    const lost = new URLSearchParams(server.received[1]?.path.split('?')[1]);
    server.answer = answer;
    expect(await sink.write(numbered(3), unending())).toEqual([]);
    expect(parameters[0]?.get('insert_deduplication_token')).toBe(lost.get('insert_deduplication_token'));
  });

  test('rows that the server names are tried by themselves, and the others stay one insert', async () => {
    refuseNumbers([2, 5], true);
    const batch = [...numbered(6), aMessage('text', { id: 'text' })];
    const reason =
      'The server answered 400 Code: 27. DB::Exception: Cannot parse: (at row 1). (NAME) (version 26.9.2.1)';
    expect(await (await aSink({ url: server.url })).write(batch, unending())).toEqual([
      { id: 'm2', reason },
      { id: 'm5', reason },
      { id: 'text', reason: 'The payload is not a JSON object' },
    ]);
    expect(inserts).toEqual([[1, 2, 3, 4, 5, 6], [2], [1, 3, 4, 5, 6], [5], [1, 3, 4, 6]]);
  });

  test('rows that it does not name, and those of many, are found by halving', async () => {
    refuseNumbers([2], false);
    const rejected = await (await aSink({ url: server.url })).write(numbered(4), unending());
    expect(rejected.map(({ id }) => id)).toEqual(['m2']);
    expect(inserts).toEqual([[1, 2, 3, 4], [1, 2], [1], [2], [3, 4]]);
    inserts.length = 0;
    refuseNumbers(
      numbered(200).map((_, at) => at + 1),
      true,
    );
    expect(await (await aSink({ url: server.url })).write(numbered(200), unending())).toHaveLength(200);
    // all of the rest goes over the wire twenty times, and then a share of it
    expect(inserts.flat().length).toBeLessThan(20 * 200 + 200 * 10);
  });

  test('rows of more partitions than one insert may have go in several', async () => {
    refuse = (numbers) =>
      numbers.length > 2
        ? refusal(252, 'Too many partitions for single INSERT block (more than 100)')
        : [200, ''];
    expect(await (await aSink({ url: server.url })).write(numbered(4), unending())).toEqual([]);
    expect(inserts).toEqual([
      [1, 2, 3, 4],
      [1, 2],
      [3, 4],
    ]);
  });

  test.each([
    refusal(252, 'Too many parts (300). Merges are processing significantly slower than inserts'),
    refusal(60, 'Table shop.orders does not exist'),
    refusal(516, 'ada: Authentication failed'),
    [503, 'no'] as [number, string],
    [400, 'no'] as [number, string],
    [200, '<html>Welcome</html>'] as [number, string],
    [200, 'Code: 27. DB::Exception: Cannot parse: (at row 1)'] as [number, string],
  ])('an answer of %i %j is about all: it is tried again', async (status, body) => {
    refuse = () => [status, body];
    const sink = await aSink({ url: server.url });
    await expect(sink.write(numbered(2), unending())).rejects.toThrow(`answered ${status} ${body.trim()}`);
    refuse = () => [200, ''];
    expect(await sink.write(numbered(2), unending())).toEqual([]);
    expect(inserts).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test('what the server repeats of a secret is masked, and its pause is kept', async () => {
    server.answer = (_, response) =>
      response.writeHead(429, { 'retry-after': '3' }).end('no s3cret-word here');
    const sink = await aSink({ url: server.url, username: 'ada', password: 's3cret-word' });
    const failed: unknown = await sink.write(numbered(1), unending()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TryLater);
    expect(String(failed)).toContain('answered 429 no *** here');
  });

  test.each(['<html>', 'a\nb'])(
    'what answers %j to a question for settings is no such server',
    async (body) => {
      settings = body;
      await expect((await aSink({ url: server.url })).write(numbered(1), unending())).rejects.toThrow(
        'answered 200',
      );
    },
  );
});

describe('on a server', () => {
  let started: TestClickhouse | null = null;
  beforeAll(async () => {
    started = await startClickhouse();
  });
  afterAll(() => started?.remove());

  const onServer = (name: string, work: (server: TestClickhouse, context: TestContext) => Promise<void>) =>
    test(name, async () => {
      if (started) await work(started, await testContext());
    });
  const loginOf = ({ url, password }: TestClickhouse) => ({ url, username: 'default', password });

  onServer(
    'messages become rows, with their id, and numbers as they were written',
    async (server, context) => {
      await server.query(
        'CREATE TABLE numbered (n UInt64, id String, at DateTime) ENGINE = MergeTree ORDER BY n',
      );
      const values = { table: 'numbered', id_column: 'id', database: 'default' };
      const batch = [
        aMessage(Buffer.from('{"n": 9007199254740993, "at": "2026-03-01T12:00:00.123Z"}'), { id: 'a' }),
        aMessage({}, { id: 'b' }),
      ];
      expect(
        await (await aSink({ ...loginOf(server), ...values }, context)).write(batch, unending()),
      ).toEqual([]);
      expect(
        await server.query(
          'SELECT n, id, toUnixTimestamp(at) AS at FROM numbered ORDER BY id FORMAT JSONEachRow',
        ),
      ).toEqual([
        { n: '9007199254740993', id: 'a', at: 1_772_366_400 },
        { n: '0', id: 'b', at: 0 },
      ]);
      const { version } = (await server.query('SELECT version() AS version FORMAT JSONEachRow'))[0] as {
        version: string;
      };
      if (version.startsWith('18.'))
        expect(context.told).toEqual([expect.stringContaining('older than 22.2')]);
    },
  );

  onServer('what is known of a message fills columns', async (server) => {
    await server.query(
      'CREATE TABLE known (id String, stream String, topic String, payload String, published_at DateTime) ENGINE = MergeTree ORDER BY id',
    );
    const values = { ...loginOf(server), table: 'known', content: 'envelope', skip_unknown: true };
    expect(await (await aSink(values)).write([aMessage('text', { id: 'a' })], unending())).toEqual([]);
    expect(await server.query('SELECT * FROM known FORMAT JSONEachRow')).toMatchObject([
      { id: 'a', stream: 'orders', topic: 'orders.new', payload: 'text' },
    ]);
  });

  onServer('rows that the table refuses are rejected, and no others', async (server) => {
    await server.query("CREATE TABLE picky (n UInt8, kind Enum8('a' = 1)) ENGINE = MergeTree ORDER BY n");
    const payloads = [
      { n: 1 },
      { n: 'many' },
      { n: 3, other: 1 },
      { n: 4, kind: 'b' },
      { n: 5, kind: 'a' },
      { n: {} },
    ];
    const batch = payloads.map((payload, at) => aMessage(payload, { id: `m${at + 1}` }));
    const sink = await aSink({ ...loginOf(server), table: 'picky' });
    const rejected = await sink.write(batch, unending());
    expect(rejected.map(({ id }) => id)).toEqual(['m2', 'm3', 'm4', 'm6']);
    for (const { reason } of rejected) expect(reason).toMatch(/answered \d+ Code: \d+/);
    expect(await server.query('SELECT n FROM picky ORDER BY n FORMAT JSONEachRow')).toEqual([
      { n: 1 },
      { n: 5 },
    ]);
  });

  onServer('a table that is missing and a wrong password are waited for', async (server) => {
    await expect(
      (await aSink({ ...loginOf(server), table: 'missing' })).write(numbered(1), unending()),
    ).rejects.toThrow('Code: 60');
    await expect(
      (await aSink({ ...loginOf(server), password: 'wrong-password' })).write(numbered(1), unending()),
    ).rejects.toThrow(/answered \d+ Code: (193|516)/);
  });
});
