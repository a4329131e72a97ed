import type { IncomingMessage } from 'node:http';
import supertest, { type Response as SuperagentResponse } from 'supertest';

/** What an API answers. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** the parsed JSON; `{}` when the answer has none */
  body: Body;
}

/** A client of one API, which answers refusals like everything else and follows no redirect. */
export interface Client {
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>;
  post<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer<Body>>;
  put<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer<Body>>;
  delete<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>;
  /** Text goes out as it is and everything else as JSON, except for bytes: they are of no media type. */
  request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
}

/** Calls the API at `url` with a key, or without one. */
export function client(url: string, key?: string): Client {
  async function request<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const test = new supertest.Test(url, method, path).set(headers);
    if (key !== undefined) test.set('svc-api-key', key);
    if (body !== undefined) {
      const isJson = !(body instanceof Uint8Array);
      if (isJson && !('content-type' in headers)) test.set('content-type', 'application/json');
      test.serialize((ready: string) => ready).send(encoded(body));
    }
    const response = await test.buffer(true).parse(readBody);
    return {
      status: response.status,
      headers: headersOf(response.headers),
      body: response.body as Body,
    };
  }
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    put: (path, body) => request('PUT', path, body),
    delete: (path) => request('DELETE', path),
  };
}

/** JSON, and `{}` for anything else; a stream, which has no end, is left once it has begun. */
function readBody(response: SuperagentResponse, done: (error: Error | null, body: unknown) => void): void {
  const incoming = response as unknown as IncomingMessage;
  const type = incoming.headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    done(null, {});
    return void setImmediate(() => incoming.destroy());
  }
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    try {
      const content = Buffer.concat(chunks).toString('utf8');
      done(null, /[/+]json($|[^-\w])/i.test(type) && content.trim() !== '' ? JSON.parse(content) : {});
    } catch (error) {
      done(error as Error, {});
    }
  });
}

function encoded(body: unknown): string | Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The metrics of a service, as Prometheus reads them. */
export async function metricsOf(url: string): Promise<string> {
  return (await supertest(url).get('/metrics')).text;
}

/** Node gives those that come several times, such as `set-cookie`, as arrays. */
function headersOf(received: Record<string, string | string[]>): Headers {
  return new Headers(
    Object.entries(received).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );
}
