import type { ServerResponse } from 'node:http';
import { createClient, followLogs, type FollowOptions, type StoredLine } from '@sluice/client';
import { answerJson, answerProblem, faultyServer } from './fixtures/faulty-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const start = Date.parse('2026-03-14T09:00:00.000Z');
const line = (second: number, message: string): StoredLine => ({
  at: new Date(start + second * 1_000).toISOString(),
  node_id: 1,
  runtime: 'broker',
  connector_instance_id: null,
  level: 'info',
  message,
});

const lineEvent = (one: StoredLine, id: number) => `event: line\nid: ${id}\ndata: ${JSON.stringify(one)}\n\n`;
const endEvent = (reason: string) => `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;

/**
 * Follows the logs of a deployment of which `stored` is the list and each stream is written by the next of `streams`; the last one ends
 * with the deployment.
 */
async function follow(
  stored: StoredLine[],
  streams: ((answer: ServerResponse) => void)[],
  options: Partial<FollowOptions> = {},
) {
  const lists: URLSearchParams[] = [];
  const server = await faultyServer((answer, { url }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/stream')) {
      const next = streams.shift();
      if (!next) return answerProblem(answer, 403, 'forbidden');
      answer.writeHead(200, { 'content-type': 'text/event-stream', date: new Date(start).toUTCString() });
      answer.write(': the lines from now on\n\n');
      return next(answer);
    }
    lists.push(searchParams);
    const [from = '', to = '9999'] = [searchParams.get('from') ?? '', searchParams.get('to') ?? '9999'];
    const page = Number(searchParams.get('page'));
    const found = stored.filter(({ at }) => at >= from && at < to).reverse();
    answerJson(answer, 200, { items: found.slice((page - 1) * 100, page * 100), searched_from: null });
  });
  open.push(server);
  const client = createClient({ url: server.url, apiKey: 'key', attempts: 1 }).at(server.url);
  const read: string[] = [];
  const call = { client, path: { deployment_id: 5 }, signal: AbortSignal.timeout(30_000), ...options };
  for await (const { message } of followLogs(call)) read.push(message);
  return { read, lists };
}

test('what comes while the stream is away is read from the list, and nothing comes twice', async () => {
  const stored: StoredLine[] = [];
  const { read } = await follow(stored, [
    (answer) => {
      // twice the same in a millisecond
      stored.push(line(1, 'a'), line(1, 'a'), line(2, 'b'));
      answer.write(lineEvent(line(1, 'a'), 1) + lineEvent(line(1, 'a'), 2));
      answer.write(lineEvent(line(2, 'b'), 3), () => answer.destroy());
      stored.push(line(3, 'missed'), line(3, 'missed'));
    },
    (answer) => {
      // it is in the list and in the stream
      stored.push(line(4, 'both'));
      answer.write(lineEvent(line(4, 'both'), 6) + lineEvent(line(5, 'c'), 7) + endEvent('deleted'));
    },
  ]);
  expect(read).toEqual(['a', 'a', 'b', 'missed', 'missed', 'both', 'c']);
});

test('a line of a late node, written before the last one, is not left out', async () => {
  const stored = [line(10, 'newest')];
  const { read } = await follow(stored, [
    (answer) => {
      answer.write(lineEvent(line(10, 'newest'), 1), () => answer.destroy());
      stored.unshift(line(3, 'late'));
    },
    (answer) => answer.write(endEvent('deleted')),
  ]);
  expect(read).toEqual(['newest', 'late']);
});

test('lines before the beginning are not read, unless they are asked for', async () => {
  const stored = [line(-60, 'old'), line(1, 'new')];
  const streams = () => [
    (answer: ServerResponse) => void answer.write(': it breaks off\n\n', () => answer.destroy()),
    (answer: ServerResponse) => void answer.write(endEvent('deleted')),
  ];
  expect((await follow(stored, streams())).read).toEqual(['new']);
  expect((await follow(stored, streams(), { since: new Date(start - 3_600_000) })).read).toEqual([
    'old',
    'new',
  ]);
});

test('a gap of many pages, some lines of one moment among them', async () => {
  const stored = Array.from({ length: 730 }, (_, at) => line(Math.floor(at / 150), `line ${at}`));
  const { read } = await follow(stored, [(answer) => answer.write(endEvent('deleted'))], {
    since: new Date(start),
  });
  expect([...read].sort()).toEqual(stored.map(({ message }) => message).sort());
});

test('after more lines than are remembered nothing comes twice, and what was missed comes', async () => {
  const at = (number: number) => line(number / 1_000, `line ${number}`);
  const sent = Array.from({ length: 25_000 }, (_, number) => at(number));
  const stored = [...sent];
  const { read } = await follow(stored, [
    (answer) => {
      answer.write(sent.map(lineEvent).join(''), () => answer.destroy());
      stored.push(at(sent.length));
    },
    (answer) => answer.write(endEvent('deleted')),
  ]);
  expect(read).toEqual([...sent, at(sent.length)].map(({ message }) => message));
}, 60_000);

test('filters hold for the list, too', async () => {
  const { lists } = await follow([], [(answer) => answer.write(endEvent('deleted'))], {
    since: new Date(start),
    query: { level: 'warn', runtime: 'broker' },
  });
  expect(Object.fromEntries(lists[0] ?? [])).toMatchObject({ level: 'warn', runtime: 'broker' });
});

test('a reader that was too slow goes on, one without the right does not', async () => {
  const stored: StoredLine[] = [];
  const following = follow(stored, [
    (answer) => {
      stored.push(line(1, 'kept'));
      answer.write(endEvent('too_slow'));
    },
    (answer) => answer.write(endEvent('forbidden')),
  ]);
  await expect(following).rejects.toMatchObject({
    code: 'stream_ended',
    detail: 'The right to read the logs is gone.',
  });
});

test('an outage has an end', async () => {
  const away = Array.from({ length: 50 }, () => (answer: ServerResponse) => answer.destroy());
  const reconnects: string[] = [];
  const following = follow([], away, { maxOutageMs: 0, onReconnect: ({ code }) => reconnects.push(code) });
  await expect(following).rejects.toMatchObject({ code: 'connection_failed' });
});

test('a stream on which no line came for long is made again, also one that ends without a word', async () => {
  const reconnects: string[] = [];
  const { read } = await follow(
    [],
    [
      (answer) => void setTimeout(() => answer.destroy(), 300),
      (answer) => void setTimeout(() => answer.end(), 300),
      (answer) => answer.write(lineEvent(line(1, 'at last'), 1) + endEvent('deleted')),
    ],
    { maxOutageMs: 200, onReconnect: ({ code }) => reconnects.push(code) },
  );
  expect(read).toEqual(['at last']);
  expect(reconnects).toEqual(['connection_failed', 'connection_failed']);
});

test('a clock that is ahead of that of the service hides no line', async () => {
  const stored: StoredLine[] = [];
  const { read } = await follow(
    stored,
    [
      (answer) => {
        answer.destroy();
        stored.push(line(1, 'missed'));
      },
      (answer) => answer.write(endEvent('deleted')),
    ],
    { since: new Date(start + 3_600_000) },
  );
  expect(read).toEqual(['missed']);
});

test('leaving the loop closes the connection', async () => {
  const closed = Promise.withResolvers<void>();
  const server = await faultyServer((answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write(lineEvent(line(1, 'first'), 1));
    answer.on('close', () => closed.resolve());
  });
  open.push(server);
  const client = createClient({ url: server.url, apiKey: 'key' }).at(server.url);
  for await (const { message } of followLogs({ client, path: { deployment_id: 5 } })) {
    expect(message).toBe('first');
    break;
  }
  await closed.promise;
});
