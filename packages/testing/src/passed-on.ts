import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server that passes connections on. */
export interface Passing {
  port: number;
  /** breaks all connections */
  breakAll: () => void;
  close: () => void;
}

/**
 * Listens on a port of its own.
 * @param connect opens the way on for a new client; undefined refuses it
 * @param pipe what goes from the client to the server goes through this
 */
export async function passOn(
  connect: () => Socket | undefined,
  pipe: (client: Socket, upstream: Socket) => void = (client, upstream) => client.pipe(upstream),
): Promise<Passing> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect();
    if (!upstream) return client.destroy();
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
    pipe(client, upstream);
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    breakAll,
    close() {
      server.close();
      breakAll();
    },
  };
}
