import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One address for several servers, as a load balancer gives it. */
export interface Balancer {
  url: string;
  close(): void;
}

/** Passes each connection on to one of the servers whose URLs `targets` names at that time, in turn. */
export async function balancer(targets: () => readonly string[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    const urls = targets();
    const target = urls[turn++ % urls.length];
    if (target === undefined) return client.destroy();
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
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
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
