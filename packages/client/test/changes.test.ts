import type { ServerResponse } from 'node:http';
import { createClient, followChanges, type ChangesOptions } from '@sluice/client';
import { answerProblem, faultyServer } from './fixtures/faulty-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const change = (id: number, position?: string) =>
  `event: change\ndata: ${JSON.stringify({ kind: 'division', id, change: 'created' })}\n${position === undefined ? '' : `id: ${position}\n`}\n`;

/** Follows changes that are written by these, one after the other. */
async function follow(
  streams: ((answer: ServerResponse) => void)[],
  options: Partial<ChangesOptions> & { supervised?: boolean } = {},
) {
  const server = await faultyServer((answer) => {
    const next = streams.shift();
    if (!next) return answerProblem(answer, 403, 'forbidden');
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    next(answer);
  });
  open.push(server);
  const client = createClient({ url: server.url, apiKey: 'key', attempts: 1 });
  const { supervised, ...more } = options;
  const read: string[] = [];
  const call = { client, path: { tenant_id: 5 }, signal: AbortSignal.timeout(30_000), ...more };
  const stream = followChanges({ ...call, ...(supervised && { region: server.url }) });
  const end = (async () => {
    for await (const item of stream)
      read.push(item.type === 'reset' ? `reset ${item.reason}` : `${item.kind} ${item.id}`);
  })();
  const failure = await end.catch((error: unknown) => (error as { code: string }).code);
  return { read, asked: server.requests, failure };
}

test('goes on where it was, by ids that come without an event as well', async () => {
  const { read, asked, failure } = await follow([
    (answer) => answer.write(': now\nid: 1\n\n', () => answer.destroy()),
    (answer) => answer.write(change(1) + change(2, '2') + change(3), () => answer.destroy()),
    (answer) => answer.write('event: reset\nid: 9\ndata: {"reason":"too_old"}\n\n', () => answer.destroy()),
  ]);
  expect(read).toEqual(['division 1', 'division 2', 'division 3', 'reset too_old']);
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '2', '9']);
  expect(asked.every(({ url }) => url === '/tenants/5/events/stream')).toBe(true);
  expect(failure).toBe('forbidden');
});

test('ends with the right, and is made again when a service of a region stops', async () => {
  const end = (reason: string) => (answer: ServerResponse) =>
    answer.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
  const { asked, failure } = await follow([end('stopping'), end('forbidden')], {
    supervised: true,
    lastEventId: '7',
  });
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual(['7', '7']);
  expect(failure).toBe('stream_ended');
});
