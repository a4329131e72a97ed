import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { testNameServer } from '@sluice/testing';
import {
  addressIssue,
  destinations as guardedBy,
  type DestinationRules,
  type Destinations,
} from './destinations.ts';

const destinations = (rules: Pick<DestinationRules, 'allowed' | 'refused'>) =>
  guardedBy({ ...rules, who: 'Connectors', reach: 'networks' });
/** What is written between spaces. */
const words = (text: string) => text.trim().split(/\s+/);

const guarded = destinations({ allowed: [], refused: ['203.0.113.0/24', '10.9.9.9'] });

test.each(
  words(`
  127.0.0.1 127.9.9.9 0x7f.1 2130706433 0.0.0.0 ::1 [::1] :: ::ffff:127.0.0.1 64:ff9b::7f00:1
  2002:7f00:1:: 169.254.169.254 fe80::1%eth0 fd00:ec2::254 fd20:ce::254 100.100.100.200 168.63.129.16
  224.0.0.1 ff02::1 255.255.255.255 240.0.0.1 ::127.0.0.1 [::7f00:1] ::8.8.8.8 ::2 0177.0.0.1 0.1.2.3
  64:ff9b:1::7f00:1 ::ffff:0:7f00:1 2001:0:7f00:1::1 2001:4860::5efe:7f00:1 fd12::200:5efe:127.0.0.1
  fec0::1
`),
)('%s is of the node, its link or its cloud', (address) => {
  expect(() => guarded.check(address)).toThrow('may not connect');
});

test("the node's own addresses are as its loopback", () => {
  const own = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  expect(own.length).toBeGreaterThan(0);
  for (const address of own) expect(() => guarded.check(address)).toThrow('may not connect');
});

test.each(['203.0.113.9', '10.9.9.9', '::ffff:10.9.9.9'])('%s was refused by the operator', (address) => {
  expect(() => guarded.check(address)).toThrow('may not connect');
});

test.each(['10.1.2.3', '192.168.3.4', '172.16.0.1', '100.64.1.1', 'fd12::1', '8.8.8.8', 'db.example'])(
  '%s may be connected to',
  (host) => {
    expect(() => guarded.check(host)).not.toThrow();
  },
);

test('what is allowed by the operator is more than what is refused', () => {
  const all = destinations({ allowed: ['127.0.0.0/8', '10.9.9.9'], refused: ['10.0.0.0/8'] });
  expect(() => all.check('127.0.0.1')).not.toThrow();
  expect(() => all.check('10.9.9.9')).not.toThrow();
  expect(() => all.check('10.9.9.8')).toThrow('may not connect');
  expect(() => all.check('::1')).toThrow('may not connect');
});

test('an allowed block that leads to IPv4 leads where IPv4 may', () => {
  const nat64 = guardedBy({ who: 'Sinks', reach: 'internet', allowed: ['64:ff9b::/96', '::1'], refused: [] });
  expect(() => nat64.check('64:ff9b::8.8.8.8')).not.toThrow();
  expect(() => nat64.check('::1')).not.toThrow();
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254'])
    expect(() => nat64.check(`64:ff9b::${address}`)).toThrow('may not connect');
});

test.each([
  ['https:///x', 'has to name a host'],
  ['https:x', 'has to name a host'],
  ['https:\\\\x/y', 'has to name a host'],
  ['https:/\t/x', 'has to name a host'],
  ['https://?x', 'is no address'],
  ['https://hooks.example:0/x', 'must not have port 0'],
  ['https://hooks.example:00000', 'must not have port 0'],
  ['https://hooks.example:70000', 'is no address'],
  ['https://hooks.example/x', null],
  ['https://hooks.example:8443', null],
])('of %j is said: %s', (written, issue) => {
  expect(addressIssue(written)).toBe(issue);
});

test('rules that are none are reported at once', () => {
  expect(() => destinations({ allowed: ['local'], refused: [] })).toThrow();
});

describe('a connection', () => {
  const listener = createServer((socket) => socket.on('error', () => {}).end('in'));
  let port = 0;
  beforeAll(async () => {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    ({ port } = listener.address() as AddressInfo);
  });
  afterAll(() => listener.close());

  type Connect = (socket: ReturnType<Destinations['socket']>) => unknown;
  const failure = async (rules: Destinations, connect: Connect) => {
    const socket = rules.socket();
    connect(socket);
    const error = await once(socket, 'connect').then(
      () => null,
      (raised: Error) => raised.message,
    );
    socket.destroy();
    return error;
  };

  test('is made to the address that was checked, however often the name changes', async () => {
    const turns = [['8.8.8.8', '127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']];
    const names = await testNameServer(({ type }) => ({
      addresses: type === 'A' ? (turns.shift() ?? ['127.0.0.1']) : [],
    }));
    const rules = guardedBy({
      ...{ who: 'Tests', reach: 'networks', allowed: ['127.0.0.1'], refused: ['8.0.0.0/8'] },
      servers: [names.address],
    });
    for (let i = 0; i < 2; i++)
      expect(await failure(rules, (socket) => socket.connect(port, 'rebinding.example'))).toBeNull();
    const internet = guardedBy({
      ...{ who: 'Tests', reach: 'internet', allowed: [], refused: [], servers: [names.address] },
    });
    await expect(internet.checkNow('rebinding.example')).rejects.toThrow('(10.0.0.1)');
    expect(names.asked.filter(({ type }) => type === 'A')).toHaveLength(3);
    await names.stop();
  });

  test('to a name that is being written down waits half a second for its addresses', async () => {
    const names = await testNameServer(() => 'hang');
    const rules = guardedBy({
      ...{ who: 'Tests', reach: 'internet', allowed: [], refused: [], servers: [names.address] },
    });
    await expect(rules.of('a').checkNow('hanging.example')).resolves.toBeUndefined();
    expect(names.asked.length).toBeGreaterThan(0);
    await names.stop();
  });

  test('is made to a permitted address, however it is asked for', async () => {
    const rules = destinations({ allowed: ['127.0.0.1'], refused: [] });
    expect(await failure(rules, (socket) => socket.connect(port, '127.0.0.1'))).toBeNull();
    expect(await failure(rules, (socket) => socket.connect({ port, host: 'localhost' }))).toBeNull();
  });

  test('is made to no other, neither by an address, nor by a name, nor by a path', async () => {
    const to = (connect: Connect) => failure(guarded, connect);
    expect(await to((socket) => socket.connect(port, '127.0.0.1'))).toContain('may not connect to 127.0.0.1');
    expect(await to((socket) => socket.connect({ port, host: '::1' }))).toContain('may not connect to ::1');
    expect(await to((socket) => socket.connect(port, 'localhost'))).toContain('may not connect to localhost');
    expect(await to((socket) => socket.connect('/run/docker.sock'))).toContain('TCP only');
    expect(await to((socket) => socket.connect({ path: '/run/docker.sock' }))).toContain('TCP only');
    expect(await to((socket) => socket.connect(port))).toContain('TCP only');
  });
});
