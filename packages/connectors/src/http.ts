import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ConfigEntry } from '@sluice/contracts';
import type { Agent, Dispatcher } from 'undici';
import type { Destinations } from '@sluice/system/destinations';
import { checkedUrl } from './dial.ts';
import { excerptOf } from './messages.ts';
import { ConfigRefused, TryLater, type PluginConfig } from './plugin.ts';
import { authorityField, field, list, optionalText, text, urlPattern } from './schema.ts';

const mostAnswerBytes = 16_384;

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

export interface HttpResponse {
  status: number;
  /** as text, at most as much as was asked for */
  body: string;
  isCut: boolean;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface HttpRequest {
  method: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** of the answer that are read; the rest is not waited for */
  mostBytes?: number;
}

export interface HttpServer {
  url: URL;
  /** Sends the headers of the configuration with each request. Follows no redirects. */
  sendRequest(request: HttpRequest): Promise<HttpResponse>;
  /** A reason for people from what the server answered, without secrets. */
  excerpt(answer: string): string;
  responseExcerpt(response: HttpResponse): string;
  close(): Promise<void>;
}

export async function httpServer(
  config: PluginConfig,
  destinations: Destinations,
  tokenScheme = 'Bearer',
): Promise<HttpServer> {
  const url = checkedUrl('url', text(config, 'url'), destinations);
  const configured = configuredHeaders(config, tokenScheme);
  const ca = optionalText(config, 'tls_ca');
  // heavy, and loaded by nodes that have such a connector only
  const { Agent: Client } = await import('undici');
  const agent = new Client({
    connections: 4,
    pipelining: 1,
    // the caller's signal ends what takes too long
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup: destinations.lookup, timeout: 10_000, ...(ca !== null && { ca }) },
  });
  const secrets = secretsOf(config, configured['authorization']);
  const excerpt = (answer: string) => excerptOf(answer, secrets);
  return {
    url,
    excerpt,
    responseExcerpt: ({ status, body }) =>
      `The server answered ${status} ${excerpt(body.slice(0, 16_384))}`.trim(),
    sendRequest: (request) => {
      destinations.check(request.url.hostname);
      return send(agent, { ...request, headers: { ...request.headers, ...configured } });
    },
    close: () => agent.destroy(),
  };
}

async function send(
  agent: Agent,
  { url, mostBytes = mostAnswerBytes, ...request }: HttpRequest,
): Promise<HttpResponse> {
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
export function laterError(message: string, headers: HttpResponse['headers']): Error {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return new Error(message);
  const pauseMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return pauseMs > 0 ? new TryLater(message, Math.min(pauseMs, longestPauseMs)) : new Error(message);
}
