import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { idOf, type TenantId } from '@sluice/contracts';
import { destinations } from '@sluice/system/destinations';
import { createAuthority } from '@sluice/system/authority';
import {
  connectProxy,
  httpsReceiver,
  testNameServer,
  type ConnectProxy,
  type HttpsReceiver,
  type TestNameServer,
} from '@sluice/testing';
import { httpsClient, type HttpsClient, type HttpsClientOptions, type HttpsRequest } from './https-client.ts';

/** Destinations that are chosen to hurt us, or are just broken: none gets a message that it should not. */

const never = new AbortController().signal;
const request = (url: string, tenant = 1): HttpsRequest & { tenant: TenantId } => ({
  ...{ url, method: 'POST', headers: {}, body: '{}' },
  tenant: idOf(tenant),
});

let receiver: HttpsReceiver;
beforeAll(async () => {
  receiver = await httpsReceiver();
});
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.connections = 0;
  receiver.answer = () => undefined;
});

const clients: HttpsClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** what names stand for, at each lookup; the last is for all later ones */
let names: Record<string, string[][]> = {};
let nameServer: TestNameServer;
beforeAll(async () => {
  nameServer = await testNameServer(({ name, type }) => {
    if (name.startsWith('hanging')) return 'hang';
    const turns = names[name];
    if (!turns) return 'unknown';
    return { addresses: (type === 'A' && turns.length > 1 ? turns.shift() : turns[0]) ?? [] };
  });
});
afterAll(() => nameServer.stop());

/** A client that trusts the receiver, and for which names stand for `answers`. */
function aClient(
  answers: Record<string, string[][]> = {},
  { allowed = [], ...options }: Partial<HttpsClientOptions> & { allowed?: string[] } = {},
): HttpsClient {
  names = answers;
  const servers = [nameServer.address];
  const guarded = destinations({ who: 'Tests', reach: 'internet', allowed, refused: [], servers });
  const client = httpsClient({
    destinations: guarded,
    authorities: [receiver.authority],
    attemptMilliseconds: 3_000,
    ...options,
  });
  clients.push(client);
  return client;
}

/** An IPv4 address as those write it who want it not to be seen. */
function disguises(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `0x${hex(a)}.0x${hex(b)}.${c}.${d}`,
    `0${a.toString(8)}.0${b.toString(8)}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '。'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[::ffff:0:${high}:${low}]`,
  ];
}

const internal = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '172.16.5.4',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
];
const others = `
  192.0.2.7 198.51.100.7 203.0.113.7 198.18.0.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
  192.0.0.8 192.88.99.1 168.63.129.16 100.100.100.200 0.1.2.3 [::] [::1] [fe80::1] [fec0::1] [fc00::1]
  [fd00:ec2::254] [fd20:ce::254] [ff02::1] [ff0e::1] [2001:db8::1] [3fff::1] [100::1] [2001:10::1]
  [2001:20::1] [2001:2::1] [5f00::1] [4000::1] [::2] [1::1] [2002:7f00:1::] [2001::1] [64:ff9b::1]
`
  .trim()
  .split(/\s+/);
/** ports behind which something could be */
const ports = ['', ':8443'];
const hostile = [...internal.flatMap(disguises), ...others].flatMap((host) =>
  ports.map((port) => `https://${host}${port}/`),
);

test(`no address that is not of the internet is connected to, however it is written`, async () => {
  expect(hostile.length).toBeGreaterThanOrEqual(200);
  const client = aClient();
  const reached: unknown[] = [];
  for (const url of hostile) {
    // some are no addresses at all: these could not be written down
    if (!URL.canParse(url)) continue;
    const outcome = await client.send(request(url), never);
    if (outcome.result !== 'never' || !outcome.reason?.includes('private or internal'))
      reached.push({ url, outcome });
  }
  expect(reached).toEqual([]);
});

