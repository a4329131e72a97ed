import { Agent, type Dispatcher } from 'undici';

export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  body: string;
  /** of several of a name the first */
  header(name: string): string | undefined;
}

export interface HttpClient {
  /** Follows no redirects. @throws Error that says in a few words why there is no answer, without the server's address */
  request(request: HttpRequest): Promise<HttpAnswer>;
}

const requestMilliseconds = 15_000;
const mostBytes = 256 * 1_024;

export interface HttpClientOptions {
  who: string;
  /** PEM, what to trust in place of the well-known authorities */
  ca: string | undefined;
  stopping: AbortSignal;
}

/** Authorities want to know what asks them. */
const userAgent = 'sluice-supervisor';

export function httpClient({ who, ca, stopping }: HttpClientOptions): HttpClient {
  const agent = new Agent({
    connections: 8,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    connect: { timeout: 10_000, ...(ca !== undefined && { ca }) },
  });
  stopping.addEventListener('abort', () => void agent.destroy(), { once: true });
  return {
    async request({ signal: caller, ...request }) {
      const signal = AbortSignal.any([caller, AbortSignal.timeout(requestMilliseconds)]);
      try {
        return await send(agent, { ...request, signal });
      } catch (error) {
        caller.throwIfAborted();
        throw new Error(`${who} cannot be reached (${shortReason(error)})`, { cause: error });
      }
    },
  };
}

async function send(agent: Agent, { url, headers: own, ...request }: HttpRequest): Promise<HttpAnswer> {
  const { origin, pathname, search } = new URL(url);
  const sent = { 'user-agent': userAgent, ...own };
  const options = { origin, path: `${pathname}${search}`, headers: sent, ...request };
  const {
    statusCode: status,
    headers,
    body,
  } = await agent.request(options satisfies Dispatcher.RequestOptions);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // leaving the loop closes the connection
    if (bytes > mostBytes) throw new Error('its answer is too long');
    pieces.push(piece);
  }
  const header = (name: string) => [headers[name]].flat()[0];
  return { status, body: Buffer.concat(pieces).toString('utf8'), header };
}

function shortReason(error: unknown): string {
  // no instanceof: under jest, Node's own errors are of another Error
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  if (typeof code === 'string') return code;
  if (name === 'TimeoutError') return 'no answer in time';
  return typeof message === 'string' ? message.slice(0, 100) : 'no answer';
}
