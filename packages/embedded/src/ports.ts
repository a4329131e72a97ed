import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const host = '127.0.0.1';

/** Systems give connections that go out ports from 32768 on: one of those could take a port while its server restarts. */
const kept = { first: 10_000, last: 19_999 };
const attempts = 100;

/** A TCP port of 127.0.0.1 that is free at this moment, and that no connection is given as its own. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(kept.first, kept.last + 1);
    if (await isPortFree(port)) return port;
  }
  return await listenBriefly(0);
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
  return await listenBriefly(port).then(
    () => true,
    () => false,
  );
}

async function listenBriefly(wanted: number): Promise<number> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: wanted, host, exclusive: true }, () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : wanted;
      server.close(() => resolve(port));
    });
  });
}
