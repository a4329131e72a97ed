import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { idOf, type AccessRuleId, type GatewayRule } from '@sluice/contracts';
import { startOf } from '@sluice/system/process-table';
import { freePorts } from '@sluice/testing';
import { Gateway } from './gateway.ts';
import type { GatewayState } from './protocol.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const rule: GatewayRule = {
  id: idOf(1),
  protocols: ['broker_tcp'],
  cidr_blocks: ['127.0.0.1/32'],
  valid_to: null,
};
const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A gateway in front of a server that treats each connection as `behave` says; it answers with the same bytes. */
async function openGateway(behave: (socket: Socket) => void = (socket) => socket.pipe(socket)) {
  const received: Socket[] = [];
  const broker: Server = createServer({ allowHalfOpen: true }, (socket) => {
    received.push(socket.on('error', () => undefined));
    behave(socket);
  });
  await once(broker.listen(0, '127.0.0.1'), 'listening');
  const { port } = broker.address() as AddressInfo;
  const gateway = new Gateway({ log: () => undefined });
  const address = {
    pid: process.pid,
    process_start: (await startOf(process.pid)) ?? '',
    ports: { broker_tcp: port, broker_websocket: port, broker_http: port },
  };
  const state: GatewayState = {
    host: '127.0.0.1',
    ports: { broker_tcp: 0, broker_websocket: 0 },
    rules: [],
    clock_offset: 0,
    broker: address,
  };
  /** Applies the state with these changes. */
  const apply = async (changes: Partial<GatewayState>) => {
    Object.assign(state, changes);
    await gateway.apply(state);
    Object.assign(state.ports, gateway.ports);
  };
  undo.push(async () => {
    gateway.close();
    for (const socket of received) socket.destroy();
    await new Promise((resolve) => broker.close(resolve));
  });
  await apply({});
  const { broker_tcp: tcp = 0, broker_websocket: websocket = 0 } = gateway.ports;
  return { gateway, apply, broker: address, received, tcp, websocket };
}

/** Resolves once the gateway has reset a connection. */
async function untilReset(socket: Socket): Promise<void> {
  if (!socket.closed) await expect(once(socket.resume(), 'close')).rejects.toThrow(/ECONNRESET/);
}

function client(port: number, localAddress = '127.0.0.1'): Socket {
  return connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
}

