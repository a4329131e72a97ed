import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { idOf, type GatewayRule } from '@sluice/contracts';
import { startOf } from '@sluice/system/process-table';
import { Gateway } from './gateway.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

const rule: GatewayRule = {
  id: idOf(1),
  protocols: ['broker_tcp'],
  cidr_blocks: ['127.0.0.1/32'],
  valid_to: null,
};

/** A gateway in front of a server that does with each connection as `behave` says. */
async function gatewayBefore(behave: (socket: Socket) => void) {
  const broker = createServer({ allowHalfOpen: true }, (socket) => {
    undo.push(() => socket.destroy());
    behave(socket.on('error', () => undefined));
  });
  undo.push(() => broker.close());
  await once(broker.listen(0, '127.0.0.1'), 'listening');
  const { port } = broker.address() as AddressInfo;
  const gateway = new Gateway({ log: () => undefined });
  undo.push(() => gateway.close());
  const address = {
    pid: process.pid,
    process_start: (await startOf(process.pid)) ?? '',
    ports: { broker_tcp: port },
  };
  const ports = { broker_tcp: 0 };
  const limit = async (rate_limit: number | null, rules = [rule]) => {
    const state = { host: '127.0.0.1', ports, rules, clock_offset: 0, broker: address, rate_limit };
    await gateway.apply(state);
    Object.assign(ports, gateway.ports);
  };
  const connection = () => {
    const socket = connect({ port: ports.broker_tcp, host: '127.0.0.1', allowHalfOpen: true });
    undo.push(() => socket.destroy());
    return socket;
  };
  return { limit, connection };
}

/** Counts what a socket receives. */
function counted(socket: Socket) {
  const count = { bytes: 0 };
  socket.on('data', (chunk) => (count.bytes += chunk.length));
  return count;
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const rate = 2 ** 20;

test.each([
  ['what clients send', (socket: Socket) => void socket.resume().on('end', () => socket.end('.'))],
  ['what the broker sends', (socket: Socket) => void socket.end(Buffer.alloc(rate / 2)).resume()],
])('%s passes no faster than the rate, whoever shares it', async (_what, behave) => {
  const { limit, connection } = await gatewayBefore(behave);
  await limit(rate);
  const begun = performance.now();
  const answers = [connection(), connection()].map(async (socket) => {
    socket.end(Buffer.alloc(rate / 2));
    return await buffer(socket);
  });
  await Promise.all(answers);
  const seconds = (performance.now() - begun) / 1_000;
  // a mebibyte that may have begun with a burst of what was saved up since the limit was set
  expect(rate / seconds).toBeLessThan(1.5 * rate);
});

test('a limit comes and goes under a connection, which keeps all its bytes in their order', async () => {
  const { limit, connection } = await gatewayBefore((socket) => socket.pipe(socket));
  await limit(null);
  const sent = randomBytes(8 * 2 ** 20);
  const socket = connection();
  const received = counted(socket);
  const answer = buffer(socket);
  socket.write(sent.subarray(0, 1_000));
  await once(socket, 'data');
  await limit(10_000);
  socket.end(sent.subarray(1_000));
  await once(socket, 'data');
  const at = performance.now();
  const before = received.bytes;
  while (performance.now() - at < 300) await once(socket, 'data');
  expect(received.bytes - before).toBeLessThan(100_000);
  await limit(null);
  expect(digest(await answer)).toBe(digest(sent));
});

test('whoever sends little is not kept waiting by whoever sends all the time', async () => {
  const { limit, connection } = await gatewayBefore((socket) => socket.pipe(socket));
  await limit(100_000);
  const greedy = connection();
  const received = counted(greedy);
  greedy.write(Buffer.alloc(2 ** 20));
  await once(greedy, 'data');
  const modest = connection();
  modest.write('ping');
  const [answer] = (await once(modest, 'data')) as [Buffer];
  expect(answer.toString()).toBe('ping');
  expect(received.bytes).toBeLessThan(2 ** 19);
});

test('who is held back is cut at once when no rule lets them in any more', async () => {
  const { limit, connection } = await gatewayBefore((socket) => socket.pipe(socket));
  await limit(1_000);
  const socket = connection();
  const cut = expect(once(socket, 'close')).rejects.toThrow(/ECONNRESET/);
  socket.write(Buffer.alloc(2 ** 20));
  await once(socket, 'data');
  await limit(1_000, []);
  await cut;
});