test('no name that stands for such an address is connected to either', async () => {
  const addresses = [...internal, '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1', '2002:7f00:1::1'];
  for (const address of addresses) {
    const outcome = await aClient({ 'evil.example': [[address]] }).send(
      request('https://evil.example/'),
      never,
    );
    expect([address, outcome]).toEqual([
      address,
      { result: 'never', reason: 'its address is a private or internal one' },
    ]);
  }
});

test('a name that stands for something else at each look-up is connected to where it was looked at', async () => {
  const url = `https://rebinding.example:${receiver.port}/`;
  // looked up once per connection: there is no second answer to fall for
  const turns = { 'rebinding.example': [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']] };
  const outcome = await aClient(turns, { attemptMilliseconds: 500 }).send(request(url), never);
  expect(outcome.result).toBe('later');
  const next = await aClient({ 'rebinding.example': [['127.0.0.1']] }).send(request(url), never);
  expect(next.result).toBe('never');
  expect(receiver.connections).toBe(0);
});

describe('of a destination that may be connected to', () => {
  const local = { allowed: ['127.0.0.1'] };
  const names = { 'other.example': [['127.0.0.1']] };

  test('many requests go by the same connections', async () => {
    const client = aClient(names, local);
    for (let i = 0; i < 5; i++)
      expect(await client.send(request(`${receiver.url}/${i}`), never)).toEqual({
        result: 'delivered',
        reason: null,
      });
    expect(receiver.received).toHaveLength(5);
    expect(receiver.connections).toBeLessThan(5);
  });

  test('no redirect is followed', async () => {
    for (const location of ['https://169.254.169.254/', 'http://localhost/', '/elsewhere'])
      for (const status of [301, 302, 303, 307, 308]) {
        receiver.answer = () => ({ status, headers: { location } });
        expect(await aClient(names, local).send(request(receiver.url), never)).toEqual({
          result: 'later',
          reason: `it answers ${status}: redirects are not followed`,
        });
      }
    expect(receiver.received.map(({ path }) => path)).toEqual(Array(15).fill('/'));
  });

  test('an answer that is none says so', async () => {
    const reasons = new Set<unknown>();
    for (const head of ['HTTP/1.1 banana\r\n\r\n', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(50_000)}\r\n\r\n`]) {
      receiver.answer = (_request, response) => {
        response.socket?.end(head);
        return 'hang';
      };
      const { result, reason } = await aClient(names, local).send(request(receiver.url), never);
      expect(result).toBe('later');
      reasons.add(reason);
    }
    expect([...reasons]).toEqual(['its answer is not one that HTTP has, or has too long headers']);
  });

  test('no endless answer is read', async () => {
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, 'a');
    receiver.answer = (_request, response) => {
      const endless = new Readable({
        read() {
          sent += piece.length;
          this.push(piece);
        },
      });
      response.writeHead(200).on('close', () => endless.destroy());
      endless.pipe(response);
      return 'hang';
    };
    const outcome = await aClient(names, local).send(request(receiver.url), never);
    expect(outcome).toEqual({ result: 'later', reason: 'it answers 200, and more than a megabyte' });
    expect(sent).toBeLessThan(50 * 2 ** 20);
  });

  test.each(['nothing', 'a head alone', 'a body that never ends'])('%s is not waited for', async (what) => {
    receiver.answer = (_request, response) => {
      if (what !== 'nothing') response.writeHead(200).flushHeaders();
      if (what.startsWith('a body')) response.write('a');
      return 'hang';
    };
    const outcome = await aClient(names, { ...local, attemptMilliseconds: 200 }).send(
      request(receiver.url),
      never,
    );
    expect(outcome).toEqual({ result: 'later', reason: 'it has not answered within 0.2 seconds' });
  });

  test('what it says of how long to wait is heeded, up to five minutes', async () => {
    receiver.answer = ({ path }) => ({ status: 429, headers: { 'retry-after': path.slice(1) } });
    const pauseOf = async (path: string) =>
      (await aClient(names, local).send(request(`${receiver.url}/${path}`), never)).pauseSeconds;
    expect([await pauseOf('7'), await pauseOf('86400'), await pauseOf('soon')]).toEqual([7, 300, undefined]);
  });

  test('a certificate that is not its own, not of a trusted authority, or not valid any more is not taken', async () => {
    const days = 24 * 60 * 60_000;
    const issuer = await createAuthority('Trusted', { from: new Date(Date.now() - 10 * days), days: 30 });
    const strangers = await httpsReceiver();
    const expired = await httpsReceiver({ issuer, from: new Date(Date.now() - 5 * days), days: 1 });
    const trusting = { ...local, authorities: [receiver.authority, issuer.certificate] };
    for (const url of [strangers.url, expired.url, `https://other.example:${receiver.port}`]) {
      const outcome = await aClient(names, trusting).send(request(url), never);
      expect(outcome).toEqual({
        result: 'later',
        reason: expect.stringMatching(/^its certificate or its TLS cannot be used \([A-Z_]+\)$/) as string,
      });
    }
    await strangers.stop();
    await expired.stop();
    expect([receiver, strangers, expired].map(({ received }) => received.length)).toEqual([0, 0, 0]);
  });

  test('what speaks no TLS, closes at once or is not there has a reason of its own', async () => {
    const listening = async (server: Server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    };
    const plain = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\n\r\n'),
    );
    const closing = createServer((socket) => socket.on('error', () => undefined).destroy());
    const ports = [await listening(plain), await listening(closing)];
    const reasons: unknown[] = [];
    for (const port of [...ports, 1])
      reasons.push((await aClient(names, local).send(request(`https://localhost:${port}`), never)).reason);
    expect(reasons).toEqual([
      expect.stringContaining('TLS'),
      'it has closed the connection',
      'it takes no connections',
    ]);
    plain.close();
    closing.close();
  });
});

describe('through a proxy', () => {
  let proxy: ConnectProxy;
  let named: HttpsReceiver;
  beforeAll(async () => {
    named = await httpsReceiver({ name: 'hooks.example' });
    proxy = await connectProxy(() => named.port);
  });
  afterAll(async () => {
    proxy.stop();
    await named.stop();
  });
  beforeEach(() => {
    proxy.asked.length = 0;
    proxy.answer = undefined;
  });

  test('it gets the address that was looked at, and the certificate is that of the name', async () => {
    const client = aClient(
      { 'hooks.example': [['93.184.215.14']] },
      {
        proxy: proxy.url('ada:s3cret@'),
        authorities: [named.authority],
      },
    );
    expect(await client.send(request(named.url), never)).toEqual({ result: 'delivered', reason: null });
    expect(proxy.asked).toEqual([
      `CONNECT 93.184.215.14:${named.port} HTTP/1.1\r\nHost: 93.184.215.14:${named.port}\r\n` +
        `Proxy-Authorization: Basic ${Buffer.from('ada:s3cret').toString('base64')}\r\n\r\n`,
    ]);
  });

  test('it is asked for nothing that is private', async () => {
    const client = aClient({ 'evil.example': [['10.0.0.1']] }, { proxy: proxy.url() });
    for (const url of ['https://evil.example/', 'https://10.0.0.1/'])
      expect((await client.send(request(url), never)).result).toBe('never');
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    'HTTP/1.1 403 Forbidden\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\nand more',
    'nonsense\r\n\r\n',
    '',
    'x'.repeat(20_000),
  ])('it gives no tunnel: %j', async (said) => {
    proxy.answer = said;
    const client = aClient({ 'hooks.example': [['93.184.215.14']] }, { proxy: proxy.url() });
    expect(await client.send(request(named.url), never)).toEqual({
      result: 'later',
      reason: 'it cannot be reached (EPROXY)',
    });
  });
});
