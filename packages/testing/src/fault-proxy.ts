import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy before a server that can be made to fail: a client has no other connection to that server. */
export interface FaultProxy {
  port: number;
  /** breaks all connections and refuses new ones */
  disconnect(): void;
  restore(): void;
  /** loses everything that is sent to the server from now on, while its answers still come, until `restore` */
  dropRequests(): void;
  close(): void;
}

/**
 * Listens on a port of its own and passes everything on to the port `target` of `host`, this machine if not said otherwise.
 * @param delayMilliseconds how long each piece is on its way to the server
 */
export async function faultProxy(
  target: number,
  delayMilliseconds = 0,
  host = '127.0.0.1',
): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let requestsAreLost = false;
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    const upstream = connect(target, host);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    const requests = new Transform({
      transform(piece: Buffer, _encoding, done) {
        if (requestsAreLost) done();
        else if (delayMilliseconds === 0) done(null, piece);
        else void delay(delayMilliseconds).then(() => done(null, piece));
      },
    });
    client.pipe(requests).pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    disconnect() {
      isCut = true;
      breakAll();
    },
    restore() {
      isCut = false;
      requestsAreLost = false;
    },
    dropRequests() {
      requestsAreLost = true;
    },
    close() {
      breakAll();
      server.close();
    },
  };
}
