import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@sluice/service';
import { productVersion } from './openapi/load.ts';
import { answerUnreadable } from './unreadable.ts';
import { Upgrades } from './upgrades.ts';

export interface Listening {
  port: number;
  /** Takes no new connections, lets the requests in flight end, and after the grace cuts what is left. */
  stop(graceSeconds: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0: a free one */
  port: number;
  /** the time that a request's line and headers may take to arrive, in seconds */
  headersSeconds: number;
  /** the same for the body, after them */
  bodySeconds: number;
  log: Log;
}

/** for an answer that says itself that the body did not come in time */
const lateSeconds = 5;

/** Listens as the options say. @throws Error with code EADDRINUSE when the port is taken */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, headersSeconds, bodySeconds, log } = options;
  const limits = {
    keepAliveTimeout: 65_000,
    headersTimeout: headersSeconds * 1000,
    requestTimeout: (headersSeconds + bodySeconds + lateSeconds) * 1000,
    connectionsCheckingInterval: 1_000,
    // the application says so itself, with a problem document
    requireHostHeader: false,
    // anything else that names another protocol is a request like any
    shouldUpgradeCallback: isWebSocket,
  };
  const server = createServer(limits, app);
  // an expectation that is not known is nothing to refuse a request for
  server.on('checkExpectation', app);
  const upgrades = new Upgrades(server, app);
  answerUnreadable(server, log, await productVersion());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceSeconds) {
      const closed = new Promise((resolve) => server.close(resolve));
      upgrades.end();
      // connections that become idle only now: their last answer said that they would be closed
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => {
        server.closeAllConnections();
        // one that was asked for on a connection that was busy until now
        upgrades.end();
      }, graceSeconds * 1000);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
