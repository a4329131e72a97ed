import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { startOf } from '@sluice/system/process-table';
import { TokenBucket } from '@sluice/system/throttle';
import type { DataPath, DataPathEvents, Policy } from './data-path.ts';
import type { Inherited } from './hand-over.ts';
import { atFreePort, portsToTry, type PortRange } from './ports.ts';
import type { BrokerAddress, GatewayState, Ports } from './protocol.ts';
import { resetBoth, splice } from './splice.ts';

const keepAliveDelay = 60_000;

interface Connection {
  protocol: Protocol;
  address: string | undefined;
  client: Socket;
  broker: Socket;
  throttle: () => void;
}

interface Where {
  host: string;
  port: number;
  range: PortRange | undefined;
}

/** The data path in this process: a TCP listener per protocol, and two sockets per connection. It resets what is not admitted. */
export class TcpRelay implements DataPath {
  readonly #events: DataPathEvents;
  readonly #connections = new Set<Connection>();
  readonly #listeners = new Map<Protocol, { server: Server; port: number }>();
  readonly #buckets = { incoming: new TokenBucket(), outgoing: new TokenBucket() };
  #policy: Policy = { admits: () => false, serverOf: () => null, rateLimit: null };
  #host: string | undefined;

  constructor(events: DataPathEvents) {
    this.#events = events;
  }

  get ports(): Ports {
    return Object.fromEntries([...this.#listeners].map(([protocol, { port }]) => [protocol, port]));
  }
  get connections(): number {
    return this.#connections.size;
  }
  get servers(): readonly [Protocol, Server][] {
    return [...this.#listeners].map(([protocol, { server }]) => [protocol, server]);
  }

  enforce(policy: Policy): void {
    this.#policy = policy;
    this.#buckets.incoming.rate = policy.rateLimit;
    this.#buckets.outgoing.rate = policy.rateLimit;
    for (const { protocol, address, client, broker, throttle } of this.#connections) {
      if (policy.admits(protocol, address)) throttle();
      else resetBoth(client, broker);
    }
  }

  async listen(
    { host, ports, port_range: range }: Pick<GatewayState, 'host' | 'ports' | 'port_range'>,
    inherited?: ReadonlyMap<Protocol, Inherited>,
  ): Promise<void> {
    const isElsewhere = this.#host !== undefined && this.#host !== host;
    this.#host = host;
    for (const protocol of [...this.#listeners.keys()])
      if (isElsewhere || !(protocol in ports)) this.#close(protocol);
    const missing = (Object.entries(ports) as [Protocol, number][]).filter(
      ([protocol]) => !this.#listeners.has(protocol),
    );
    await Promise.all(
      missing.map(([protocol, port]) =>
        this.#open(protocol, { host, port, range }, inherited?.get(protocol)),
      ),
    );
  }

  stopListening(): void {
    for (const protocol of [...this.#listeners.keys()]) this.#close(protocol);
    this.#reportIdle();
  }

  resetAll(): void {
    for (const { client, broker } of this.#connections) resetBoth(client, broker);
  }

  #close(protocol: Protocol): void {
    this.#listeners.get(protocol)?.server.close();
    this.#listeners.delete(protocol);
  }

  async #open(protocol: Protocol, { host, port, range }: Where, inherited?: Inherited): Promise<void> {
    const { log } = this.#events;
    const server = inherited
      ? await this.#listen(protocol, inherited.server)
      : await atFreePort(portsToTry(port, range), (free) => this.#listen(protocol, { port: free, host }));
    if (server === undefined) return log('error', 'no port is free', { protocol, range });
    // such as too many open files: present connections stay
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
      // an error of one client must not end the process
      client.on('error', () => undefined);
      void this.#receive(protocol, client);
    });
    await once(server.listen(where), 'listening');
    return server;
  }

  async #receive(protocol: Protocol, client: Socket): Promise<void> {
    const address = client.remoteAddress;
    const server = this.#serverFor(protocol, address);
    const port = server?.ports[protocol];
    // the policy may have changed while the process was looked up
    const isStill = () => this.#serverFor(protocol, address)?.ports[protocol] === port;
    if (port === undefined || !(await lives(server)) || !isStill()) {
      this.#events.log('debug', 'connection refused', { protocol, address });
      client.resetAndDestroy();
      return;
    }
    const broker = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const throttle = splice(client, broker, this.#buckets);
    const connection = { protocol, address, client, broker, throttle };
    this.#connections.add(connection);
    const leave = () => {
      if (!client.closed || !broker.closed) return;
      this.#connections.delete(connection);
      this.#reportIdle();
    };
    client.once('close', leave);
    broker.once('close', leave);
    client.setKeepAlive(true, keepAliveDelay);
    // a client that closed during the lookup emits no further event
    if (client.destroyed) resetBoth(client, broker);
  }

  /** What serves a connection from this address; null if it is not admitted. */
  #serverFor(protocol: Protocol, address: string | undefined): BrokerAddress | null {
    const { admits, serverOf } = this.#policy;
    return admits(protocol, address) ? serverOf(protocol) : null;
  }

  #reportIdle(): void {
    if (this.#listeners.size === 0 && this.#connections.size === 0) this.#events.onIdle?.();
  }
}

/** After the end of a process another program may have its ports, and must not get what clients send. */
const lives = async (server: BrokerAddress | null): Promise<boolean> =>
  server !== null && (await startOf(server.pid)) === server.process_start;
