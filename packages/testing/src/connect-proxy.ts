import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy that tunnels to a port of this machine, wherever it is asked to. */
export interface ConnectProxy {
  /** @param login `user:password@` */
  url(login?: string): URL;
  /** the heads of what it was asked for */
  asked: string[];
  /** what it says in place of opening a tunnel */
  answer: string | undefined;
  stop(): void;
}

export async function connectProxy(port: () => number): Promise<ConnectProxy> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    socket.once('data', (head) => {
      proxy.asked.push(head.toString());
      if (proxy.answer !== undefined) return socket.end(proxy.answer);
      const upstream = connect(port(), '127.0.0.1');
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ConnectProxy = {
    url: (login = '') => new URL(`http://${login}127.0.0.1:${(server.address() as AddressInfo).port}`),
    asked: [],
    answer: undefined,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return proxy;
}
