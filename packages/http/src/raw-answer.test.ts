import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { eventually } from '@sluice/testing';
import { sendRaw } from './raw-answer.ts';

const piece = 'x'.repeat(2 ** 20);
const pieces = 256;
/** what two sockets of one machine, and streams at their ends, keep at most */
const underWay = 64;

/** A server that answers with many pieces; what has been asked of them, and whether they have been let go. */
async function answering() {
  const told = { asked: 0, ended: false };
  async function* content() {
    try {
      for (; told.asked < pieces; told.asked++) yield piece;
    } finally {
      told.ended = true;
    }
  }
  const server = createServer((_request, response) => {
    sendRaw(response as Response, { type: 'text/plain', content: content() }, true).catch(() =>
      response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  request.on('error', () => undefined);
  const [incoming] = (await once(request, 'response')) as [IncomingMessage];
  incoming.on('error', () => undefined);
  return { told, incoming, request, server };
}

test('what is answered is made as its reader takes it, and no sooner', async () => {
  const { told, incoming, server } = await answering();
  let taken = 0;
  for await (const some of incoming as AsyncIterable<Buffer>) {
    taken += some.length;
    expect(told.asked - taken / piece.length).toBeLessThan(underWay);
    // the server has its turn, and would go on if it did not wait
    await new Promise((resolve) => void setImmediate(resolve));
  }
  expect({ taken, ...told }).toEqual({ taken: pieces * piece.length, asked: pieces, ended: true });
  server.close();
});

test('what a reader that went away would have been answered is let go', async () => {
  const { told, incoming, request, server } = await answering();
  incoming.pause();
  request.destroy();
  await eventually(() => expect(told.ended).toBe(true), { timeoutMs: 30_000 });
  expect(told.asked).toBeLessThan(pieces);
  server.close();
});
