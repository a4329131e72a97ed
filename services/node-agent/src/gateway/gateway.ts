import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { GatewayRule, Protocol } from '@sluice/contracts';
import { isErrorCode, readIfPresent, writePrivateFile } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { z } from 'zod';
import { createAdmission } from './admission.ts';
import { resetBoth, splice } from './splice.ts';

/** Rules are looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;
const keepAliveDelay = 60_000;

const portsSchema = z.record(z.string(), z.int().min(1).max(65535));

export type Ports = Partial<Record<Protocol, number>>;

interface GatewayOptions {
  host: string;
  /** file in which the ports are kept */
  portsFile: string;
  /** The broker's own port on 127.0.0.1, null while it does not serve. */
  brokerPort: (protocol: Protocol) => number | null;
  log: Log;
}

interface Connection {
  protocol: Protocol;
  address: string | undefined;
  client: Socket;
  broker: Socket;
}

interface Listener {
  server: Server;
  port: number;
}

/**
 * The only entrance to the broker, which itself listens on loopback: a TCP listener per protocol that passes the
 * connections on that an access rule lets in and resets all others (interface, 4.8).
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #connections = new Set<Connection>();
  readonly #listeners = new Map<Protocol, Listener>();
  #admission = createAdmission([]);
  #nextReview: NodeJS.Timeout | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** where it listens */
  get ports(): Ports {
    return Object.fromEntries([...this.#listeners].map(([protocol, { port }]) => [protocol, port]));
  }

  /**
   * Listens for these protocols and no others, each on the same port as the last time if that is free. Until `enforce`
   * nobody is let in.
   */
  async listen(protocols: readonly Protocol[]): Promise<void> {
    const { portsFile, log } = this.#options;
    const superfluous = [...this.#listeners.keys()].filter((protocol) => !protocols.includes(protocol));
    const missing = protocols.filter((protocol) => !this.#listeners.has(protocol));
    await Promise.all(superfluous.map((protocol) => this.#close(protocol)));
    if (missing.length === 0) return;
    const former = readPorts(await readIfPresent(portsFile));
    await Promise.all(missing.map((protocol) => this.#open(protocol, former[protocol] ?? 0)));
    if (missing.some((protocol) => this.ports[protocol] !== former[protocol])) {
      await writePrivateFile(portsFile, JSON.stringify({ ...former, ...this.ports }));
    }
    log.info('gateway listens', { ports: this.ports });
  }

  /** From now on these rules hold. Connections that none of them lets in any more are cut before this returns. */
  enforce(rules: readonly GatewayRule[]): void {
    this.#admission = createAdmission(rules);
    for (const block of this.#admission.unreadable) {
      this.#options.log.error('an access rule has a block that is not a CIDR', { block });
    }
    this.#review();
  }

  /** Stops listening and cuts every connection. */
  async close(): Promise<void> {
    clearTimeout(this.#nextReview);
    await Promise.all([...this.#listeners.keys()].map((protocol) => this.#close(protocol)));
  }

  async #close(protocol: Protocol): Promise<void> {
    const listener = this.#listeners.get(protocol);
    if (listener === undefined) return;
    this.#listeners.delete(protocol);
    const closed = once(listener.server, 'close');
    listener.server.close();
    for (const connection of this.#connections) {
      if (connection.protocol === protocol) resetBoth(connection.client, connection.broker);
    }
    await closed;
  }

  async #open(protocol: Protocol, port: number): Promise<void> {
    const { host, log } = this.#options;
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      this.#receive(protocol, client);
    });
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      if (port === 0 || !(isErrorCode(error, 'EADDRINUSE') || isErrorCode(error, 'EACCES'))) throw error;
      log.warn('the port is taken, using another', { protocol, port });
      return await this.#open(protocol, 0);
    }
    // such as too many open files: those who are connected stay so
    server.on('error', (error) =>
      log.error('the gateway could not accept a connection', { protocol, error }),
    );
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
    this.#listeners.set(protocol, { server, port: bound.port });
  }

  #receive(protocol: Protocol, client: Socket): void {
    const address = client.remoteAddress;
    const port = this.#options.brokerPort(protocol);
    if (port === null || !this.#admission.admits(protocol, address, Date.now())) {
      this.#options.log.debug('connection refused', { protocol, address });
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const broker = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const connection = { protocol, address, client, broker };
    this.#connections.add(connection);
    const leave = () => {
      if (client.closed && broker.closed) this.#connections.delete(connection);
    };
    client.once('close', leave);
    broker.once('close', leave);
    client.setKeepAlive(true, keepAliveDelay);
    splice(client, broker);
  }

  #review(): void {
    clearTimeout(this.#nextReview);
    const now = Date.now();
    for (const { protocol, address, client, broker } of this.#connections) {
      if (!this.#admission.admits(protocol, address, now)) resetBoth(client, broker);
    }
    const end = this.#admission.nextEnd(now);
    if (end !== null)
      this.#nextReview = setTimeout(() => this.#review(), Math.min(end - now, reviewInterval));
  }
}

function readPorts(text: string | null): Ports {
  if (text === null) return {};
  try {
    return portsSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
