import { createHmac } from 'node:crypto';
import { tunnelled } from '@sluice/system/tunnels';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { HttpsSinkSettings } from '../sink-settings.ts';
import { reasonOf, testLine, TryAgainLater, type Batch, type Destination } from './destination.ts';
import type { SinkRoute } from '../sink-addresses.ts';

const connectMilliseconds = 10_000;
/** what is read of an answer, which tells why something was refused */
const mostAnswerBytes = 2_048;
const longestPauseSeconds = 60 * 60;

export interface HttpsDestinationOptions {
  /** names the tenant's log in the id of each request */
  tenant: number;
  route: SinkRoute;
  now: () => Date;
}

/** Posts entries to a server of the tenant's, signed as Standard Webhooks has it where there is a secret for it. */
export function httpsDestination(settings: HttpsSinkSettings, options: HttpsDestinationOptions): Destination {
  const url = new URL(settings.url);
  const agent = agentFor(settings, options.route, url.protocol === 'https:');
  const secrets = secretsOf(settings);

  async function post(id: string, lines: readonly string[], isTest: boolean, signal: AbortSignal) {
    const isArray = settings.format === 'json';
    const body = isArray ? `[${lines.join(',')}]` : `${lines.join('\n')}\n`;
    const seconds = Math.floor(options.now().getTime() / 1000);
    try {
      options.route.check(url.hostname);
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: {
          ...settings.headers,
          'content-type': isArray ? 'application/json' : 'application/x-ndjson',
          'user-agent': 'sluice-audit',
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          ...signed(settings.signing_secret, `${id}.${seconds}.${body}`),
          ...(isTest && { 'svc-audit-test': 'true' }),
        },
        body,
        signal,
      });
      await requireTaken(answer);
    } catch (error) {
      throw asReason(error, secrets, signal);
    }
  }

  return {
    send: ({ first, last, lines }: Batch, signal) =>
      post(`audit_${options.tenant}_${first}_${last}`, lines, false, signal),
    test: (signal) => {
      const now = options.now();
      return post(`audit_${options.tenant}_test_${now.getTime()}`, [testLine(now)], true, signal);
    },
    close: () => agent.destroy(),
  };
}

function agentFor({ tls_ca: ca }: HttpsSinkSettings, { lookup, tunnel }: SinkRoute, isTls: boolean): Agent {
  const connect = buildConnector({ lookup, timeout: connectMilliseconds, ...(ca && { ca }) });
  return new Agent({
    connections: 1,
    pipelining: 1,
    // the caller ends what takes too long
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: tunnel && isTls ? tunnelled(tunnel, connect) : connect,
  });
}

/** As the library `standardwebhooks` signs, in a tenth of its time: a batch of 4 MiB would hold up the process for 30 ms. */
function signed(secret: string | null | undefined, text: string): Record<string, string> {
  if (!secret) return {};
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return { 'webhook-signature': `v1,${createHmac('sha256', key).update(text).digest('base64')}` };
}

/** Redirects are not followed: the log is meant for this server alone. @throws Error, TryAgainLater */
async function requireTaken({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<void> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    read.push(piece);
    bytes += piece.length;
    // leaving the loop closes the connection
    if (bytes > mostAnswerBytes) break;
  }
  if (statusCode >= 200 && statusCode < 300) return;
  const said = Buffer.concat(read).subarray(0, mostAnswerBytes).toString('utf8').trim();
  const message = `The server answered ${statusCode}${said && `: ${said}`}`;
  const pause = retryAfter(headers['retry-after']);
  if (pause > 0) throw new TryAgainLater(message, Math.min(pause, longestPauseSeconds));
  throw new Error(message);
}

/** Seconds; 0 where nothing is said. */
function retryAfter(value: string | string[] | undefined): number {
  if (typeof value !== 'string') return 0;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return seconds > 0 ? seconds : 0;
}

function secretsOf({ headers = {}, signing_secret }: HttpsSinkSettings): string[] {
  const values = Object.values(headers);
  // of `Bearer <token>` a server says the token alone
  return [
    ...values,
    ...values.flatMap((value) => value.split(/\s+/)),
    ...(signing_secret ? [signing_secret] : []),
  ];
}

function asReason(error: unknown, secrets: readonly string[], signal: AbortSignal): Error {
  if (signal.aborted) return new Error('The server did not answer in time');
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = reasonOf(message, secrets);
  return error instanceof TryAgainLater
    ? new TryAgainLater(reason, error.seconds)
    : new Error(reason || 'The server could not be reached', { cause });
}
