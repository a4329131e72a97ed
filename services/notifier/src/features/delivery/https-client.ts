import { connect as connectTcp, type Socket } from 'node:net';
import { DestinationRefused, type Destinations } from '@sluice/system/destinations';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { openTunnel } from './tunnel.ts';

/** What one attempt is allowed to take. */
const attemptMilliseconds = 10_000;
const mostAnswerBytes = 1024 * 1024;
/** of an answer that refuses, in the history */
const mostQuoted = 200;

export interface HttpsRequest {
  url: string;
  method: 'POST' | 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How an attempt has ended. */
export interface Outcome {
  result: 'delivered' | 'later' | 'never';
  /** for people; it tells no secrets */
  reason: string | null;
  /** how long the receiver wants to be left alone */
  pauseSeconds?: number;
}

export interface HttpsClient {
  send(request: HttpsRequest, stopped: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

export interface HttpsClientOptions {
  destinations: Destinations;
  /** certificates in PEM form to trust; default: the well-known authorities */
  authorities?: string[] | undefined;
  /** the proxy through which the internet is reached */
  proxy?: URL | undefined;
  attemptMilliseconds?: number;
}

/**
 * Sends messages to addresses that tenants have written down. What is connected to is an address that was looked at a moment
 * before, also through a proxy; redirects are not followed; an attempt has ten seconds, its answer a megabyte.
 */
export function httpsClient({
  destinations,
  authorities,
  proxy,
  ...options
}: HttpsClientOptions): HttpsClient {
  const milliseconds = options.attemptMilliseconds ?? attemptMilliseconds;
  const connectTls = buildConnector({
    timeout: milliseconds,
    lookup: destinations.lookup,
    ...(authorities !== undefined && { ca: authorities }),
    maxCachedSessions: 100,
  });
  const agent = new Agent({
    // each channel gets one message at a time, so its own waiting is all that is waited for
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 20_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: proxy ? throughProxy(proxy, destinations, connectTls, milliseconds) : connectTls,
  });
  return {
    async send(request, stopped) {
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(milliseconds)]);
      try {
        destinations.check(new URL(request.url).hostname);
        return await attempt(agent, request, signal);
      } catch (error) {
        if (stopped.aborted) return { result: 'later', reason: 'the notifier was stopped meanwhile' };
        return failureOf(error, milliseconds);
      }
    },
    close: () => agent.destroy(),
  };
}

async function attempt(
  agent: Agent,
  { url, ...request }: HttpsRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const { origin, pathname, search } = new URL(url);
  const answer = await agent.request({ origin, path: `${pathname}${search}`, ...request, signal });
  const said = await read(answer.body);
  const { statusCode: status } = answer;
  if (said === null) return { result: 'later', reason: `it answers ${status}, and more than a megabyte` };
  if (status >= 200 && status < 300) return { result: 'delivered', reason: null };
  if (status >= 300 && status < 400)
    return { result: 'later', reason: `it answers ${status}: redirects are not followed` };
  const reason = `it answers ${status}${said === '' ? '' : `: ${said}`}`;
  return { result: status === 410 ? 'never' : 'later', reason, ...pauseOf(answer.headers) };
}

/** The beginning of an answer in one line, or null for one that is too long. It is read to its end, so that the connection can be used again. */
async function read(body: AsyncIterable<Buffer>): Promise<string | null> {
  let bytes = 0;
  let beginning = '';
  for await (const piece of body) {
    bytes += piece.length;
    // leaving the loop closes the connection
    if (bytes > mostAnswerBytes) return null;
    if (beginning.length < mostQuoted) beginning += piece.toString('utf8');
  }
  return beginning
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, mostQuoted);
}

const longestPauseSeconds = 300;

function pauseOf(headers: Dispatcher.ResponseData['headers']): Pick<Outcome, 'pauseSeconds'> {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return {};
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return seconds > 0 ? { pauseSeconds: Math.min(seconds, longestPauseSeconds) } : {};
}

/** What a failure is, in words for whoever has made the channel; those of libraries say more than they need. */
function failureOf(error: unknown, milliseconds: number): Outcome {
  const { name = '', code = '', cause } = (error ?? {}) as { name?: string; code?: string; cause?: unknown };
  if (error instanceof DestinationRefused)
    return { result: 'never', reason: 'its address is a private or internal one' };
  if (name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return { result: 'later', reason: `it has not answered within ${milliseconds / 1_000} seconds` };
  const known =
    reasons[code] ??
    (/^(ERR_(TLS|SSL)|CERT_|DEPTH_|SELF_|UNABLE_|EPROTO)/.test(code)
      ? `its certificate or its TLS cannot be used (${code})`
      : undefined);
  if (known !== undefined) return { result: 'later', reason: known };
  if (cause !== undefined && cause !== error) return failureOf(cause, milliseconds);
  return {
    result: 'later',
    reason: `it cannot be reached${/^[A-Z_]{1,40}$/.test(code) ? ` (${code})` : ''}`,
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  ECONNREFUSED: 'it takes no connections',
  ECONNRESET: 'it has closed the connection',
  UND_ERR_SOCKET: 'it has closed the connection',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'it does not take connections in time',
};

/** Connects by a proxy, which is told an address that was looked at and no name. */
function throughProxy(
  proxy: URL,
  destinations: Destinations,
  connectTls: buildConnector.connector,
  milliseconds: number,
): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port || 443);
    tunnelTo(destinations, proxy, options.hostname, port, milliseconds).then(
      (httpSocket) => connectTls({ ...options, httpSocket }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function tunnelTo(
  destinations: Destinations,
  proxy: URL,
  host: string,
  port: number,
  milliseconds: number,
): Promise<Socket> {
  destinations.check(host);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  destinations.lookup(host, { all: false }, (error, address) =>
    error || typeof address !== 'string' ? reject(error ?? new Error('no address')) : resolve(address),
  );
  const address = await promise;
  const socket = connectTcp(Number(proxy.port || 80), proxy.hostname.replace(/^\[(.*)\]$/, '$1'));
  return await openTunnel(socket, proxy, address, port, milliseconds);
}
