import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  port: number;
  /** Takes no new connections, lets the requests in flight end, and after the grace cuts what is left. */
  stop(graceSeconds: number): Promise<void>;
}

/** Listens on `host:port`; port 0 takes a free one. @throws Error with code EADDRINUSE when the port is taken */
export async function listen(app: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000 }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceSeconds) {
      const closed = new Promise((resolve) => server.close(resolve));
      // connections that become idle only now: their last answer said that they would be closed
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}
