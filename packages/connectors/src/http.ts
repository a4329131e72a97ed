import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ConfigEntry } from '@sluice/contracts';
import type { Agent, Dispatcher } from 'undici';
import { addressIssue, type Destinations } from '@sluice/system/destinations';
import { ConfigRefused, TryLater, type PluginConfig } from './plugin.ts';
import { authorityField, field, list, optionalText, text, urlPattern } from './schema.ts';

/** What plugins that speak HTTP can be told of their server. */
export const httpFields: readonly ConfigEntry[] = [
  field('url', 'string', 'URL', 'http:// or https://, without a login in it', {
    required: true,
    pattern: urlPattern,
    destination: 'url',
  }),
  field('username', 'string', 'User name', 'for basic authentication'),
  field('password', 'secret', 'Password', 'for basic authentication'),
  field('token', 'secret', 'Token', 'sent as a bearer token, in place of a user name and password'),
  field('headers', 'list', 'Headers', 'more headers, each as "Name: value"'),
  field('secret_headers', 'secret', 'Secret headers', 'more headers, one "Name: value" a line'),
  authorityField,
];

export interface HttpAnswer {
  status: number;
  /** as text, at most as much as was asked for */
  body: string;
  /** whether there was more */
  isCut: boolean;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface HttpRequest {
  method: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** what is read of the answer; the rest is not waited for */
  mostBytes: number;
}

export interface HttpServer {
  url: URL;
  /** what must not appear in what people read */
  secrets: readonly (string | null)[];
  /** Sends the headers of the configuration with each request. Follows no redirects. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/**
 * A client for the server that `httpFields` tell of. @throws ConfigRefused
 * @param tokenScheme how the token is announced
 */
export async function httpServer(
  config: PluginConfig,
  destinations: Destinations,
  tokenScheme = 'Bearer',
): Promise<HttpServer> {
  const url = readUrl(text(config, 'url'), destinations);
  const configured = configuredHeaders(config, tokenScheme);
  const ca = optionalText(config, 'tls_ca');
  // heavy, and loaded by nodes that have such a connector only
  const { Agent: Client } = await import('undici');
  const agent = new Client({
    connections: 4,
    pipelining: 1,
    // whoever calls ends what takes too long
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup: destinations.lookup, timeout: 10_000, ...(ca !== null && { ca }) },
  });
  return {
    url,
    secrets: secretsOf(config, configured['authorization']),
    request: (request) => {
      destinations.check(request.url.hostname);
      return send(agent, { ...request, headers: { ...request.headers, ...configured } });
    },
    close: () => agent.destroy(),
  };
}

function readUrl(written: string, destinations: Destinations): URL {
  const url = URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigRefused('url is no http:// or https:// address');
  const issue = addressIssue(written);
  if (issue !== null) throw new ConfigRefused(`url ${issue}`);
  try {
    destinations.check(url.hostname);
  } catch (error) {
    throw new ConfigRefused((error as Error).message, { cause: error });
  }
  return url;
}

async function send(agent: Agent, { url, mostBytes, ...request }: HttpRequest): Promise<HttpAnswer> {
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    ...request,
  } satisfies Dispatcher.RequestOptions);
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.body as AsyncIterable<Buffer>) {
    read.push(piece);
    bytes += piece.length;
    // leaving the loop closes the connection
    if (bytes > mostBytes) break;
  }
  const body = Buffer.concat(read).subarray(0, mostBytes).toString('utf8');
  return { status: answer.statusCode, headers: answer.headers, body, isCut: bytes > mostBytes };
}

/** those that say how a message is framed and where it goes */
const ownHeaders = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'te'];

function configuredHeaders(config: PluginConfig, tokenScheme: string): Record<string, string> {
  const secret = (optionalText(config, 'secret_headers') ?? '').split('\n').filter((line) => line.trim());
  const authorization = authorizationOf(config, tokenScheme);
  return {
    ...Object.fromEntries(list(config, 'headers').map((line) => readHeader(line, 'headers'))),
    ...Object.fromEntries(secret.map((line) => readHeader(line, 'secret_headers'))),
    ...(authorization !== null && { authorization }),
  };
}

function authorizationOf(config: PluginConfig, tokenScheme: string): string | null {
  const token = optionalText(config, 'token');
  if (token !== null) return readHeader(`authorization: ${tokenScheme} ${token}`, 'token')[1];
  const username = optionalText(config, 'username');
  if (username === null) return null;
  const login = `${username}:${optionalText(config, 'password') ?? ''}`;
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/** `line` may be a secret, so that no message shows it. */
function readHeader(line: string, key: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line.trim()) ?? [];
  const read = [name.trim().toLowerCase(), value.trim()] as const;
  try {
    validateHeaderName(read[0]);
    validateHeaderValue(read[0], read[1]);
  } catch {
    throw new ConfigRefused(`${key} has a line that is no header, as in "Name: value"`);
  }
  if (ownHeaders.includes(read[0])) throw new ConfigRefused(`${key} must not set ${read[0]}`);
  return [...read];
}

function secretsOf(config: PluginConfig, authorization: string | undefined): (string | null)[] {
  const lines = (optionalText(config, 'secret_headers') ?? '').split('\n');
  const values = lines.map((line) => line.slice(line.indexOf(':') + 1).trim());
  return [
    ...values,
    authorization?.split(' ')[1] ?? null,
    optionalText(config, 'token'),
    optionalText(config, 'password'),
  ];
}

/** What a status says of what was sent. */
export type Verdict = 'taken' | 'later' | 'never';

/** asked too early or too often, or by whom or where it should not be: that is for people to set right, and loses no message */
const passing = [401, 402, 403, 404, 405, 407, 408, 421, 425, 429];

/** `never`: this server will not take this message. A redirect is no reason to send a message elsewhere. */
export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'taken';
  return status >= 400 && status < 500 && !passing.includes(status) ? 'never' : 'later';
}

const longestPauseMs = 3_600_000;

/** The error by which all is tried again, no sooner than the server asks for. */
export function laterError(message: string, headers: HttpAnswer['headers']): Error {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return new Error(message);
  const pauseMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return pauseMs > 0 ? new TryLater(message, Math.min(pauseMs, longestPauseMs)) : new Error(message);
}
