import { mkdir, rm, writeFile } from 'node:fs/promises';
import { request, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { createLog, readConfig, type RunningService } from '@sluice/service';
import { testFolder } from '@sluice/testing';
import { startConsole } from '../src/app.ts';
import { consoleEnvironment } from '../src/config.ts';

export const token = 'a'.repeat(43);

export interface Reached {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server in the place of a layer: it keeps what reaches it, and answers what the test says. */
export class Layer {
  readonly server: Server = createServer((incoming, response) => void this.#serve(incoming, response));
  readonly #sockets = new Set<Socket>();
  reached: Reached[] = [];
  answering: Answering = (_request, response) =>
    response.setHeader('content-type', 'application/json').end('{}');

  async open(): Promise<this> {
    this.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get last(): Reached {
    const last = this.reached.at(-1);
    if (!last) throw new Error('nothing has reached the layer');
    return last;
  }
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    // also those of WebSockets, which the server does not count as its own any more
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const { method = '', url = '', headers } = incoming;
    this.reached.push({ method, url, headers, body });
    this.answering(incoming, response);
  }
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  body: Record<string, unknown>;
}

/** A request as it is, with any path and headers. */
export async function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  sent.end(body);
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
  const isPlain = incoming.headers['content-encoding'] === undefined;
  const isJson = isPlain && /json/.test(incoming.headers['content-type'] ?? '') && text !== '';
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

export const refusal = ({ status, body }: Answer): string => `${status} ${String(body['code'])}`;

/** What a page of the console sends. */
export const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
/** What a browser sends for a page in a tab. */
export const tab = {
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  accept: 'text/html',
};

/** The console in front of servers in the place of the layers. Its hooks register themselves. */
export class ConsoleFixture {
  readonly mainApi = new Layer();
  readonly audit = new Layer();
  readonly region = new Layer();
  readonly #more: Record<string, string>;
  #running: RunningService | undefined;
  #folder = '';
  /** regions that the Main API tells of */
  regions: { cloud: string; region: string; supervisor_url: string }[] = [];

  constructor(more: Record<string, string> = {}) {
    this.#more = more;
    beforeAll(() => this.#open());
    beforeEach(() => this.#reset());
    afterAll(() => this.#close());
  }

  get port(): number {
    return this.running.port;
  }
  get running(): RunningService {
    if (!this.#running) throw new Error('The console is not there: use it in a hook or a test.');
    return this.#running;
  }
  /** where browsers reach it */
  readonly origin = 'http://127.0.0.1:7606';
  readonly host = { host: '127.0.0.1:7606' };
  readonly session = { cookie: `sluice=${token}` };

  /** A request of a page of the console, with a session. */
  ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    send(this.port, method, path, { ...this.host, ...own, ...this.session, ...headers }, body);
  /** A document in a tab. */
  open = (path: string, headers: Record<string, string> = {}) =>
    send(this.port, 'GET', path, { ...this.host, ...tab, ...headers });

  async #open(): Promise<void> {
    for (const layer of [this.mainApi, this.audit, this.region]) await layer.open();
    this.#folder = await testFolder();
    await writeWebApp(this.#folder);
    const environment = readConfig(consoleEnvironment, {
      PORT: '0',
      LOG_LEVEL: 'error',
      PUBLIC_URL: this.origin,
      MAIN_API_URL: this.mainApi.url,
      AUDIT_URL: this.audit.url,
      CONSOLE_FILES: this.#folder,
      REGION_ADDRESS_SECONDS: '0.05',
      ...this.#more,
    });
    this.#running = await startConsole(environment, createLog('console', environment.LOG_LEVEL));
  }

  #reset(): void {
    this.regions = [{ cloud: 'cloud_a', region: 'us-east-1', supervisor_url: this.region.url }];
    for (const layer of [this.mainApi, this.audit, this.region]) {
      layer.reached = [];
      layer.answering = (request, response) =>
        response
          .setHeader('content-type', 'application/json')
          .end(
            JSON.stringify(request.url === '/context' ? { regions: this.regions } : { path: request.url }),
          );
    }
  }

  async #close(): Promise<void> {
    await this.#running?.stop();
    for (const layer of [this.mainApi, this.audit, this.region]) await layer.close();
    await rm(this.#folder, { recursive: true });
  }
}

/** The built files of a web app, as far as the console cares. */
export async function writeWebApp(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>',
  );
  await writeFile(join(folder, 'assets/app-0a1b2c3d.js'), `// ${'plain '.repeat(500)}\n`);
  await writeFile(join(folder, 'assets/packed-0a1b2c3d.js'), `// ${'plain '.repeat(500)}\n`);
  await writeFile(join(folder, 'assets/packed-0a1b2c3d.js.br'), 'the packed one');
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
}
