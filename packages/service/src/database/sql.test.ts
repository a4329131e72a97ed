import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { isTransient } from './sql.ts';

test('a server that takes a connection and says nothing is one to wait for', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, connectionTimeoutMillis: 100 };
  try {
    const ofClient = await new pg.Client(options).connect().catch((error: unknown) => error);
    const ofPool = await new pg.Pool(options).connect().catch((error: unknown) => error);
    expect([ofClient, ofPool].map((error) => [String(error), isTransient(error)])).toEqual([
      ['Error: timeout expired', true],
      [expect.stringMatching(/timeout/), true],
    ]);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
