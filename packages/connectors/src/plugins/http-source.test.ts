import type { ConfigValue } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { RecordingServer } from '../../test/fixtures/http-server.ts';
import { configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, TryLater, type Source, type SourceBatch } from '../plugin.ts';
import { httpSource } from './http-source.ts';

const server = new RecordingServer();
const open: Source[] = [];
beforeEach(() => {
  server.received.length = 0;
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((source) => source.close()));
});

async function aSource(
  values: Record<string, ConfigValue> = {},
  position: string | null = null,
): Promise<Source> {
  const config = configOf(httpSource, {
    url: `${server.url}/feed?kind=orders`,
    interval: '100ms',
    ...values,
  });
  const source = await httpSource.open(config, await testContext(), position);
  open.push(source);
  return source;
}

const contents = ({ records }: SourceBatch) => records.map(({ payload }) => Buffer.from(payload).toString());

describe('with a cursor', () => {
  /** `count` items, as many at a time as a page has, from the cursor on */
  const pages = (count: number, page: number, { inclusive = false } = {}) => {
    server.answer = ({ path }, response) => {
      const after = Number(new URL(path, server.url).searchParams.get('after') ?? 0);
      const first = inclusive && after > 0 ? after : after + 1;
      const length = Math.max(0, Math.min(page, count - first + 1));
      response.end(
        JSON.stringify({ data: { items: Array.from({ length }, (_, at) => ({ id: first + at })) } }),
      );
    };
  };
  const cursor = { items: 'data.items', id: 'id', cursor: 'id', cursor_parameter: 'after' };

  test('all pages are read, then what comes', async () => {
    pages(5, 2);
    const source = await aSource(cursor);
    const batches = [
      await source.read(unending()),
      await source.read(unending()),
      await source.read(unending()),
    ];
    expect(batches.map(contents)).toEqual([['{"id":1}', '{"id":2}'], ['{"id":3}', '{"id":4}'], ['{"id":5}']]);
    const waiting = source.read(unending());
    await eventually(() => expect(server.received.length).toBeGreaterThan(4));
    pages(6, 2);
    expect(contents(await waiting)).toEqual(['{"id":6}']);
    expect(server.received.slice(0, 2).map(({ path }) => path)).toEqual([
      '/feed?kind=orders',
      '/feed?kind=orders&after=2',
    ]);
  });

  test('after a crash it goes on behind the position, with the same ids', async () => {
    pages(5, 2);
    const first = await aSource(cursor);
    const kept = await first.read(unending());
    const lost = await first.read(unending());
    expect(await (await aSource(cursor, kept.position)).read(unending())).toEqual(lost);
    expect(lost.records.map(({ id }) => id)).toEqual(['3', '4']);
  });

  test('a server that begins with the item of the cursor gives it once', async () => {
    pages(3, 2, { inclusive: true });
    const source = await aSource(cursor);
    expect(contents(await source.read(unending()))).toEqual(['{"id":1}', '{"id":2}']);
    expect(contents(await source.read(unending()))).toEqual(['{"id":3}']);
  });

  test('a number that JavaScript cannot hold is a cursor, and stays what it is', async () => {
    server.answers(200, '[{"id": 9007199254740993, "price": 1.10}]');
    const source = await aSource({ id: 'id', cursor: 'id', cursor_parameter: 'after' });
    const batch = await source.read(unending());
    expect(contents(batch)).toEqual(['{"id":9007199254740993,"price":1.10}']);
    expect([batch.records[0]?.id, JSON.parse(batch.position)]).toMatchObject([
      '9007199254740993',
      { cursor: '9007199254740993' },
    ]);
  });
});

describe('without a cursor', () => {
  test('what was in the answer before is left out, also after a restart', async () => {
    server.answers(200, '[{"n":1},{"n":2}]');
    const first = await (await aSource()).read(unending());
    server.answers(200, '[{"n":2},{"n":3}]');
    const second = await (await aSource({}, first.position)).read(unending());
    expect([contents(first), contents(second)]).toEqual([['{"n":1}', '{"n":2}'], ['{"n":3}']]);
  });

  test('lines of JSON, and a single object', async () => {
    server.answers(200, '{"n":1}\n{"n":2}\n');
    expect(contents(await (await aSource()).read(unending()))).toEqual(['{"n":1}', '{"n":2}']);
    server.answers(200, '{"temperature": 21}');
    expect(contents(await (await aSource()).read(unending()))).toEqual(['{"temperature":21}']);
  });

  test('a server that knows tags is asked by them', async () => {
    server.answers(200, '[1]', { etag: '"v1"' });
    const source = await aSource({ token: 'tok-1234' });
    await source.read(unending());
    server.answers(304);
    const ending = new AbortController();
    const waiting = source.read(ending.signal);
    await eventually(() => expect(server.received.length).toBeGreaterThan(2));
    ending.abort();
    await expect(waiting).rejects.toThrow();
    expect(server.received[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      authorization: 'Bearer tok-1234',
    });
  });

  test('more items than can be remembered are refused', async () => {
    server.answers(200, JSON.stringify(Array.from({ length: 251 }, (_, n) => n)));
    await expect((await aSource()).read(unending())).rejects.toThrow(
      'Without a cursor an answer may have 250 items',
    );
  });

  test('the longest position has room', async () => {
    server.answers(200, JSON.stringify(Array.from({ length: 250 }, (_, n) => n)), {
      etag: `"${'e'.repeat(190)}"`,
    });
    const { position, records } = await (await aSource()).read(unending());
    expect([records.length, position.length < 4_000]).toEqual([250, true]);
  });
});

describe('a server that does not behave', () => {
  test.each<[number, string, Record<string, ConfigValue>, string]>([
    [500, 'no', {}, 'answered 500 no'],
    [302, '', {}, 'answered 302'],
    [401, 'not by tok-1234', { token: 'tok-1234' }, 'answered 401 not by ***'],
    [200, '<html>', {}, 'neither JSON nor lines'],
    [200, '{"data":1}', { items: 'data.items' }, 'no array at data.items'],
    [200, '{"a":[]}', { items: '__proto__' }, 'no array'],
    [200, '[{"n":1}]', { id: 'id' }, 'no id that could be its id'],
    [200, '[{"n":1}]', { cursor: 'at', cursor_parameter: 'at' }, 'no at that could be a cursor'],
    [200, `["${'x'.repeat(2_000)}"]`, { max_answer: 1_024 }, 'larger than 1024 bytes'],
  ])('%i %s', async (status, body, values, message) => {
    server.answers(status, body);
    await expect((await aSource(values)).read(unending())).rejects.toThrow(message);
  });

  test('one that asks for a pause gets it', async () => {
    server.answers(429, '', { 'retry-after': '9' });
    const failed: unknown = await (await aSource()).read(unending()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ pauseMs: 9_000 });
    expect(failed).toBeInstanceOf(TryLater);
  });

  test('one that hangs is left when the source is to stop', async () => {
    server.answer = () => undefined;
    const ending = new AbortController();
    const reading = (await aSource()).read(ending.signal);
    await eventually(() => expect(server.received).toHaveLength(1));
    ending.abort(new Error('to stop'));
    await expect(reading).rejects.toThrow('to stop');
  });
});

test('a configuration that can never work is refused', async () => {
  await expect(aSource({ cursor: 'id' })).rejects.toThrow('go together');
  const context = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  const config = configOf(httpSource, { url: 'http://169.254.169.254/latest/meta-data' });
  await expect(httpSource.open(config, context, null)).rejects.toThrow(ConfigRefused);
});
