import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { natsUsers, ownNats, serverCertificates, testFolder } from '@sluice/testing';
import { othersOf, tlsFor } from '../src/commands/broker/broker.ts';
import { explainBroker } from '../src/commands/broker/failures.ts';
import { messageJson } from '@sluice/streams';
import { position } from '../src/commands/broker/positions.ts';
import { agoOf, sizeOf } from '../src/commands/broker/quantities.ts';
import { readServerInfo } from '../src/commands/broker/server-info.ts';
import { countFrom } from '@sluice/streams';
import { snippets } from '@sluice/client/snippets';
import { acknowledged } from '../src/commands/pub/pub.ts';
import { createBacklog } from '../src/commands/entries/backlog.ts';
import { size } from '@sluice/terminal/options';

const { signal } = new AbortController();

/** A server that does this with each connection. */
async function serving(serve: (socket: Socket) => void): Promise<{ server: string; close: () => void }> {
  const server = createServer((socket) => serve(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test.each<[string, (socket: Socket) => void, string]>([
  ['ends the connection', (socket) => socket.end(), 'closed'],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'closed'],
  ['speaks another protocol', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'not NATS'],
  ['sends without an end', (socket) => socket.end('x'.repeat(200_000)), 'not NATS'],
])('why there is no broker: the server %s', async (_title, serve, reason) => {
  const { server, close } = await serving(serve);
  await expect(readServerInfo(server, signal)).rejects.toMatchObject({ server, reason });
  close();
  await expect(readServerInfo(server, signal)).rejects.toMatchObject({ reason: 'refused' });
});

test('the first line of a broker is read, in whatever pieces it comes', async () => {
  const { server, close } = await serving((socket) => {
    socket.write('INFO {"tls_req');
    void pause(20).then(() => socket.write('uired":true} \r\nPING\r\n'));
  });
  expect(await readServerInfo(server, signal)).toEqual({ tls_required: true });
  await expect(readServerInfo(server, AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow('Ctrl-C');
  close();
});

test('a login goes without TLS to this machine alone, unless it is asked for', () => {
  const endpoint = { place: 'a/b/c', authority: 'PEM' };
  expect(tlsFor(endpoint, '127.0.0.1:4222', {})).toBeNull();
  expect(() => tlsFor(endpoint, '192.0.2.1:4222', {})).toThrow(/no TLS/);
  expect(() => tlsFor(endpoint, '127.example.com:4222', {})).toThrow(/no TLS/);
  expect(tlsFor(endpoint, '192.0.2.1:4222', {}, true)).toBeNull();
  expect(tlsFor(endpoint, '192.0.2.1:4222', { tls_available: true }, true)).toEqual({
    ca: 'PEM',
    host: '192.0.2.1',
  });
  expect(tlsFor({ ...endpoint, authority: null }, 'x.example.com:4222', { tls_required: true })).toEqual({});
});

test('a login does not go without TLS to another server than the one on this machine', () => {
  const servers = ['127.0.0.1:4222', '192.0.2.1:4222', 'localhost:4223'];
  const others = (tls: ReturnType<typeof tlsFor>, plainText?: boolean) =>
    othersOf({ servers }, '127.0.0.1:4222', tls, plainText);
  expect(others(null)).toEqual(['localhost:4223']);
  expect(others(null, true)).toEqual(servers.slice(1));
  expect(others({ ca: 'PEM' })).toEqual(servers.slice(1));
});

test('messages that are stored before input or broker fail are said, and none are counted without an answer', async () => {
  const server = await ownNats();
  const connection = await connect({ servers: server.url, reconnect: false });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'orders', subjects: ['orders.*'], allow_direct: true });
  const broker = { place: 'a/b/c', nodes: 1, connection, manager };
  async function* input() {
    yield Buffer.from('1');
    yield Buffer.from('2');
    throw new Error('The input has ended early.');
  }
  await expect(acknowledged(broker, 'orders.new', input(), () => headers())).rejects.toMatchObject({
    exitCode: 9,
    message: '2 messages are stored, and then one is not: The input has ended early.',
  });
  const stream = await manager.streams.info('orders');
  expect([stream.state.messages, await countFrom(broker, stream, 1)]).toEqual([2, 2]);
  server.pause();
  const count = expect(countFrom(broker, stream, 1)).rejects.toThrow(/closed/);
  await server.kill();
  await count;
  await server.remove();
});

test('a broker shows a certificate of the authority for its own name, and refused logins are said to be that', async () => {
  const folder = await testFolder();
  const { ca, otherCa, valid, foreign } = await serverCertificates(folder);
  const secured = async (name: string, pair: typeof valid) => {
    const [cert_file, key_file] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    await Promise.all([writeFile(cert_file, pair.certificate), writeFile(key_file, pair.private_key)]);
    return ownNats(undefined, { tls: { cert_file, key_file } });
  };
  const { users } = natsUsers(['audit']);
  const [right, wrong, closed] = await Promise.all([
    secured('valid', valid),
    secured('foreign', foreign),
    ownNats(users),
  ]);
  const outcome = async ({ url }: { url: string }, authority: string) => {
    const server = new URL(url).host;
    const tls = tlsFor({ place: 'a/b/c', authority }, server, await readServerInfo(server, signal));
    try {
      await (await connect({ servers: server, user: 'user', pass: 'secret', reconnect: false, tls })).close();
      return undefined;
    } catch (error) {
      return explainBroker(error, 'a/b/c');
    }
  };
  const [trusted, other] = await Promise.all([ca, otherCa].map((file) => readFile(file, 'utf8')));
  expect(await outcome(right, trusted ?? '')).toBeUndefined();
  const untrusted = {
    exitCode: 1,
    message: expect.stringMatching(/certificate of the broker of a\/b\/c/) as unknown,
  };
  expect(await outcome(right, other ?? '')).toMatchObject(untrusted);
  expect(await outcome(wrong, trusted ?? '')).toMatchObject(untrusted);
  const refusal = await outcome(closed, '');
  expect(refusal).toMatchObject({
    exitCode: 4,
    message: 'The broker of a/b/c refuses the login of the deployment.',
  });
  expect(inspect(refusal)).not.toContain('secret');
  await Promise.all([right, wrong, closed].map((server) => server.remove()));
});

test('payloads are text where they are, and base64 where not, byte for byte', () => {
  const json = (data: Uint8Array) => messageJson({ time: 't', subject: 's', headers: {}, data });
  expect(json(Buffer.from('\ufeffé\u001b[2J\0'))).toMatchObject({ data: '\ufeffé\u001b[2J\0', size: 10 });
  expect(json(Buffer.from([0xc3, 0x28]))).toEqual({ time: 't', subject: 's', size: 2, data_base64: 'wyg=' });
});

test('what comes faster than it is written is left out and counted, and the rest keeps its order', async () => {
  const lost: number[] = [];
  const backlog = createBacklog<number>((count) => lost.push(count), { items: 3, bytes: 100 });
  for (const item of [1, 2, 3, 4, 5]) backlog.push(item, 10);
  const items = backlog.items();
  expect((await items.next()).value).toBe(1);
  backlog.push(6, 90);
  backlog.push(7, 70);
  backlog.end(new Error('gone'));
  expect([(await items.next()).value, (await items.next()).value, (await items.next()).value]).toEqual([
    2, 3, 7,
  ]);
  await expect(items.next()).rejects.toThrow('gone');
  expect(lost).toEqual([3]);
});

test('sizes, durations and positions', () => {
  expect(['0', '64KiB', '512M', '2gb'].map(size)).toEqual([0, 65_536, 512 * 2 ** 20, 2 * 2 ** 30]);
  for (const bad of ['', '1.5M', '-1', '9999999999T', '5x']) expect(() => size(bad)).toThrow(/bytes/);
  expect([1_023, 1_536, 3 * 2 ** 40].map(sizeOf)).toEqual(['1023 bytes', '1.5 KiB', '3 TiB']);
  expect([7 * 86_400e9, 90e9, 1_500e6].map(agoOf)).toEqual(['7d', '90s', '1500ms']);
  expect(position('1200')).toBe(1_200);
  expect(position('2026-03-14T09:00:00Z')).toEqual(new Date('2026-03-14T09:00:00Z'));
  expect(() => position('yesterday')).toThrow(/sequence/);
});

test('lines that connect have the login where it is asked for, quoted', () => {
  const target = { url: 'tls://x.example.com:4222', isSecure: true, caFile: 'a "b".pem', login: undefined };
  for (const lines of Object.values(snippets(target))) {
    expect(lines).toContain('"tls://x.example.com:4222"');
    expect(lines).toContain('NATS_PASSWORD');
  }
  const login = { username: 'user', password: 'pa"ss\\' };
  for (const lines of Object.values(snippets({ ...target, login }))) {
    expect(lines).toContain(String.raw`"pa\"ss\\"`);
    expect(lines).not.toContain('NATS_PASSWORD');
  }
  const plain = snippets({ url: 'nats://127.0.0.1:1', isSecure: false, caFile: undefined, login });
  for (const lines of Object.values(plain)) expect(lines).not.toMatch(/tls|ssl|RootCAs/i);
});
