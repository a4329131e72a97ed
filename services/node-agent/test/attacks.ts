import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';

/** What a hostile client sends over one connection: each part once the server has answered the one before. */
export interface Attack {
  parts: Buffer[];
  /** whether the client breaks the connection off instead of closing it */
  breaksOff: boolean;
}

/** A server that waits for the rest of something incomplete is not waited for. Milliseconds. */
const patience = 2_000;

/** Carries an attack out; resolves when the connection has ended. `tls` is for a server that is spoken to by it. */
export async function attack(to: NetConnectOpts, { parts, breaksOff }: Attack, tls?: { ca: string }) {
  const open = () =>
    tls === undefined ? connect(to) : connectTls({ ...to, ...tls, checkServerIdentity: () => undefined });
  const socket = open();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const timer = setTimeout(() => socket.destroy(), patience);
  socket.on('error', () => undefined);
  try {
    await Promise.race([once(socket, tls ? 'secureConnect' : 'connect'), closed]);
    for (const [index, part] of parts.entries()) {
      if (index > 0) await Promise.race([once(socket, 'data'), closed]);
      await written(socket, part, closed);
    }
    socket.resume();
    if (breaksOff) socket.destroy();
    else socket.end();
    await closed;
  } catch {
    // the server has ended it
    socket.destroy();
  } finally {
    clearTimeout(timer);
  }
}

async function written(socket: Socket, part: Buffer, closed: Promise<void>): Promise<void> {
  if (!socket.writable) return;
  await Promise.race([new Promise<void>((resolve) => socket.write(part, () => resolve())), closed]);
}

const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((array) => Buffer.from(array));
const text = (...choices: string[]) => fc.constantFrom(...choices);
const join = (...parts: fc.Arbitrary<Buffer | string>[]) =>
  fc.tuple(...parts).map((all) => Buffer.concat(all.map((part) => Buffer.from(part))));
const attackOf = (...parts: fc.Arbitrary<Buffer>[]) =>
  fc.record({ parts: fc.tuple(...parts), breaksOff: fc.boolean() });

/** Flips, cuts and repeats of something that is right. */
const mutated = (right: Buffer) =>
  fc
    .record({
      flips: fc.array(fc.tuple(fc.nat(right.length - 1), fc.nat(255)), { maxLength: 8 }),
      end: fc.integer({ min: 1, max: right.length }),
      rest: bytes(64),
    })
    .map(({ flips, end, rest }) => {
      const wrong = Buffer.from(right);
      for (const [place, value] of flips) wrong[place] = value;
      return Buffer.concat([wrong.subarray(0, end), rest]);
    });

const length = text('-1', '0', '5', '1048577', '2147483648', '9223372036854775808', '1e9', '0x10', '');
const subject = text('a', '>', '*', 'a..b', '.', '_INBOX.x', '$SYS.REQ.SERVER.PING', '$JS.API.INFO', '');
const value = fc.oneof(
  fc.json({ maxDepth: 3 }),
  text('{', 'null', '"', '[[[[[[[[', '{"protocol":"x"}', '{"lang":1}'),
);
const line = fc.oneof(
  join(text('CONNECT ', 'INFO ', 'connect\t', '-ERR '), value, text('\r\n', '\n', '')),
  join(text('PUB ', 'SUB ', 'MSG ', 'RMSG '), subject, text(' ', '\t'), length, text('\r\nx\r\n', '\r\n')),
  join(text('HPUB ', 'HMSG '), subject, text(' '), length, text(' '), length, text('\r\nNATS/1.0\r\n\r\n')),
  join(text('UNSUB ', 'A+ ', 'A- ', 'LS+ ', 'RS+ ', 'LMSG '), bytes(40), text('\r\n')),
  join(text('PROXY TCP4 1.2.3.4 1.2.3.4 1 1\r\n', '\r\n\r\n\0\r\nQUIT\n!\x11', 'PING\r\nPONG\r\n', 'GET / ')),
  bytes(200),
);

/** Of the protocol of NATS, before a login and, where one is given, after it. */
export function natsAttacks(login: { user: string; pass: string }): fc.Arbitrary<Attack> {
  const connected = Buffer.from(`CONNECT ${JSON.stringify({ verbose: false, ...login })}\r\n`);
  const lines = fc.array(line, { minLength: 1, maxLength: 6 }).map((all) => Buffer.concat(all));
  return fc.oneof(attackOf(lines), attackOf(join(fc.constant(connected), lines)));
}

const handshake = [
  'GET / HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
  'Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover',
  '\r\n',
].join('\r\n');

export const upgrade = (path = '/') => Buffer.from(handshake.replace('GET /', `GET ${path}`));

const lengths = [
  ...[[0], [5], [125]],
  ...[
    [126, 0, 0],
    [126, 255, 255],
  ],
  ...[
    [127, 0, 0, 0, 0, 0, 0, 0, 1],
    [127, 0, 0, 0, 0, 255, 255, 255, 255],
  ],
  ...[
    [127, 127, ...Array<number>(7).fill(255)],
    [127, ...Array<number>(8).fill(255)],
  ],
];
const frame = fc
  .tuple(fc.nat(255), fc.constantFrom(...lengths), fc.boolean(), bytes(64))
  .map(([first, [size = 0, ...extended], masked, rest]) =>
    Buffer.concat([Buffer.from([first, size | (masked ? 0x80 : 0), ...extended]), rest]),
  );

/** Of WebSocket: handshakes that are wrong, and frames after one that is right. */
export function webSocketAttacks(): fc.Arbitrary<Attack> {
  const frames = fc.array(frame, { minLength: 1, maxLength: 4 }).map((all) => Buffer.concat(all));
  const paths = text('/', '/mqtt', '/leafnode', '/../').map(upgrade);
  return fc.oneof(
    { weight: 3, arbitrary: attackOf(paths, frames) },
    { weight: 1, arbitrary: attackOf(mutated(upgrade())) },
  );
}

/** Of TLS: records and handshakes that are wrong, made from a handshake that is right. */
export async function tlsAttacks(): Promise<fc.Arbitrary<Attack>> {
  const hello = await clientHello();
  const record = fc
    .tuple(text('\x14', '\x15', '\x16', '\x17', '\x80'), bytes(4), bytes(100))
    .map(([type, header, rest]) => Buffer.concat([Buffer.from(type), header, rest]));
  return fc.oneof(
    attackOf(mutated(hello)),
    attackOf(record),
    attackOf(fc.constant(hello), mutated(hello)),
    attackOf(fc.constant(hello), bytes(200)),
  );
}

async function clientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = connectTls({ port, host: '127.0.0.1', servername: 'x.example' }).on(
    'error',
    () => undefined,
  );
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

/** Of the control channel of a gateway: lines of JSON that are no request, and what is no JSON. */
export function controlAttacks(): fc.Arbitrary<Attack> {
  const request = fc.oneof(
    value,
    text('null', '1', '"x"', '[]', '{}', '{"id":null}', '{"id":1,"log":[]}', '{"id":-1,"status":{}}'),
    bytes(100),
  );
  const lines = fc.array(join(request, text('\n', '\n\n', '\r\n', '')), { minLength: 1, maxLength: 4 });
  return attackOf(lines.map((all) => Buffer.concat(all)));
}
