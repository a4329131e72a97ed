import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { wsconnect } from '@nats-io/nats-core';
import { jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import { serverName, testAuthority } from '#test/certificates.ts';
import { removeNodes, runningNode } from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';

const { username: user, password: pass } = credentials;
const admitted = everybody.map((rule) => ({ ...rule, protocols: ['broker_http' as const] }));
let files: string;

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'sluice-stream-page-'));
  await mkdir(join(files, 'assets'));
  await writeFile(join(files, 'index.html'), '<meta property="csp-nonce" nonce="__CSP_NONCE__">');
  await writeFile(join(files, 'assets/app-0a1b2c3d.js'), 'document.title = "Streams";\n');
});
afterAll(() => rm(files, { recursive: true, force: true }));
afterEach(removeNodes);

async function nodeWithPage(options: Parameters<typeof runningNode>[0] = {}) {
  const node = await runningNode({ ...options, environment: { STREAM_PAGE_FILES: files } });
  const { ports } = await node.supervisor.hears(({ ports: { broker_http } }) => broker_http !== null);
  return { ...node, port: ports.broker_http ?? 0 };
}

interface Asked {
  ca?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** @throws Error when the connection is reset */
async function ask(port: number, path: string, { ca, ...options }: Asked = {}) {
  const where = { host: '127.0.0.1', port, path, agent: false, ...options };
  const sent =
    ca === undefined ? plainRequest(where) : secureRequest({ ...where, ca, servername: serverName });
  const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
  const serial = ca === undefined ? '' : (answer.socket as TLSSocket).getPeerCertificate().serialNumber;
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer), serial };
}

/** Signs in by the page's WebSocket. */
const signIn = (port: number) =>
  wsconnect({
    servers: `ws://127.0.0.1:${port}/broker`,
    ...{ user, pass, reconnect: false, timeout: 5_000 },
  });

/** Opens a WebSocket. @returns how that is answered, and the connection where it is one */
async function upgrade(port: number, path: string, headers: Record<string, string> = {}, ca?: string) {
  const key = Buffer.alloc(16, 7).toString('base64');
  const needed = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const where = {
    ...{ host: '127.0.0.1', port, path, agent: false },
    headers: { ...needed, 'sec-websocket-key': key, ...headers },
  };
  const sent =
    ca === undefined ? plainRequest(where) : secureRequest({ ...where, ca, servername: serverName });
  sent.end();
  return await Promise.race([
    once(sent, 'upgrade').then(([answer, socket, head]) => ({
      status: (answer as IncomingMessage).statusCode,
      socket: socket as Socket,
      head: head as Buffer,
    })),
    once(sent, 'response').then(([answer]) => ({
      status: (answer as IncomingMessage).statusCode,
      socket: null,
      head: Buffer.alloc(0),
    })),
  ]);
}

/** A frame of a client, of less than 126 bytes, whose mask changes nothing. */
const frame = (said: string) => Buffer.from([0x82, 0x80 | said.length, 0, 0, 0, 0, ...Buffer.from(said)]);

const upgraded = async (...call: Parameters<typeof upgrade>) => {
  const { status, socket } = await upgrade(...call);
  socket?.destroy();
  return status;
};

test('who a rule admits to broker_http gets the page and speaks with the broker, and nobody else', async () => {
  const { supervisor, port } = await nodeWithPage();
  await expect(ask(port, '/')).rejects.toThrow(/ECONNRESET|hang up/);
  await supervisor.desire({ access_rules: [{ ...everybody[0]!, protocols: ['broker_tcp'] }] });
  await expect(ask(port, '/')).rejects.toThrow(/ECONNRESET|hang up/);
  await supervisor.desire({ access_rules: admitted });

  const page = await ask(port, '/');
  expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  const [, nonce = ''] = /nonce="([^"]+)"/.exec(page.body) ?? [];
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
      "font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
  );
  expect((await ask(port, '/')).body).not.toContain(nonce);
  expect(await ask(port, '/assets/app-0a1b2c3d.js')).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
  });
  for (const path of ['/index.html', '/assets/%2e%2e/index.html', '/assets/../../etc/passwd', '/varz', '//'])
    expect([path, (await ask(port, path)).status]).toEqual([path, 404]);
  expect((await ask(port, '/', { method: 'POST' })).status).toBe(405);

  const broker = await signIn(port);
  await (await jetstreamManager(broker)).streams.add({ name: 'orders', subjects: ['orders'] });
  await supervisor.desire({ access_rules: [] });
  await broker.closed();
});

test('with a certificate the page is served by TLS, and a new certificate cuts nobody', async () => {
  const authority = await testAuthority();
  const tls = await authority.issue();
  const { supervisor, port } = await nodeWithPage({ broker: { tls } });
  await supervisor.desire({ access_rules: admitted });
  const ca = authority.authority;
  const before = await ask(port, '/', { ca });
  expect(before.status).toBe(200);
  await expect(ask(port, '/')).rejects.toThrow();
  const { status, socket, head } = await upgrade(port, '/broker', {}, ca);
  expect(status).toBe(101);
  let said = head.toString();
  socket!.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const answers = async (count: number) =>
    await eventually(() => expect(said.split('PONG')).toHaveLength(count + 1));
  socket!.write(frame(`CONNECT ${JSON.stringify({ user, pass, verbose: false })}\r\nPING\r\n`));
  await answers(1);
  await supervisor.desire({ broker: { tls: await authority.issue() } });
  await eventually(async () => expect((await ask(port, '/', { ca })).serial).not.toBe(before.serial));
  socket!.write(frame('PING\r\n'));
  await answers(2);
  socket!.destroy();
});

test('pages of other sites, and upgrades that are none, do not reach the broker', async () => {
  const { supervisor, port } = await nodeWithPage();
  await supervisor.desire({ access_rules: admitted });
  expect(await upgraded(port, '/broker')).toBe(101);
  expect(await upgraded(port, '/broker', { origin: 'https://evil.test' })).toBe(403);
  expect(await upgraded(port, '/broker', { origin: 'null' })).toBe(403);
  expect(await upgraded(port, '/')).toBe(404);
  expect(await upgraded(port, '/broker', { 'sec-websocket-key': 'x\ty' })).toBe(400);
  expect(await upgraded(port, '/broker', { upgrade: 'h2c' })).toBe(400);
});

test('requests that are none end, and the page goes on', async () => {
  const { supervisor, port, agent } = await nodeWithPage();
  await supervisor.desire({ access_rules: admitted });
  const sockets = ['\0\0\0', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 'GET / HT'].map(
    (bytes) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      return once(socket.resume(), 'close');
    },
  );
  // the last one never ends its headers
  await Promise.all(sockets);
  expect((await ask(port, '/')).status).toBe(200);
  expect(agent.child.exitCode).toBeNull();
}, 60_000);

test('the page works while the supervisor is away, and is there again with the next agent at the same port', async () => {
  const node = await nodeWithPage();
  await node.supervisor.desire({ access_rules: admitted });
  await node.supervisor.goAway();
  expect((await ask(node.port, '/')).status).toBe(200);
  await (await signIn(node.port)).close();
  node.agent.child.kill('SIGKILL');
  await node.agent.ended;
  await expect(ask(node.port, '/')).rejects.toThrow();
  node.startAgent();
  await eventually(async () => expect((await ask(node.port, '/')).status).toBe(200), { timeoutMs: 30_000 });
  await (await signIn(node.port)).close();
}, 60_000);
