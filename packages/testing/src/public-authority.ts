import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer as createTlsServer, request as send } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { eventually } from './eventually.ts';
import { startPebble, type Pebble, type PebbleOptions } from './pebble.ts';

/** What a test has an authority answer in place of its own. `lost`: it acts, and its answer is lost. `away`: it does neither. */
export type Fault =
  'lost' | 'away' | { status: number; headers?: Record<string, string>; body?: Record<string, unknown> };

/** A public authority for tests: Pebble behind a front that can fail, and a DNS provider that sets the records it looks at. */
export interface TestPublicAuthority {
  /** the settings (`ACME_…`) of a supervisor that asks it */
  settings: Record<string, string>;
  /** PEM: what its certificates lead to */
  root: string;
  /** each request by its method and path, in order */
  requests: string[];
  /** what Pebble has said to each that came to it: `<method> <path> <status>` */
  answers: string[];
  /** decides of each request, before it goes on, whether it fails; undefined: it does not */
  fault: ((request: string) => Fault | undefined | Promise<undefined>) | undefined;
  /** the records that are set, each as `<name> <value>` */
  records: Set<string>;
  /** what the DNS provider answers in place of setting a record */
  providerStatus: number | undefined;
  /** Has it say when a certificate is to be renewed. */
  renewBetween(certificate: string, from: Date, to: Date): Promise<void>;
  /** how many orders it was asked for, and took */
  orders(): number;
  stop(): Promise<void>;
}

/** how it says its paths; no client may know */
const newOrder = 'POST /order-plz';
const login = { username: 'sluice', password: 'records-of-tests' };

/** Starts one; null where `startPebble` is. */
export async function testPublicAuthority(options: PebbleOptions = {}): Promise<TestPublicAuthority | null> {
  const pebble = await startPebble(options);
  if (!pebble) return null;
  const state = {
    requests: [] as string[],
    answers: [] as string[],
    fault: undefined as TestPublicAuthority['fault'],
    records: new Set<string>(),
    providerStatus: undefined as number | undefined,
  };
  const agent = new Agent({ ca: pebble.tls.ca, keepAlive: true });
  const pass = async (from: IncomingMessage, to: ServerResponse) => {
    const what = `${from.method} ${from.url}`;
    state.requests.push(what);
    const fault = await state.fault?.(what);
    if (fault === 'away') return void from.socket.destroy();
    if (typeof fault === 'object') return answer(to, fault);
    forward(from, to, { pebble, agent }, (status) => {
      state.answers.push(`${what} ${status}`);
      if (fault === 'lost') from.socket.destroy();
      return fault !== 'lost';
    });
  };
  const front = createTlsServer(
    { cert: pebble.tls.certificate, key: pebble.tls.private_key },
    (from, to) => void pass(from, to).catch(() => from.socket.destroy()),
  );
  const provider = createServer((from, to) => void provide(from, to, pebble, state));
  const [frontPort, providerPort] = [await listen(front), await listen(provider)];
  const root = await eventually(() => manage(pebble, agent, '/roots/0'), { timeoutMs: 15_000 });
  const authority = Object.assign(state, {
    root,
    settings: {
      CERTIFICATE_DRIVER: 'acme',
      BASE_DOMAIN: 'brokers.example',
      ACME_DIRECTORY_URL: `https://127.0.0.1:${frontPort}/dir`,
      ACME_CONTACTS: 'platform@example.com',
      ACME_TERMS_AGREED: 'true',
      ACME_TLS_CA: pebble.tls.ca,
      ACME_ROOTS: root,
      ACME_DNS_URL: `http://127.0.0.1:${providerPort}/dns/`,
      ACME_DNS_USERNAME: login.username,
      ACME_DNS_PASSWORD: login.password,
      ACME_DNS_SECONDS: '0',
      ACME_DNS_RESOLVERS: `127.0.0.1:${pebble.dnsPort}`,
    },
    orders: () => state.answers.filter((said) => said === `${newOrder} 201`).length,
    async renewBetween(certificate: string, start: Date, end: Date) {
      const ariResponse = JSON.stringify({ suggestedWindow: { start, end } });
      await manage(pebble, agent, '/set-renewal-info/', JSON.stringify({ certificate, ariResponse }));
    },
    async stop() {
      for (const server of [front, provider]) {
        server.closeAllConnections();
        server.close();
      }
      agent.destroy();
      await pebble.stop();
    },
  });
  return authority;
}

function forward(
  from: IncomingMessage,
  to: ServerResponse,
  { pebble, agent }: { pebble: Pebble; agent: Agent },
  answered: (status: number) => boolean,
): void {
  const { method, url: path, headers } = from;
  // it says its addresses by the host that it was asked by
  const onward = send({ host: '127.0.0.1', port: pebble.port, agent, method, path, headers }, (back) => {
    if (!answered(back.statusCode ?? 0)) return void back.resume();
    to.writeHead(back.statusCode ?? 502, back.headers);
    back.pipe(to);
  });
  onward.on('error', () => from.socket.destroy());
  from.pipe(onward);
}

function answer(to: ServerResponse, { status, headers, body }: Exclude<Fault, string>): void {
  to.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  to.end(JSON.stringify(body ?? {}));
}

/** The provider's two requests: a record is set, or goes. */
async function provide(
  from: IncomingMessage,
  to: ServerResponse,
  pebble: Pebble,
  state: Pick<TestPublicAuthority, 'records' | 'providerStatus'>,
): Promise<void> {
  const expected = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const { fqdn, value } = JSON.parse((await from.toArray()).join('')) as { fqdn: string; value: string };
  const isNew = from.url === '/dns/present';
  if (from.headers.authorization !== expected) return answer(to, { status: 401 });
  if (isNew && state.providerStatus !== undefined) return answer(to, { status: state.providerStatus });
  const tell = (what: string, body: object) =>
    fetch(`http://127.0.0.1:${pebble.dnsManagementPort}/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
  if (isNew) {
    state.records.add(`${fqdn} ${value}`);
    await tell('set-txt', { host: fqdn, value });
  } else if (state.records.delete(`${fqdn} ${value}`)) await tell('clear-txt', { host: fqdn });
  answer(to, { status: 200 });
}

/** Says or asks what is not for clients. */
async function manage(pebble: Pebble, agent: Agent, path: string, body?: string): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'user-agent': 'sluice-tests' };
  const asked = send({ host: '127.0.0.1', port: pebble.managementPort, agent, path, method, headers });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  if (response.statusCode !== 200) throw new Error(`Pebble refuses ${path}: ${text}`);
  return text;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
