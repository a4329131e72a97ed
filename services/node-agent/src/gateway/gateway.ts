import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { startOf } from '@sluice/system/process-table';
import { createAdmission } from './admission.ts';
import type { Inheritance, Inherited, Legacy } from './hand-over.ts';
import { atFreePort, portsToTry } from './ports.ts';
import type { BrokerAddress, GatewayState, Ports } from './protocol.ts';
import { resetBoth, splice } from './splice.ts';
import type { GatewayEvents, SteeredGateway } from './steered-gateway.ts';
import { TokenBucket } from './token-bucket.ts';

/** Rules are looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;
const keepAliveDelay = 60_000;
/** After so long the connections of a gateway that somebody has taken over from are cut. Milliseconds. */
const drainLimit = 24 * 60 * 60 * 1_000;

interface Connection {
  protocol: Protocol;
  address: string | undefined;
  client: Socket;
  broker: Socket;
  /** goes by the rates as they are now */
  pace: () => void;
}

interface Listener {
  server: Server;
  port: number;
}

/**
 * The only entrance to the broker, which itself listens on loopback: a TCP listener per protocol that passes the
 * connections on that an access rule lets in and resets all others (interface, 4.8).
 */
export class Gateway implements SteeredGateway {
  readonly #options: GatewayEvents;
  readonly #connections = new Set<Connection>();
  readonly #listeners = new Map<Protocol, Listener>();
  readonly #buckets = { incoming: new TokenBucket(), outgoing: new TokenBucket() };
  #admission = createAdmission([]);
  #broker: BrokerAddress | null = null;
  #clockOffset = 0;
  /** where the listeners are */
  #host: string | undefined;
  #nextReview: NodeJS.Timeout | undefined;
  #drainEnd: NodeJS.Timeout | undefined;

  constructor(options: GatewayEvents) {
    this.#options = options;
  }

