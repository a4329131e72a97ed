import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { GatewayRule, Protocol } from '@sluice/contracts';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { isErrorCode, readIfPresent, writePrivately } from '../machine/files.ts';
import { createAdmission } from './admission.ts';
import { breakBoth, splice } from './splice.ts';

/** Rules are looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;
const keepAliveDelay = 60_000;

const portsSchema = z.record(z.string(), z.int().min(1).max(65535));

export type Ports = Partial<Record<Protocol, number>>;

interface GatewayOptions {
  host: string;
  /** file in which the ports are kept */
  portsFile: string;
  protocols: readonly Protocol[];
  /** The broker's own port on 127.0.0.1, null while it does not serve. */
  brokerPort: (protocol: Protocol) => number | null;
  log: Log;
}

interface Passage {
  protocol: Protocol;
  address: string | undefined;
  client: Socket;
  broker: Socket;
}

/**
 * The only entrance to the broker, which itself listens on loopback: a TCP listener per protocol that passes the
 * connections on that an access rule lets in and resets all others (interface, 4.8).
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #passages = new Set<Passage>();
  readonly #servers: Server[] = [];
  #admission = createAdmission([]);
  #nextReview: NodeJS.Timeout | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** Begins to listen, on the same ports as the last time if they are free. Until `enforce` nobody is let in. */
  async open(): Promise<Ports> {
    const { portsFile, protocols } = this.#options;
    const kept = readPorts(await readIfPresent(portsFile));
    const opened = protocols.map(async (name) => [name, await this.#listen(name, kept[name] ?? 0)] as const);
    const ports: Ports = Object.fromEntries(await Promise.all(opened));
    if (protocols.some((name) => ports[name] !== kept[name])) {
      await writePrivately(portsFile, JSON.stringify(ports));
    }
    return ports;
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
    const closed = this.#servers.map((server) => once(server, 'close'));
    for (const server of this.#servers) server.close();
    for (const { client, broker } of this.#passages) breakBoth(client, broker);
    await Promise.all(closed);
  }

  async #listen(protocol: Protocol, port: number): Promise<number> {
    const { host, log } = this.#options;
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      this.#receive(protocol, client);
    });
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      if (port === 0 || !(isErrorCode(error, 'EADDRINUSE') || isErrorCode(error, 'EACCES'))) throw error;
      log.warn('the port is taken, using another', { protocol, port });
      return await this.#listen(protocol, 0);
    }
    this.#servers.push(server);
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
    return bound.port;
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
    const passage = { protocol, address, client, broker };
    this.#passages.add(passage);
    const leave = () => {
      if (client.closed && broker.closed) this.#passages.delete(passage);
    };
    client.once('close', leave);
    broker.once('close', leave);
    client.setKeepAlive(true, keepAliveDelay);
    splice(client, broker);
  }

  #review(): void {
    clearTimeout(this.#nextReview);
    const now = Date.now();
    for (const { protocol, address, client, broker } of this.#passages) {
      if (!this.#admission.admits(protocol, address, now)) breakBoth(client, broker);
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
