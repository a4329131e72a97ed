import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { ConfigValue } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { RecordingServer } from '../../test/fixtures/http-server.ts';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, TryLater, type Sink } from '../plugin.ts';
import { httpSink } from './http-sink.ts';

const server = new RecordingServer();
const open: Sink[] = [];

beforeEach(() => {
  server.received.length = 0;
  server.answers(200);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

async function aSink(values: Record<string, ConfigValue> = {}): Promise<Sink> {
  const config = configOf(httpSink, { url: `${server.url}/in?from=sluice`, ...values });
  const sink = await httpSink.open(config, await testContext());
  open.push(sink);
  return sink;
}

describe('what is sent', () => {
  test('each message as it is, in order, with its id', async () => {
    const sink = await aSink({ headers: ['X-Team: payments'], content_type: 'text/plain' });
    const messages = [aMessage(Buffer.from([0x61, 0x62])), aMessage(Buffer.from('second'))];
    expect(await sink.write(messages, unending())).toEqual([]);
    expect(server.received.map(({ body }) => body)).toEqual(['ab', 'second']);
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/in?from=sluice',
      headers: {
        'content-type': 'text/plain',
        'x-team': 'payments',
        'svc-message': encodeURIComponent(messages[0]?.id ?? ''),
        'svc-topic': 'orders.new',
      },
    });
  });

  test('a batch as an array, or one message a line', async () => {
    const messages = [aMessage({ n: 1 }), aMessage({ n: 2 })];
    await (await aSink({ body: 'json', method: 'PUT' })).write(messages, unending());
    await (await aSink({ body: 'ndjson' })).write(messages, unending());
    expect(server.received.map(({ method, body }) => [method, body])).toEqual([
      ['PUT', '[{"n":1},{"n":2}]'],
      ['POST', '{"n":1}\n{"n":2}\n'],
    ]);
  });

  test('what is known of a message, with bytes that are no text', async () => {
    const message = aMessage(Buffer.from([0xff]), { headers: { kind: 'order' } });
    await (await aSink({ body: 'json', content: 'envelope' })).write([message], unending());
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual([
      {
        id: message.id,
        stream: 'orders',
        topic: 'orders.new',
        headers: { kind: 'order' },
        published_at: '2026-03-01T12:00:00.000Z',
        payload_base64: '/w==',
      },
    ]);
  });

  test('as many requests as the largest body asks for', async () => {
    const sink = await aSink({ body: 'json', max_body: 1_024 });
    const large = aMessage('x'.repeat(2_000));
    const messages = [1, 2, 3].map((n) => aMessage({ n, filler: 'y'.repeat(400) }));
    const rejected = await sink.write([large, ...messages], unending());
    expect(rejected).toEqual([{ id: large.id, reason: 'Larger than 1024 bytes' }]);
    expect(server.received.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual([2, 1]);
  });

  test('a login, a token and secret headers', async () => {
    await (await aSink({ username: 'ada', password: 's3cret' })).write([aMessage()], unending());
    await (
      await aSink({ token: 'tok', secret_headers: 'X-Key: k1\nX-Other: k2' })
    ).write([aMessage()], unending());
    expect(server.received.map(({ headers }) => headers)).toMatchObject([
      { authorization: `Basic ${Buffer.from('ada:s3cret').toString('base64')}` },
      { authorization: 'Bearer tok', 'x-key': 'k1', 'x-other': 'k2' },
    ]);
  });
});

describe('what the server says of it', () => {
  test.each([400, 409, 410, 413, 415, 422, 451])(
    '%i is about the message, which is rejected',
    async (status) => {
      server.answers(status, 'no such field');
      const message = aMessage();
      expect(await (await aSink()).write([message], unending())).toEqual([
        { id: message.id, reason: `The server answered ${status} no such field` },
      ]);
    },
  );

  test.each([301, 401, 403, 404, 408, 425, 429, 500, 503])(
    '%i passes: all is tried again',
    async (status) => {
      server.answers(status, '', { location: 'http://127.0.0.1:1/' });
      await expect((await aSink()).write([aMessage()], unending())).rejects.toThrow(`answered ${status}`);
      expect(server.received).toHaveLength(1);
    },
  );

  test('how long to wait, but not for ever', async () => {
    const pauseAfter = async (value: string) => {
      server.answers(429, '', { 'retry-after': value });
      const failed: unknown = await (
        await aSink()
      )
        .write([aMessage()], unending())
        .catch((error: unknown) => error);
      return failed instanceof TryLater ? failed.pauseMs : null;
    };
    expect(await pauseAfter('7')).toBe(7_000);
    expect(await pauseAfter('99999999999999')).toBe(3_600_000);
    expect(await pauseAfter(new Date(Date.now() + 100_000).toUTCString())).toBeGreaterThan(60_000);
    expect(await pauseAfter('soon')).toBeNull();
    expect(await pauseAfter('Mon, 01 Jan 2001 00:00:00 GMT')).toBeNull();
  });

  test('one message of a batch that is refused is found, the others are taken once', async () => {
    const taken: unknown[] = [];
    server.answer = ({ body }, response) => {
      const values = JSON.parse(body) as { n: number }[];
      if (values.some(({ n }) => n === 3)) return response.writeHead(422).end('3 is odd');
      taken.push(...values.map(({ n }) => n));
      return response.end();
    };
    const messages = [1, 2, 3, 4, 5].map((n) => aMessage({ n }));
    const rejected = await (await aSink({ body: 'json' })).write(messages, unending());
    expect(rejected).toEqual([{ id: messages[2]?.id, reason: 'The server answered 422 3 is odd' }]);
    expect(taken).toEqual([1, 2, 4, 5]);
  });

  test('a payload that is no JSON does not fit into an array', async () => {
    const [bad, good] = [aMessage(Buffer.from('{')), aMessage({ n: 1 })];
    const rejected = await (await aSink({ body: 'json' })).write([bad, good], unending());
    expect(rejected).toEqual([{ id: bad.id, reason: 'The payload is not JSON' }]);
    expect(server.received.map(({ body }) => body)).toEqual(['[{"n":1}]']);
  });

  test('what has been taken of a batch is not sent again with the rest', async () => {
    const sink = await aSink();
    const [first, second] = [aMessage({ n: 1 }), aMessage({ n: 2 })];
    server.answer = ({ body }, response) => response.writeHead(body.includes('2') ? 503 : 200).end();
    await expect(sink.write([first, second], unending())).rejects.toThrow('503');
    server.answers(200);
    expect(await sink.write([first, second], unending())).toEqual([]);
    expect(server.received.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}', '{"n":2}']);
  });

  test('secrets that a server answers with are in no reason', async () => {
    server.answer = ({ headers }, response) =>
      response
        .writeHead(400)
        .end(`bad login ${headers.authorization} and ${headers['x-key'] as string}\n\u0007`);
    const sink = await aSink({ username: 'ada', password: 's3cret', secret_headers: 'x-key: k3y-of-mine' });
    const [rejected] = await sink.write([aMessage()], unending());
    expect(rejected?.reason).toBe('The server answered 400 bad login Basic *** and ***');
  });
});

describe('a server that does not behave', () => {
  test('one that is away fails the batch', async () => {
    const sink = await aSink({ url: 'http://127.0.0.1:1/' });
    await expect(sink.write([aMessage()], unending())).rejects.toThrow('ECONNREFUSED');
  });

  test('one that hangs is left when time is up, and its connection is closed', async () => {
    server.answer = () => undefined;
    const ending = new AbortController();
    const sink = await aSink();
    const written = sink.write([aMessage()], ending.signal);
    await eventually(() => expect(server.received).toHaveLength(1));
    ending.abort(new Error('time is up'));
    await expect(written).rejects.toThrow('time is up');
    await eventually(async () => expect(await server.connections()).toBe(0));
  });

  test('one whose answer never ends is not listened to', async () => {
    server.answer = (_, response) => {
      response.writeHead(400);
      const more = () =>
        void (response.destroyed || response.write('x'.repeat(10_000), () => setImmediate(more)));
      more();
    };
    const [rejected] = await (await aSink()).write([aMessage()], unending());
    expect(rejected?.reason.length).toBeLessThan(400);
    await eventually(async () => expect(await server.connections()).toBe(0));
  });

  test('one that speaks no HTTP fails the batch', async () => {
    const other = createServer((socket) => socket.end('220 mail ready\r\n')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    await expect((await aSink({ url })).write([aMessage()], unending())).rejects.toThrow();
    other.close();
  });
});

describe('a configuration that can never work', () => {
  test.each([
    ['http://[::1', {}, 'url is no http'],
    ['http://example.com:0/', {}, 'url must not have port 0'],
    ['https://example.com/', { headers: ['no colon s3cret'] }, 'headers has a line that is no header'],
    ['https://example.com/', { secret_headers: 'a: b\nx: s3cret\u0000' }, 'secret_headers has a line'],
    ['https://example.com/', { headers: ['Content-Length: 3'] }, 'must not set content-length'],
    ['https://example.com/', { token: 's3cret\u0001' }, 'token has a line'],
  ])('%s %j', async (url, values, message) => {
    const refused: unknown = await aSink({ url, ...values }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigRefused);
    expect((refused as Error).message).toContain(message);
    expect((refused as Error).message).not.toContain('s3cret');
  });
});

test('addresses of the node are refused, as such and by name', async () => {
  const context = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  const openAt = (url: string) => httpSink.open(configOf(httpSink, { url }), context);
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'])
    await expect(openAt(`http://${host}/`)).rejects.toThrow(ConfigRefused);
  const sink = await openAt('http://localhost:1/');
  open.push(sink);
  await expect(sink.write([aMessage()], unending())).rejects.toThrow('may not connect to localhost');
});
