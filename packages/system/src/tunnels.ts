import { Agent, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Destinations } from './destinations.ts';

/** Opens a connection to a port of a host, for TLS to run on. @throws Error when there is none in time */
export type OpenTunnel = (host: string, port: number) => Promise<Socket>;

export interface TunnelOptions {
  /** `http://[user:password@]host:port` */
  proxy: URL;
  destinations: Pick<Destinations, 'check' | 'lookup'>;
  /** in which the proxy has to have connected */
  milliseconds: number;
}

/** Tunnels through an HTTP proxy. It gets an address that was checked and no name, so that it cannot be led elsewhere. */
export function tunnels({ proxy, destinations, milliseconds }: TunnelOptions): OpenTunnel {
  return async (host, port) => {
    destinations.check(host);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    destinations.lookup(host, { all: false }, (error, address) =>
      error || typeof address !== 'string' ? reject(error ?? new Error('no address')) : resolve(address),
    );
    const address = await promise;
    const socket = connect(Number(proxy.port || 80), withoutBrackets(proxy.hostname));
    return await openTunnel(socket, proxy, address, port, milliseconds);
  };
}

type Connected = (...result: [error: Error, socket: null] | [error: null, socket: Socket]) => void;
type Connect<Options> = (options: Options, connected: Connected) => void;

/** What a client of undici connects with, so that its TLS runs in tunnels. */
export function tunnelled<Options extends { hostname: string; port: string }>(
  open: OpenTunnel,
  connectTls: Connect<Options & { httpSocket?: Socket }>,
): Connect<Options> {
  return (options, connected) => {
    open(options.hostname, Number(options.port || 443)).then(
      (httpSocket) => connectTls({ ...options, httpSocket }, connected),
      (error: unknown) => connected(asError(error), null),
    );
  };
}

/** An agent of Node's own client of HTTPS, whose connections are tunnels. */
export class TunnelAgent extends Agent {
  readonly #open: OpenTunnel;

  constructor(open: OpenTunnel, options: ConstructorParameters<typeof Agent>[0]) {
    super(options);
    this.#open = open;
  }

  override createConnection(
    options: RequestOptions,
    connected: (error: Error | null, socket?: Duplex | null) => void,
  ): undefined {
    this.#open(options.host ?? '', Number(options.port ?? 443)).then(
      (socket) => {
        const overTunnel = { ...options, socket };
        connected(null, super.createConnection(overTunnel));
      },
      (error: unknown) => connected(asError(error)),
    );
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/** of what a proxy says before the tunnel is open */
const mostHeadBytes = 16 * 1024;

/**
 * Asks an HTTP proxy, to which `socket` connects, for a tunnel.
 * @throws Error when there is none in time
 */
async function openTunnel(
  socket: Socket,
  proxy: URL,
  address: string,
  port: number,
  milliseconds: number,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const fail = (code: string) => reject(Object.assign(new Error('the proxy gives no tunnel'), { code }));
  const timer = setTimeout(() => fail('EPROXY'), milliseconds);
  let head = Buffer.alloc(0);
  const onData = (piece: Buffer) => {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return head.length > mostHeadBytes ? fail('EPROXY') : undefined;
    // nothing comes after the head before we have spoken
    const isOpen = /^HTTP\/1\.[01] 200\b/.test(head.toString('latin1')) && head.length === end + 4;
    if (!isOpen) return fail('EPROXY');
    resolve(socket);
  };
  const onError = () => fail('EPROXY');
  socket.on('data', onData).on('error', onError).on('close', onError);
  socket.write(request(proxy, address, port));
  try {
    const opened = await promise;
    opened.pause();
    return opened;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    socket.off('data', onData).off('error', onError).off('close', onError);
    // its next owner listens itself; until then an error must not end the process
    socket.on('error', () => undefined);
  }
}

function request({ username, password }: URL, address: string, port: number): string {
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`;
  return `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`;
}
