import { AsyncLocalStorage } from 'node:async_hooks';
import { createSecureContext } from 'node:tls';
import type { TenantId } from '@sluice/contracts';
import { DestinationRefused, type Destinations } from '@sluice/system/destinations';
import { tunnelled, tunnels } from '@sluice/system/tunnels';
import { Agent, buildConnector } from 'undici';
import { sendRequest, type Answer } from './send-request.ts';

/** What one attempt is allowed to take. */
const attemptMilliseconds = 10_000;

export interface HttpsRequest {
  url: string;
  method: 'POST' | 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How an attempt has ended. */
export interface DeliveryOutcome {
  result: 'delivered' | 'later' | 'never';
  /** for people; it tells no secrets */
  reason: string | null;
  /** it was not even tried */
  isUnsent?: boolean;
  /** its name servers have not answered */
  isNameUnanswered?: boolean;
  /** how long the receiver wants to be left alone */
  pauseSeconds?: number;
}

export interface HttpsClient {
  /** `tenant`: whose share of lookups of names it uses */
  send(request: HttpsRequest & { tenant: TenantId }, stopped: AbortSignal): Promise<DeliveryOutcome>;
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
  // an agent connects on behalf of the request that it is given, and says no more of it than its host
  const sender = new AsyncLocalStorage<TenantId>();
  const ofSender = () => destinations.of(`tenant ${sender.getStore() ?? 0}`);
  const lookup: Destinations['lookup'] = (...asked) => ofSender().lookup(...asked);
  const connectTls = buildConnector({
    timeout: milliseconds,
    lookup,
    // made once: reading all authorities for each connection would take longer than the handshake
    secureContext: createSecureContext({ ca: authorities }),
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
    connect: proxy
      ? tunnelled(tunnels({ proxy, destinations: { ...destinations, lookup }, milliseconds }), connectTls)
      : guarded(destinations, connectTls),
  });
  return {
    async send(request, stopped) {
      try {
        const { origin, pathname, search } = new URL(request.url);
        const { method, headers, body, tenant } = request;
        const sent = { origin, path: `${pathname}${search}`, method, headers, body };
        return outcomeOf(await sender.run(tenant, () => sendRequest(agent, sent, milliseconds, stopped)));
      } catch (error) {
        if (stopped.aborted) return { result: 'later', reason: 'the notifier was stopped meanwhile' };
        return failureOf(error, milliseconds);
      }
    },
    close: () => agent.destroy(),
  };
}

/** What is written as an address is connected to without a lookup, so it is looked at before. */
function guarded(destinations: Destinations, connectTls: buildConnector.connector): buildConnector.connector {
  return (options, connected) => {
    try {
      destinations.check(options.hostname);
    } catch (error) {
      return connected(error instanceof Error ? error : new Error(String(error)), null);
    }
    connectTls(options, connected);
  };
}

function outcomeOf({ status, headers, responseExcerpt }: Answer): DeliveryOutcome {
  if (responseExcerpt === null)
    return { result: 'later', reason: `it answers ${status}, and more than a megabyte` };
  if (status >= 200 && status < 300) return { result: 'delivered', reason: null };
  if (status >= 300 && status < 400)
    return { result: 'later', reason: `it answers ${status}: redirects are not followed` };
  const reason = `it answers ${status}${responseExcerpt === '' ? '' : `: ${responseExcerpt}`}`;
  return { result: status === 410 ? 'never' : 'later', reason, ...pauseOf(headers) };
}

const longestPauseSeconds = 300;

function pauseOf(headers: Answer['headers']): Pick<DeliveryOutcome, 'pauseSeconds'> {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return {};
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return seconds > 0 ? { pauseSeconds: Math.min(seconds, longestPauseSeconds) } : {};
}

/** What a failure is, in words for the owner of the channel; those of libraries say more than they need. */
function failureOf(error: unknown, milliseconds: number): DeliveryOutcome {
  const { name = '', code = '', cause } = (error ?? {}) as { name?: string; code?: string; cause?: unknown };
  if (error instanceof DestinationRefused)
    return { result: 'never', reason: 'its address is a private or internal one' };
  if (name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return { result: 'later', reason: `it has not answered within ${milliseconds / 1_000} seconds` };
  if (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return { result: 'later', reason: 'its answer is not one that HTTP has, or has too long headers' };
  if (code === 'EAI_AGAIN')
    return { result: 'later', reason: 'its name cannot be looked up', isNameUnanswered: true };
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
  ECONNREFUSED: 'it takes no connections',
  ECONNRESET: 'it has closed the connection',
  UND_ERR_SOCKET: 'it has closed the connection',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'it does not take connections in time',
};
