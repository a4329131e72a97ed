import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { idOf, keyGrantKey, tokenHash, type TenantId } from '@sluice/contracts';
import { aDeployment, client, connectBroker, eventually, putGrant } from '@sluice/testing';
import { WebSocket } from 'ws';
import { untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({
  replicas: 1,
  environment: {
    VALIDATE_RESPONSES: 'true',
    PUBLIC_URL: 'http://region.test',
    CONSOLE_URL: 'https://console.test/',
    BROKER_SESSIONS_PER_CALLER: '2',
    BROKER_SESSION_IDLE_SECONDS: '3',
    BROKER_SESSION_BYTES: '10000000',
  },
});
let url: string;
let key: string;
let id: number;
let ruleId: number;
let login: { username: string; password: string };

const all = { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: true };
const path = () => `/deployments/${id}/broker`;
const address = () => `${url.replace('http', 'ws')}${path()}`;
const admit = async (name: string) => {
  const rule = { name, rules: all, cidr_blocks: ['127.0.0.0/8'] };
  const { body } = await client(url, key).post<{ id: number }>(`/deployments/${id}/access_rules`, rule);
  ruleId = body.id;
};

beforeAll(async () => {
  ({ url } = region.replica());
  key = await region.key();
  const shape = aDeployment({ tier: 'small', limits: { access_rules: 10 } });
  ({ id } = shape);
  await region.apply(shape);
  await untilStatus(url, key, shape.id, 'initialized', 60_000);
  await admit('first');
  login = (await client(url, key).get<typeof login>(`/deployments/${id}/credentials`)).body;
}, 120_000);

/** A session, and what comes of it. */
async function open(token = key, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address(), { headers: { 'svc-api-key': token, ...headers } });
  const closed = once(socket, 'close').then(([code, reason]) => [code as number, String(reason)] as const);
  closed.catch(() => undefined);
  socket.on('error', () => undefined);
  let text = '';
  socket.on('message', (data: Buffer) => (text += data.toString()));
  const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
    const answer = response as AsyncIterable<Buffer> & { statusCode: number };
    let body = '';
    for await (const piece of answer) body += piece.toString();
    return { status: answer.statusCode, code: (JSON.parse(body) as { code: string }).code };
  });
  const outcome = await Promise.race([once(socket, 'open').then(() => null), refused]);
  refused.catch(() => undefined);
  return { socket, closed, refused: outcome, text: () => text };
}
/** The broker has taken the login, and answers. */
async function signedIn(token?: string) {
  const session = await open(token);
  expect(session.refused).toBeNull();
  await eventually(() => expect(session.text()).toMatch(/^INFO /));
  const { username: user, password: pass } = login;
  session.socket.send(`CONNECT ${JSON.stringify({ user, pass, verbose: false, protocol: 1 })}\r\nPING\r\n`);
  await eventually(() => expect(session.text()).toContain('PONG\r\n'));
  return session;
}
/** How a session ends, and after how long. */
async function endOf(session: Awaited<ReturnType<typeof open>>, change: () => Promise<unknown>) {
  await change();
  const begun = performance.now();
  const [code, reason] = await session.closed;
  return { code, reason, isSoon: performance.now() - begun < 1_000 };
}

test('messages pass both ways, and the session is recorded with its end', async () => {
  const { socket, closed, text } = await signedIn();
  socket.send('SUB orders.* 1\r\nPUB orders.new 5\r\nhello\r\n');
  await eventually(() => expect(text()).toContain('MSG orders.new 1 5\r\nhello\r\n'));
  socket.close();
  await closed;
  const about = async () => await messagesAbout<{ type: string; data: object }>(region, 'events', id);
  await eventually(async () => {
    const found = (await about()).filter(({ type }) => type.startsWith('broker_session'));
    expect(found.slice(-2)).toMatchObject([
      { type: 'broker_session_opened', data: { address: '127.0.0.1' } },
      { type: 'broker_session_closed', data: { reason: 'gone', bytes_sent: expect.any(Number) as number } },
    ]);
  });
  // the login passes through, and is told to nobody
  expect(JSON.stringify(await about())).not.toContain(login.password);
});

test('without the permission, the rule, or as a page of another origin there is none', async () => {
  const viewer = await region.key('viewer');
  expect((await open(viewer)).refused).toEqual({ status: 403, code: 'forbidden' });
  expect((await open('svc_unknown')).refused).toEqual({ status: 401, code: 'unauthenticated' });
  for (const origin of ['https://evil.test', 'null', 'https://console.test.evil.test'])
    expect((await open(key, { origin })).refused).toEqual({ status: 403, code: 'origin_not_allowed' });
  const { refused, socket } = await open(key, { origin: 'https://console.test' });
  expect(refused).toBeNull();
  socket.terminate();
  const plain = await client(url, key).get(path());
  expect([plain.status, plain.body]).toMatchObject([426, { code: 'upgrade_required' }]);
  await client(url, key).delete(`/deployments/${id}/access_rules/${ruleId}`);
  expect((await open()).refused).toEqual({ status: 403, code: 'address_not_admitted' });
  const why = await client(url, key).get(path());
  expect([why.status, why.body]).toMatchObject([403, { code: 'address_not_admitted' }]);
  await admit('second');
});