  /** where it listens */
  get ports(): Ports {
    return Object.fromEntries([...this.#listeners].map(([protocol, { port }]) => [protocol, port]));
  }

  get connections(): number {
    return this.#connections.size;
  }

  get draining(): boolean {
    return this.#drainEnd !== undefined;
  }

  /**
   * From now on this holds. What no rule lets in any more is cut before anything else is done. Ports that are taken are
   * replaced by others; a protocol for which there is none is not among `ports`.
   * @param inheritance sockets of another gateway on which to listen, instead of making new ones
   */
  async apply(state: GatewayState, inheritance?: Inheritance): Promise<void> {
    this.#clockOffset = state.clock_offset;
    if (state.broker !== undefined) this.#broker = state.broker;
    if (state.rate_limit !== undefined) this.#limit(state.rate_limit);
    this.#admission = createAdmission(state.rules);
    for (const block of this.#admission.unreadable) {
      this.#options.log('error', 'an access rule has a block that is not a CIDR', { block });
    }
    this.#review();
    const wanted = new Map(Object.entries(state.ports) as [Protocol, number][]);
    for (const { protocol, client, broker } of this.#connections) {
      if (!wanted.has(protocol)) resetBoth(client, broker);
    }
    if (state.drain === true) return await this.drain();
    // connections that there are stay
    const isElsewhere = this.#host !== undefined && this.#host !== state.host;
    this.#host = state.host;
    for (const protocol of this.#listeners.keys())
      if (isElsewhere || !wanted.has(protocol)) this.#close(protocol);
    const missing = [...wanted].filter(([protocol]) => !this.#listeners.has(protocol));
    await Promise.all(
      missing.map(([protocol, port]) =>
        this.#open(protocol, port, state, inheritance?.servers.get(protocol)),
      ),
    );
  }

  /** The sockets on which it listens: those of the other kind have no use for them. */
  async leaveTo(): Promise<Legacy> {
    return { servers: [...this.#listeners].map(([protocol, { server }]) => [protocol, server]) };
  }

  async drain(): Promise<void> {
    this.#drain();
  }

  #drain(): void {
    for (const protocol of [...this.#listeners.keys()]) this.#close(protocol);
    this.#drainEnd ??= setTimeout(() => this.cut(), drainLimit).unref();
    this.#tellIfIdle();
  }

  /** Stops listening and cuts every connection. */
  close(): void {
    clearTimeout(this.#nextReview);
    this.#drain();
    this.cut();
  }

  cut(): void {
    for (const { client, broker } of this.#connections) resetBoth(client, broker);
  }

  /** Connections that there are stay, at the new rate. */
  #limit(rate: number | null): void {
    this.#buckets.incoming.rate = rate;
    this.#buckets.outgoing.rate = rate;
    for (const { pace } of this.#connections) pace();
  }

  #close(protocol: Protocol): void {
    this.#listeners.get(protocol)?.server.close();
    this.#listeners.delete(protocol);
  }

  async #open(
    protocol: Protocol,
    port: number,
    { host, port_range }: GatewayState,
    inherited?: Inherited,
  ): Promise<void> {
    const { log } = this.#options;
    const server = inherited
      ? await this.#listen(protocol, inherited.server)
      : await atFreePort(portsToTry(port, port_range), (free) =>
          this.#listen(protocol, { port: free, host }),
        );
    if (server === undefined) return log('error', 'no port is free', { protocol, range: port_range });
    // such as too many open files: those who are connected stay so
    server.on('error', (error) =>
      log('error', 'the gateway could not accept a connection', { protocol, reason: error.message }),
    );
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
    if (!inherited && port !== 0 && bound.port !== port)
      log('warn', 'the port is taken, using another', { protocol, port });
    this.#listeners.set(protocol, { server, port: bound.port });
    for (const client of inherited?.early ?? []) void this.#receive(protocol, client);
  }

  async #listen(protocol: Protocol, where: Server | { port: number; host: string }): Promise<Server> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      // whatever becomes of it, it must not end the others
      client.on('error', () => undefined);
      void this.#receive(protocol, client);
    });
    await once(server.listen(where), 'listening');
    return server;
  }

  async #receive(protocol: Protocol, client: Socket): Promise<void> {
    const address = client.remoteAddress;
    const port = this.#brokerPort(protocol, address);
    // the rules may be others by the time that is known
    if (port === null || !(await this.#brokerLives()) || this.#brokerPort(protocol, address) !== port) {
      this.#options.log('debug', 'connection refused', { protocol, address });
      client.resetAndDestroy();
      return;
    }
    const broker = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const pace = splice(client, broker, this.#buckets);
    const connection = { protocol, address, client, broker, pace };
    this.#connections.add(connection);
    const leave = () => {
      if (!client.closed || !broker.closed) return;
      this.#connections.delete(connection);
      this.#tellIfIdle();
    };
    client.once('close', leave);
    broker.once('close', leave);
    client.setKeepAlive(true, keepAliveDelay);
    // gone while the broker was looked at: nothing would tell of it any more
    if (client.destroyed) resetBoth(client, broker);
  }

  /** Where a connection from this address is passed on to; null when it is not. */
  #brokerPort(protocol: Protocol, address: string | undefined): number | null {
    if (!this.#admission.admits(protocol, address, this.#now())) return null;
    return this.#broker?.ports[protocol] ?? null;
  }

  /** Its ports may be another's by now, who must not get what is meant for it. */
  async #brokerLives(): Promise<boolean> {
    const broker = this.#broker;
    return broker !== null && (await startOf(broker.pid)) === broker.process_start;
  }

  #now(): number {
    return Date.now() + this.#clockOffset;
  }

  #review(): void {
    clearTimeout(this.#nextReview);
    const now = this.#now();
    for (const { protocol, address, client, broker } of this.#connections) {
      if (!this.#admission.admits(protocol, address, now)) resetBoth(client, broker);
    }
    const end = this.#admission.nextEnd(now);
    if (end !== null)
      this.#nextReview = setTimeout(() => this.#review(), Math.min(end - now, reviewInterval));
  }

  #tellIfIdle(): void {
    if (this.#listeners.size === 0 && this.#connections.size === 0) this.#options.onIdle?.();
  }
}
