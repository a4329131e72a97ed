import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { idOf, type AccessRuleId, type GatewayRule } from '@sluice/contracts';
import { createLog } from '@sluice/system/log';
import { Gateway } from './gateway.ts';

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
async function gatewayBefore(behave: (socket: Socket) => void = (socket) => socket.pipe(socket)) {
  const received: Socket[] = [];
  const broker: Server = createServer({ allowHalfOpen: true }, (socket) => {
    received.push(socket.on('error', () => undefined));
    behave(socket);
  });
  await once(broker.listen(0, '127.0.0.1'), 'listening');
  const { port } = broker.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-gateway-'));
  const portsFile = join(folder, 'ports.json');
  const create = async () => {
    const gateway = new Gateway({
      host: '127.0.0.1',
      portsFile,
      brokerPort: () => port,
      log: createLog({ service: 'node-agent', level: 'error' }),
    });
    await gateway.listen(['broker_tcp', 'broker_websocket']);
    const { ports } = gateway;
    return { gateway, tcp: ports.broker_tcp ?? 0, websocket: ports.broker_websocket ?? 0 };
  };
  undo.push(() => rm(folder, { recursive: true }));
  undo.push(async () => {
    for (const socket of received) socket.destroy();
    await new Promise((resolve) => broker.close(resolve));
  });
  return { create, received, portsFile };
}

async function openGateway(behave?: (socket: Socket) => void) {
  const before = await gatewayBefore(behave);
  const opened = await before.create();
  undo.push(() => opened.gateway.close());
  return { ...opened, ...before };
}

function client(port: number, localAddress = '127.0.0.1'): Socket {
  return connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
}

/** Whether a connection gets an answer: true, or false when it is reset. */
async function getsIn(port: number, localAddress?: string): Promise<boolean> {
  const socket = client(port, localAddress);
  socket.write('hello');
  try {
    await once(socket, 'data');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function untilReset(socket: Socket): Promise<void> {
  await expect(once(socket, 'end')).rejects.toThrow(/ECONNRESET/);
}

test('before the first rules nobody gets in, and no byte reaches the broker', async () => {
  const { tcp, received } = await openGateway();
  expect(await getsIn(tcp)).toBe(false);
  expect(received).toHaveLength(0);
});

test('a rule lets its addresses in for the protocols that it names, and nobody else', async () => {
  const { gateway, tcp, websocket } = await openGateway();
  gateway.enforce([rule]);
  expect(await getsIn(tcp)).toBe(true);
  expect(await getsIn(websocket)).toBe(false);
  expect(await getsIn(tcp, '127.0.0.2')).toBe(false);
});

test('when a rule goes, what it let in is cut and what another lets in stays', async () => {
  const { gateway, tcp } = await openGateway();
  const other = { ...rule, id: idOf<AccessRuleId>(2), cidr_blocks: ['127.0.0.2/32'] };
  gateway.enforce([rule, other]);
  const [cut, stays] = [client(tcp), client(tcp, '127.0.0.2')];
  for (const socket of [cut, stays]) {
    socket.write('hello');
    await once(socket, 'data');
  }
  gateway.enforce([other]);
  await untilReset(cut);
  stays.write('still here');
  await once(stays, 'data');
  stays.destroy();
});

test('when a rule ends, what it let in is cut and nobody gets in any more', async () => {
  const { gateway, tcp } = await openGateway();
  gateway.enforce([{ ...rule, valid_to: inMilliseconds(300) }]);
  const socket = client(tcp);
  socket.write('hello');
  await once(socket, 'data');
  await untilReset(socket);
  expect(await getsIn(tcp)).toBe(false);
});

test('a rule that ends in years holds today', async () => {
  const { gateway, tcp } = await openGateway();
  gateway.enforce([{ ...rule, valid_to: '2999-12-31T23:59:59Z' }]);
  expect(await getsIn(tcp)).toBe(true);
});

test('bytes come through as they are, and a client that has finished sending still gets its answer', async () => {
  const { gateway, tcp, received } = await openGateway();
  gateway.enforce([rule]);
  const sent = randomBytes(20 * 2 ** 20);
  const socket = client(tcp);
  socket.end(sent);
  expect((await buffer(socket)).equals(sent)).toBe(true);
  await Promise.all(received.filter(({ closed }) => !closed).map((end) => once(end, 'close')));
});

test('a broker that does not read stops the client instead of filling the memory', async () => {
  const { gateway, tcp } = await openGateway((socket) => socket.pause());
  gateway.enforce([rule]);
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
  const { gateway, tcp, received } = await openGateway();
  gateway.enforce([rule]);
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

test('the ports stay over a restart, unless one is taken meanwhile', async () => {
  const { create } = await gatewayBefore();
  const first = await create();
  await first.gateway.close();
  const second = await create();
  expect([second.tcp, second.websocket]).toEqual([first.tcp, first.websocket]);
  await second.gateway.close();
  const squatter = createServer();
  await once(squatter.listen(first.tcp, '127.0.0.1'), 'listening');
  undo.push(async () => squatter.close());
  const third = await create();
  undo.push(() => third.gateway.close());
  expect(third.tcp).not.toBe(first.tcp);
  expect(third.websocket).toBe(first.websocket);
});

test('it listens for the protocols of the present runtime, and gives a port back when its protocol returns', async () => {
  const { gateway, tcp, websocket, received } = await openGateway();
  gateway.enforce([{ ...rule, protocols: ['broker_tcp', 'broker_websocket', 'broker_http'] }]);
  const connected = client(websocket);
  connected.write('hello');
  await once(connected, 'data');
  const cut = untilReset(connected);
  await gateway.listen(['broker_tcp', 'broker_http']);
  await cut;
  expect(gateway.ports).toEqual({ broker_tcp: tcp, broker_http: expect.any(Number) as number });
  await expect(once(client(websocket), 'connect')).rejects.toThrow(/ECONNREFUSED/);
  expect(await getsIn(tcp)).toBe(true);
  expect(await getsIn(gateway.ports.broker_http ?? 0)).toBe(true);
  await gateway.listen(['broker_websocket']);
  expect(gateway.ports).toEqual({ broker_websocket: websocket });
  expect(await getsIn(websocket)).toBe(true);
  expect(received.length).toBeGreaterThan(0);
});

test('a damaged file of ports is replaced', async () => {
  const { create, portsFile } = await gatewayBefore();
  await writeFile(portsFile, '{"broker_tcp": 99');
  const { gateway, tcp } = await create();
  undo.push(() => gateway.close());
  expect(JSON.parse(await readFile(portsFile, 'utf8'))).toMatchObject({ broker_tcp: tcp });
});