test('a rule, or a key, that is gone ends a session within a second', async () => {
  const byRule = await signedIn();
  const rule = () => client(url, key).delete(`/deployments/${id}/access_rules/${ruleId}`);
  const ended = await endOf(byRule, rule);
  expect(ended.isSoon).toBe(true);
  // the gateway of the node, which sees the same address here, may be first
  expect(['address_not_admitted', 'broker_gone']).toContain(ended.reason);
  await admit('third');
  const token = await region.key();
  const byKey = await signedIn(token);
  expect(
    await endOf(byKey, () =>
      putGrant(
        { nats: region.nats, topology: region.names },
        keyGrantKey(idOf<TenantId>(1), tokenHash(token)),
        null,
      ),
    ),
  ).toEqual({
    ...{ code: 1008, reason: 'forbidden', isSoon: true },
  });
});

test('a caller has a number of sessions at most', async () => {
  const sessions = [await signedIn(), await signedIn()];
  expect((await open()).refused).toEqual({ status: 429, code: 'rate_limited' });
  for (const { socket } of sessions) socket.terminate();
  await eventually(async () => {
    const again = await open();
    expect(again.refused).toBeNull();
    again.socket.terminate();
  });
});

test('a session that is not used ends, and so does one with too large a frame', async () => {
  const idle = await signedIn();
  const pings = setInterval(() => idle.socket.send('PING\r\n'), 500);
  expect(await idle.closed).toEqual([1000, 'idle']);
  clearInterval(pings);
  const { socket, closed } = await signedIn();
  socket.send(Buffer.alloc(9 * 2 ** 20));
  expect((await closed)[0]).not.toBe(1000);
});

const load = (bytes: number) =>
  Buffer.concat([Buffer.from(`PUB load ${bytes}\r\n`), Buffer.alloc(bytes, 'x'), Buffer.from('\r\n')]);

test('bytes pass no faster than they may', async () => {
  const { socket, text } = await signedIn();
  socket.send('SUB load 1\r\n');
  const begun = performance.now();
  for (let count = 0; count < 300; count++) socket.send(load(100_000));
  await eventually(() => expect(text().length).toBeGreaterThan(30_000_000), { timeoutMs: 20_000 });
  // thirty megabytes at ten a second, of which one second may be saved up
  expect(performance.now() - begun).toBeGreaterThan(1_900);
  socket.terminate();
}, 30_000);

test('what a client does not read is not read of the broker either', async () => {
  const reader = await signedIn();
  reader.socket.send('SUB load 1\r\n');
  reader.socket.pause();
  const endpoints = (await client(url, key).get<{ endpoints: { broker_tcp: string } }>(`/deployments/${id}`))
    .body;
  const publisher = await connectBroker(endpoints.endpoints.broker_tcp, login);
  for (let count = 0; count < 600; count++) publisher.publish('load', Buffer.alloc(100_000, 'x'));
  await publisher.flush();
  await publisher.close();
  // it is idle while nothing passes
  await eventually(
    async () => {
      const events = await messagesAbout<{ data: { reason?: string; bytes_received?: number } }>(
        region,
        'events',
        id,
      );
      const { reason, bytes_received } = events.at(-1)?.data ?? {};
      expect(reason).toBe('idle');
      // of sixty megabytes what the buffers of the operating system take
      expect(bytes_received).toBeLessThan(25_000_000);
    },
    { timeoutMs: 20_000 },
  );
  reader.socket.terminate();
}, 40_000);

test('a broker that cannot be reached is a problem that says so', async () => {
  const silent: Server = createServer((socket: Socket) => socket.destroy());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as { port: number };
  const shape = aDeployment();
  await region.apply(shape);
  await untilStatus(url, key, shape.id, 'initialized', 60_000);
  await region.sql(`UPDATE nodes SET address = $2 WHERE deployment_id = $1`, [
    shape.id,
    JSON.stringify({ host: '127.0.0.1', ports: { broker_websocket: port } }),
  ]);
  const former = id;
  ({ id } = shape);
  await admit('all');
  expect((await open()).refused).toEqual({ status: 503, code: 'broker_unreachable' });
  id = former;
  silent.close();
}, 90_000);

test('a supervisor that stops ends its sessions, and says so', async () => {
  const session = await signedIn();
  await region.stopAll();
  expect(await session.closed).toEqual([1001, 'stopping']);
}, 60_000);
