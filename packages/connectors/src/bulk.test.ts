import type { ConfigValue } from '@sluice/contracts';
import { BulkServer } from '../test/fixtures/bulk-server.ts';
import { aMessage, configOf, testContext, unending } from '../test/fixtures/plugin.ts';
import { TryLater, type Sink } from './plugin.ts';
import { elasticsearchSink } from './plugins/elasticsearch-sink.ts';
import { opensearchSink } from './plugins/opensearch-sink.ts';

const server = new BulkServer();
const open: Sink[] = [];
beforeEach(() => {
  server.received.length = 0;
  server.work();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

async function aSink(values: Record<string, ConfigValue> = {}, plugin = opensearchSink): Promise<Sink> {
  const sink = await plugin.open(
    configOf(plugin, { url: server.url, index: 'orders', ...values }),
    await testContext(),
  );
  open.push(sink);
  return sink;
}

test.each([elasticsearchSink, opensearchSink])('$key has a document per message, once', async (plugin) => {
  const sink = await aSink(
    { url: `${server.url}/search/`, username: 'ada', password: 's3cret', pipeline: 'clean' },
    plugin,
  );
  const batch = [
    aMessage({ n: 1 }, { id: 'a' }),
    aMessage(Buffer.from('{\n"n": 9007199254740993}'), { id: 'b' }),
  ];
  expect(await sink.write(batch, unending())).toEqual([]);
  expect(await sink.write(batch, unending())).toEqual([]);
  expect([...server.documents.keys()]).toEqual(['orders/a', 'orders/b']);
  expect(server.received[0]).toMatchObject({
    method: 'POST',
    path: expect.stringMatching(/^\/search\/_bulk\?filter_path=[^&]+&pipeline=clean$/) as string,
    headers: {
      'content-type': 'application/x-ndjson',
      authorization: `Basic ${Buffer.from('ada:s3cret').toString('base64')}`,
    },
    body: '{"index":{"_index":"orders","_id":"a"}}\n{"n":1}\n{"index":{"_index":"orders","_id":"b"}}\n{ "n": 9007199254740993}\n',
  });
});

test('an index per day and topic, and what is known of a message', async () => {
  const sink = await aSink({ index: '{topic}-{yyyy}.{mm}.{dd}', content: 'envelope' });
  await sink.write([aMessage('text', { id: 'a', topic: 'Orders.New' })], unending());
  expect([...server.documents]).toEqual([
    ['orders.new-2026.03.01/a', expect.objectContaining({ id: 'a', topic: 'Orders.New', payload: 'text' })],
  ]);
});

test('a document that was created before is taken', async () => {
  const batch = [aMessage({ n: 1 }, { id: 'a' })];
  await (await aSink({ operation: 'create' })).write(batch, unending());
  expect(await (await aSink({ operation: 'create' })).write(batch, unending())).toEqual([]);
  expect(server.documents.size).toBe(1);
});

test('a document with an id of a length that servers refuse has another, always the same', async () => {
  const sink = await aSink();
  for (let again = 0; again < 2; again++)
    await sink.write([aMessage({ n: 1 }, { id: 'x'.repeat(600) })], unending());
  expect([...server.documents.keys()]).toEqual([expect.stringMatching(/^orders\/[0-9a-f]{64}$/)]);
});

test('documents that the server refuses are rejected, and no others', async () => {
  server.refuse = (document) =>
    (document as { n: unknown }).n === 'many'
      ? {
          status: 400,
          type: 'document_parsing_exception',
          reason: 'failed to parse field [n] of type [long]',
        }
      : null;
  const batch = [{ n: 1 }, { n: 'many' }, 'text', { n: 2 }].map((payload, at) =>
    aMessage(payload, { id: `m${at}` }),
  );
  expect(await (await aSink()).write(batch, unending())).toEqual([
    { id: 'm1', reason: 'document_parsing_exception: failed to parse field [n] of type [long] (400)' },
    { id: 'm2', reason: 'The payload is not a JSON object' },
  ]);
  expect([...server.documents.keys()]).toEqual(['orders/m0', 'orders/m3']);
});

test('documents that are put off are sent again, without those that were taken or refused', async () => {
  const sink = await aSink();
  const statuses = new Map([
    [2, 429],
    [3, 400],
  ]);
  server.refuse = (document) => {
    const status = statuses.get((document as { n: number }).n);
    return status === undefined ? null : { status, type: 'es_rejected_execution_exception', reason: 'busy' };
  };
  const batch = [1, 2, 3].map((n) => aMessage({ n }, { id: `m${n}` }));
  await expect(sink.write(batch, unending())).rejects.toThrow(
    'put off some documents: es_rejected_execution_exception: busy (429)',
  );
  statuses.delete(2);
  expect(await sink.write(batch, unending())).toEqual([
    { id: 'm3', reason: 'es_rejected_execution_exception: busy (400)' },
  ]);
  expect(server.received.map(({ body }) => body.match(/m\d/g))).toEqual([['m1', 'm2', 'm3'], ['m2']]);
});

test('a request that is too large is halved, down to the message that is', async () => {
  const answer = server.answer;
  server.answer = (request, response) =>
    request.body.length > 150 ? response.writeHead(413).end('too large') : answer(request, response);
  const batch = [{ n: 1 }, { n: 'x'.repeat(200) }, { n: 2 }].map((payload, at) =>
    aMessage(payload, { id: `m${at}` }),
  );
  expect(await (await aSink()).write(batch, unending())).toEqual([
    { id: 'm1', reason: 'The server answered 413 too large' },
  ]);
  expect([...server.documents.keys()]).toEqual(['orders/m0', 'orders/m2']);
});

test('a batch is sent in as many requests as the largest body asks for', async () => {
  const sink = await aSink({ max_body: 1_024 });
  const batch = [1, 2, 3, 4].map((n) => aMessage({ n, filler: 'y'.repeat(300) }));
  await sink.write([...batch, aMessage({ n: 'z'.repeat(1_000) })], unending());
  expect(server.received.map(({ body }) => body.split('\n').length - 1)).toEqual([4, 4]);
});

test.each([400, 401, 404, 429, 500, 503])(
  'an answer of %i is about all: it is tried again',
  async (status) => {
    server.answers(status, 'no', { 'retry-after': '3' });
    const failed: unknown = await (
      await aSink()
    )
      .write([aMessage({ n: 1 })], unending())
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TryLater);
    expect(String(failed)).toContain(`answered ${status} no`);
  },
);

test.each(['', 'no JSON', 'null', '{"errors":true,"items":[]}', '{"errors":true,"items":[null,{}]}'])(
  'an answer %j that does not tell what became of each is no success',
  async (body) => {
    server.answers(200, body);
    await expect((await aSink()).write([aMessage({ n: 1 })], unending())).rejects.toThrow();
  },
);

test('an item without a status is put off, and secrets that it repeats are not told', async () => {
  server.answers(200, '{"errors":true,"items":[{"index":{"error":"by s3cret-token"}}]}');
  await expect(
    (await aSink({ token: 's3cret-token' })).write([aMessage({ n: 1 })], unending()),
  ).rejects.toThrow('by *** (0)');
});
