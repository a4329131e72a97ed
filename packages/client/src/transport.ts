import { clientError, errorOf, SluiceError } from './error.ts';
import { backoff, pause, timerMs } from './pause.ts';

/** Bounds of each call. */
export interface Bounds {
  /** attempts of a request, the first included; 1: no retries (default 5) */
  attempts?: number;
  /** how long a call may take with its retries, in milliseconds (default 60,000) */
  maxElapsedMs?: number;
  /** how long one attempt may take, in milliseconds; of a stream until it begins (default 60,000) */
  timeoutMs?: number;
  /** the longest answer that is read into memory (default 32 MiB) */
  maxResponseBytes?: number;
}

/** Sent with each request. A function is asked before each attempt. */
export interface Credentials {
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** the token of a session that a sign-in by device has given, in place of an API key */
  session?: string | (() => string | Promise<string>) | undefined;
  /** of a session in a browser, whose cookie the browser sends: the token from `GET /account`, which only writes need */
  csrfToken?: string | (() => string | Promise<string>) | undefined;
}

export interface Retry {
  error: SluiceError;
  /** the number of the attempt that failed, from 1 */
  attempt: number;
  pauseMs: number;
}

export interface TransportOptions extends Bounds, Credentials {
  /** in place of the global `fetch` */
  fetch?: typeof fetch;
  /** called before each pause */
  onRetry?: (retry: Retry) => void;
}

/** A request without credentials: each attempt makes another of it. */
export interface Outgoing {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | null | undefined;
  /** the answer is left to its reader, of any length */
  asStream: boolean;
}

/**
 * Sends a request until it is answered: what is `retryable` is repeated within the bounds, as `Retry-After` asks, and only if it cannot
 * have its effect twice.
 * @throws SluiceError; the reason of the signal if that is aborted
 */
export async function send(outgoing: Outgoing, options: TransportOptions): Promise<Response> {
  const { attempts = 5, maxElapsedMs = 60_000 } = options;
  const begun = performance.now();
  const headers = new Headers(outgoing.headers);
  const takesKey = ['POST', 'PUT'].includes(outgoing.method);
  if (takesKey && !headers.has('idempotency-key')) headers.set('idempotency-key', randomKey());
  // a server before 1.1.0 keeps none for sessions of browsers
  const isKept = takesKey && (options.apiKey !== undefined || options.session !== undefined);
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce({ ...outgoing, headers }, options);
    } catch (error) {
      if (!(error instanceof SluiceError) || attempt >= attempts) throw error;
      if (!isWorthRepeating(error, attempt, isKept || isRepeatable(outgoing.method))) throw error;
      const jittered = backoff(attempt, 300, 10_000);
      const pauseMs = error.retryAfterMs === undefined ? jittered : error.retryAfterMs + Math.random() * 250;
      if (performance.now() - begun + pauseMs > maxElapsedMs) throw error;
      options.onRetry?.({ error, attempt, pauseMs });
      await pause(pauseMs, outgoing.signal);
    }
  }
}

const isRepeatable = (method: string) => ['GET', 'HEAD', 'DELETE'].includes(method);

/** `canRepeat`: the request has its effect once, however often it is sent */
function isWorthRepeating(error: SluiceError, attempt: number, canRepeat: boolean): boolean {
  // the attempt before this one is still at work
  if (error.code === 'idempotent_request_in_progress') return attempt > 1;
  // these are refused before they have an effect
  return error.retryable && (canRepeat || [429, 503].includes(error.status));
}

async function sendOnce(outgoing: Outgoing, options: TransportOptions): Promise<Response> {
  const { timeoutMs = 60_000, maxResponseBytes = 32 * 2 ** 20 } = options;
  const { method, url, body } = outgoing;
  const request = `${method} ${new URL(url).pathname}`;
  const headers = await withCredentials(outgoing, options);
  const { signal, cancel } = deadline(timeoutMs, outgoing.signal);
  try {
    const send = options.fetch ?? fetch;
    // another address would get the credential, too
    const response = await send(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
    if (!response.ok || isForeignPage(response))
      throw errorOf(response, await readText(response, maxResponseBytes, request), request);
    if (outgoing.asStream || isEventStream(response)) return response;
    return await buffered(response, maxResponseBytes, request);
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    outgoing.signal?.throwIfAborted();
    throw signal.aborted
      ? clientError('request_timed_out', `No answer within ${timeoutMs} ms.`, { request, retryable: true })
      : clientError('connection_failed', `${new URL(url).origin} cannot be reached: ${reasonOf(error)}.`, {
          request,
          retryable: true,
          cause: error,
        });
  } finally {
    cancel();
  }
}

/** A signal that is aborted with another one, or when its time is over unless it was cancelled before. */
function deadline(milliseconds: number, outer: AbortSignal | null | undefined) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timerMs(milliseconds));
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal;
  return { signal, cancel: () => clearTimeout(timer) };
}

async function withCredentials(
  { method, headers }: Outgoing,
  { apiKey, session, csrfToken }: Credentials,
): Promise<Headers> {
  const own = new Headers(headers);
  const set = async (name: string, value: Credentials['apiKey']) => {
    if (value === undefined) return;
    const text = typeof value === 'string' ? value : await value();
    try {
      own.set(name, text);
    } catch {
      // what is thrown shows the value
      throw clientError(
        'credential_invalid',
        `The value for ${name} has characters that no header can have.`,
      );
    }
  };
  await set('svc-api-key', apiKey);
  await set('svc-session', session);
  // the function may read the token by a request of this client
  if (method !== 'GET') await set('x-csrf-token', csrfToken);
  return own;
}

/** A page of something else that is in between, such as one to sign in to a network. */
const isForeignPage = ({ headers }: Response) =>
  (headers.get('content-type') ?? '').startsWith('text/html') && !headers.has('svc-request');

const isEventStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;

async function buffered(response: Response, most: number, request: string): Promise<Response> {
  const { status, statusText, headers } = response;
  // an answer without a body may not be given one
  if (response.body === null || status === 204 || status === 304) return response;
  return new Response(await readBytes(response, most, request), { status, statusText, headers });
}

const readText = async (response: Response, most: number, request: string) =>
  new TextDecoder().decode(await readBytes(response, most, request));

async function readBytes({ body }: Response, most: number, request: string) {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>> | null)?.getReader();
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    length += piece.value.byteLength;
    if (length > most) {
      await reader?.cancel();
      throw clientError('response_too_large', `The answer has more than ${most} bytes.`, { request });
    }
    pieces.push(piece.value);
  }
  // not by a Blob: browsers wait for another process when one is made
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** `fetch` says why in its cause, which may be several. */
function reasonOf(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  if (cause instanceof Error) return reasonOf(cause);
  return message || code || 'the connection broke';
}

/** `crypto.randomUUID` is there with HTTPS only. */
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