/** Whether a connection gets an answer: true, or false when it is reset. */
async function getsIn(port: number, localAddress?: string): Promise<boolean> {
  const socket = client(port, localAddress);
  socket.write('hello');
  const closed = new Promise<false>((resolve) =>
    socket.once('error', () => resolve(false)).once('end', () => resolve(false)),
  );
  try {
    return await Promise.race([once(socket, 'data').then(() => true), closed]);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('before the first rules nobody gets in, and no byte reaches the broker', async () => {
  const { tcp, received } = await openGateway();
  expect(await getsIn(tcp)).toBe(false);
  expect(received).toHaveLength(0);
});

test('a rule lets its addresses in for the protocols that it names, and nobody else', async () => {
  const { apply, tcp, websocket } = await openGateway();
  await apply({ rules: [rule] });
  expect(await getsIn(tcp)).toBe(true);
  expect(await getsIn(websocket)).toBe(false);
  expect(await getsIn(tcp, '127.0.0.2')).toBe(false);
});

test('listens at another address once it is told so, on the same port, and keeps who is connected', async () => {
  const { apply, tcp } = await openGateway();
  await apply({ rules: [rule] });
  const before = client(tcp);
  before.write('hello');
  await once(before, 'data');
  await apply({ host: '127.0.0.2' });
  expect(await getsIn(tcp)).toBe(false);
  const after = connect({ port: tcp, host: '127.0.0.2', localAddress: '127.0.0.1' });
  for (const socket of [before, after]) {
    socket.write('still here');
    await once(socket, 'data');
    socket.destroy();
  }
});

test('when a rule goes, what it let in is cut and what another lets in stays', async () => {
  const { apply, tcp } = await openGateway();
  const other = { ...rule, id: idOf<AccessRuleId>(2), cidr_blocks: ['127.0.0.2/32'] };
  await apply({ rules: [rule, other] });
  const [cut, stays] = [client(tcp), client(tcp, '127.0.0.2')];
  for (const socket of [cut, stays]) {
    socket.write('hello');
    await once(socket, 'data');
  }
  await apply({ rules: [other] });
  await untilReset(cut);
  stays.write('still here');
  await once(stays, 'data');
  stays.destroy();
});

test('when a rule ends, what it let in is cut and nobody gets in any more', async () => {
  const { apply, tcp } = await openGateway();
  await apply({ rules: [{ ...rule, valid_to: inMilliseconds(300) }] });
  const socket = client(tcp);
  socket.write('hello');
  await once(socket, 'data');
  await untilReset(socket);
  expect(await getsIn(tcp)).toBe(false);
});

test('a rule that ends in years holds today', async () => {
  const { apply, tcp } = await openGateway();
  await apply({ rules: [{ ...rule, valid_to: '2999-12-31T23:59:59Z' }] });
  expect(await getsIn(tcp)).toBe(true);
});

test('bytes come through as they are, and a client that has finished sending still gets its answer', async () => {
  const { apply, tcp, received } = await openGateway();
  await apply({ rules: [rule] });
  const sent = randomBytes(20 * 2 ** 20);
  const socket = client(tcp);
  socket.end(sent);
  expect((await buffer(socket)).equals(sent)).toBe(true);
  await Promise.all(received.filter(({ closed }) => !closed).map((end) => once(end, 'close')));
});

test('a broker that does not read stops the client instead of filling the memory', async () => {
  const { apply, tcp } = await openGateway((socket) => socket.pause());
  await apply({ rules: [rule] });
  const socket = client(tcp);
  const chunk = Buffer.alloc(2 ** 20);
  let written = 0;
  // What the kernel takes on both connections is a few MiB: somewhere before 256 MiB the client has to wait.
  const stopped = new Promise((resolve) => {
    const write = () => {
      if (written === 256) return resolve(false);
      const waiting = setTimeout(() => resolve(true), 500);
      socket.write(chunk, () => {
        clearTimeout(waiting);
        written += 1;
        write();
      });
    };
    write();
  });
  expect(await stopped).toBe(true);
  socket.destroy();
});

test('when one side breaks, the other is closed', async () => {
  const { apply, tcp, received } = await openGateway();
  await apply({ rules: [rule] });
  const first = client(tcp);
  first.write('hello');
  await once(first, 'data');
  received[0]?.resetAndDestroy();
  await untilReset(first);
  const second = client(tcp);
  second.write('hello');
  await once(second, 'data');
  const end = received[1];
  const closed = new Promise((resolve) => end?.once('close', () => resolve(true)));
  second.resetAndDestroy();
  expect(await closed).toBe(true);
});

test('a port that is taken is replaced by another', async () => {
  const { apply, gateway } = await openGateway();
  const squatter = createServer();
  await once(squatter.listen(0, '127.0.0.1'), 'listening');
  undo.push(async () => squatter.close());
  const { port } = squatter.address() as AddressInfo;
  await apply({ ports: { broker_http: port } });
  expect(gateway.ports.broker_http).not.toBe(port);
});

test('with a range it listens there alone, and goes without a port while others have all of them', async () => {
  const { apply, gateway } = await openGateway();
  const first = await freePorts();
  const squatter = createServer();
  await once(squatter.listen(first + 1, '127.0.0.1'), 'listening');
  await apply({ ports: {}, port_range: [first, first + 2] });
  const ports = { broker_tcp: 0, broker_websocket: first + 9, broker_http: 0 };
  await apply({ ports });
  expect(Object.values(gateway.ports).sort()).toEqual([first, first + 2]);
  const before = gateway.ports;
  await new Promise((resolve) => squatter.close(resolve));
  await apply({ ports });
  expect(gateway.ports).toMatchObject(before);
  expect(Object.values(gateway.ports).sort()).toEqual([first, first + 1, first + 2]);
});

test('it listens for the protocols that it is told, and cuts those of others', async () => {
  const { apply, gateway, tcp, websocket } = await openGateway();
  await apply({ rules: [{ ...rule, protocols: ['broker_tcp', 'broker_websocket', 'broker_http'] }] });
  const connected = client(websocket);
  connected.write('hello');
  await once(connected, 'data');
  const cut = untilReset(connected);
  await apply({ ports: { broker_tcp: tcp, broker_http: 0 } });
  await cut;
  expect(gateway.ports).toEqual({ broker_tcp: tcp, broker_http: expect.any(Number) as number });
  await expect(once(client(websocket), 'connect')).rejects.toThrow(/ECONNREFUSED/);
  expect(await getsIn(tcp)).toBe(true);
  expect(await getsIn(gateway.ports.broker_http ?? 0)).toBe(true);
  await apply({ ports: { broker_websocket: websocket } });
  expect(gateway.ports).toEqual({ broker_websocket: websocket });
  expect(await getsIn(websocket)).toBe(true);
});

test("a rule ends by the supervisor's clock", async () => {
  const { apply, tcp } = await openGateway();
  const valid_to = inMilliseconds(60_000);
  await apply({ rules: [{ ...rule, valid_to }] });
  const socket = client(tcp);
  socket.write('hello');
  await once(socket, 'data');
  await apply({ clock_offset: 70_000 });
  await untilReset(socket);
  expect(await getsIn(tcp)).toBe(false);
  await apply({ clock_offset: -70_000, rules: [{ ...rule, valid_to: inMilliseconds(-60_000) }] });
  expect(await getsIn(tcp)).toBe(true);
});

test('when the broker has ended nobody is let in to whoever has got its ports', async () => {
  const { apply, broker, tcp } = await openGateway();
  await apply({ rules: [rule], broker: { ...broker, process_start: '1' } });
  expect(await getsIn(tcp)).toBe(false);
});

test('a gateway that drains keeps whom it has, by the rules, and lets nobody in', async () => {
  const { apply, gateway, tcp } = await openGateway();
  const other = { ...rule, id: idOf<AccessRuleId>(2), cidr_blocks: ['127.0.0.2/32'] };
  await apply({ rules: [rule, other] });
  const [cut, stays] = [client(tcp), client(tcp, '127.0.0.2')];
  for (const socket of [cut, stays]) {
    socket.write('hello');
    await once(socket, 'data');
  }
  await apply({ drain: true });
  await expect(once(client(tcp), 'connect')).rejects.toThrow(/ECONNREFUSED/);
  await apply({ rules: [other] });
  await untilReset(cut);
  stays.write('still here');
  await once(stays, 'data');
  expect(gateway.connections).toBe(1);
  stays.destroy();
});
