import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { identify, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { BrokerAddress } from '../gateway/protocol.ts';
import type { BrokerPage, DesiredBroker } from '../runtimes/runtime.ts';
import { passOn } from './broker-upgrade.ts';
import type { Answer } from './page-files.ts';

/** What one node serves at once: its clients are few people. */
const most = { connections: 256, sessions: 64 };

/** Milliseconds and bytes. The page's own requests have a few hundred bytes of headers and no body. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 8 * 2 ** 10,
};
const handshakeTimeout = 5_000;

/**
 * The page for people that a node serves at `broker_http`: its files, and a WebSocket of the same origin that is passed on to the broker. It
 * listens on loopback; the gateway admits clients and passes their bytes on, as it does for the broker. docs/decisions/199.
 */
export class StreamPage {
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #http: HttpServer;
  readonly #https: HttpsServer;
  readonly #sessions = new Set<Socket>();
  #answer: Answer | null = null;
  #files: string | null = null;
  #certificate = '';
  #broker: BrokerAddress | null = null;
  #isBrokerSecure = false;
  #address: BrokerAddress | null = null;

  /** @param onChange called when `address` has changed */
  constructor(log: Log, onChange: () => void) {
    this.#log = log;
    this.#onChange = onChange;
    this.#http = createHttp(limits);
    this.#https = createHttps({ ...limits, handshakeTimeout });
    for (const server of [this.#http, this.#https]) {
      server.maxRequestsPerSocket = 1_000;
      server.maxConnections = most.connections;
      server.on('request', (request, response) => {
        if (this.#answer) this.#answer(request, response);
        else response.writeHead(503, { connection: 'close' }).end();
      });
      server.on('upgrade', (request, client, head) => void this.#upgrade(request, client, head));
      server.on('error', (error) =>
        log.error('the page could not accept a connection', { reason: reasonOf(error) }),
      );
      server.on('clientError', (_error, client) => client.destroy());
    }
    this.#https.on('tlsClientError', () => undefined);
  }

  /** where the gateway passes clients on to; null while there is no page */
  get address(): BrokerAddress | null {
    return this.#address;
  }

  setBroker(broker: BrokerAddress | null): void {
    this.#broker = broker;
  }

  /** Follows a state: the page of its runtime, by the deployment's certificate where there is one. Open connections stay. */
  async follow(page: BrokerPage | undefined, desired: DesiredBroker): Promise<void> {
    try {
      if (page === undefined) return;
      this.#isBrokerSecure = page.isSecure(desired);
      this.#setCertificate(desired.tls ?? null);
      if (page.files !== this.#files) {
        // most nodes of a fleet may have none
        const { pageFiles } = await import('./page-files.ts');
        this.#answer = pageFiles(page.files);
        this.#files = page.files;
      }
      await this.#open(this.#certificate === '' ? this.#http : this.#https);
    } catch (error) {
      // the broker serves all the same
      this.#log.error('the page of the broker cannot be served', { reason: reasonOf(error) });
    }
  }

  #setCertificate(tls: DesiredBroker['tls'] | null): void {
    if (!tls) {
      this.#certificate = '';
      return;
    }
    if (tls.certificate === this.#certificate) return;
    this.#https.setSecureContext({ cert: tls.certificate, key: tls.private_key, minVersion: 'TLSv1.2' });
    this.#certificate = tls.certificate;
  }

  /** With the first certificate another server answers; who is connected to the former one stays. */
  async #open(server: HttpServer | HttpsServer): Promise<void> {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    if (this.#address?.ports.broker_http === port) return;
    const own = await identify(process.pid);
    if (own === null) throw new Error('this process is not known to the system');
    this.#address = { ...own, ports: { broker_http: port } };
    this.#onChange();
  }

  async #upgrade(...[request, client, head]: UpgradeArguments): Promise<void> {
    try {
      const isFull = this.#sessions.size >= most.sessions;
      const broker = isFull ? null : this.#broker;
      const upstream = await passOn(request, client, head, { broker, isSecure: this.#isBrokerSecure });
      if (!upstream) return;
      this.#sessions.add(upstream);
      upstream.once('close', () => this.#sessions.delete(upstream));
    } catch (error) {
      client.destroy();
      this.#log.warn('a client could not be passed on to the broker', { reason: reasonOf(error) });
    }
  }
}

type UpgradeArguments = [Parameters<typeof passOn>[0], Duplex, Buffer];
