import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * The load of `npm run bench:gateway`, in a process of its own: NATS's protocol on bare sockets, in pieces that cost this
 * process much less than what is measured. Reads a `Load` as JSON, answers a `Measured`.
 */
export interface Load {
  /** where the connections that are measured go */
  port: number;
  /** of the broker itself, for the other side */
  direct: number;
  connections: number;
  /** bytes of a message */
  size: number;
  what: 'publish' | 'subscribe' | 'round trips';
  seconds: number;
}

export interface Measured {
  /** of messages that have arrived, without their heads; null for round trips */
  megabytesPerSecond: number | null;
  /** microseconds, of round trips */
  p50: number | null;
  p99: number | null;
  /** how much of a core this process used: at 1 it is what limits */
  busy: number;
}

/** About so much is written at once. Bytes. */
const pieceSize = 64 * 1024;
/** Bytes that may be on their way to subscribers. */
const furthestAhead = 8 * 2 ** 20;

if (process.argv[1] === import.meta.filename) {
  const load = JSON.parse(await text(process.stdin)) as Load;
  const before = process.cpuUsage();
  const begun = performance.now();
  const measured = await measure(load);
  const { user, system } = process.cpuUsage(before);
  const busy = (user + system) / 1_000 / (performance.now() - begun);
  process.stdout.write(JSON.stringify({ megabytesPerSecond: null, p50: null, p99: null, ...measured, busy }));
  process.exit(0);
}

async function measure(load: Load): Promise<Partial<Measured>> {
  if (load.what === 'publish') return { megabytesPerSecond: await published(load) };
  if (load.what === 'subscribe') return { megabytesPerSecond: await received(load) };
  return await roundTrips(load);
}

/** All clients publish as fast as the broker reads, without a subscriber, and ask at the end whether all has come. */
async function published({ port, connections, size, seconds }: Load): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => joined(port)));
  const piece = pieceOf(`PUB load ${size}\r\n`, size);
  const begun = performance.now();
  const counts = sockets.map(async (socket) => {
    let pieces = 0;
    while (performance.now() - begun < seconds * 1_000) {
      pieces++;
      if (!socket.write(piece.bytes)) await drained(socket);
    }
    await answered(socket, 'PING\r\n', 'PONG');
    return pieces;
  });
  const pieces = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  return megabytes(pieces * piece.messages * size, begun);
}

/**
 * One publishes past what is measured, to each of the others in turn, and runs no further ahead of them than the broker
 * keeps for them.
 */
async function received({ port, direct, connections, size, seconds }: Load): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => joined(port)));
  let bytes = 0;
  let wake = () => {};
  for (const [index, socket] of sockets.entries()) {
    await answered(socket, `SUB load.${index} 1\r\nPING\r\n`, 'PONG');
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      wake();
    });
  }
  const publisher = await joined(direct);
  const pieces = sockets.map((_socket, index) => pieceOf(`PUB load.${index} ${size}\r\n`, size).bytes);
  let sent = 0;
  let ended = false;
  const publishing = (async () => {
    for (let turn = 0; !ended; turn++) {
      const piece = pieces[turn % pieces.length] ?? Buffer.alloc(0);
      sent += piece.length;
      if (!publisher.write(piece)) await drained(publisher);
      while (!ended && sent - bytes > furthestAhead) await new Promise<void>((resolve) => (wake = resolve));
    }
  })();
  await passing(seconds / 4);
  const [begun, before] = [performance.now(), bytes];
  await passing(seconds);
  const head = `MSG load.0 1 ${size}\r\n`.length + 2;
  const rate = megabytes(((bytes - before) * size) / (size + head), begun);
  ended = true;
  wake();
  publisher.destroy();
  await publishing;
  return rate;
}

/** Each sends a message to itself and waits for it before it sends the next. */
async function roundTrips({ port, connections, size, seconds }: Load): Promise<Partial<Measured>> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => joined(port)));
  const times: number[] = [];
  const begun = performance.now();
  await Promise.all(
    sockets.map(async (socket, index) => {
      const message = pieceOf(`PUB self.${index} ${size}\r\n`, size, 1).bytes;
      await answered(socket, `SUB self.${index} 1\r\nPING\r\n`, 'PONG');
      const expected = `MSG self.${index} 1 ${size}\r\n`.length + size + 2;
      let missing = expected;
      let sentAt = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.on('data', (chunk: Buffer) => {
        missing -= chunk.length;
        if (missing > 0) return;
        const now = performance.now();
        times.push((now - sentAt) * 1_000);
        if (now - begun > seconds * 1_000) return resolve();
        [missing, sentAt] = [expected, now];
        socket.write(message);
      });
      socket.write(message);
      await promise;
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** A client of the broker that has been welcomed and wants no acknowledgements. */
async function joined(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  // clients that still publish at the end are disconnected
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('data', resolve));
  await answered(socket, 'CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n', 'PONG');
  return socket;
}

async function answered(socket: Socket, request: string, answer: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gone = () => reject(new Error('the connection was cut'));
  const look = (chunk: Buffer) => (chunk.includes(answer) ? resolve() : undefined);
  socket.on('data', look).once('close', gone).write(request);
  await promise;
  socket.off('data', look).off('close', gone);
}

async function drained(socket: Socket): Promise<void> {
  await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
  socket.removeAllListeners('close');
}

function pieceOf(head: string, size: number, messages = Math.ceil(pieceSize / (head.length + size + 2))) {
  const message = Buffer.concat([Buffer.from(head), Buffer.alloc(size, 'x'), Buffer.from('\r\n')]);
  return { messages, bytes: Buffer.concat(Array.from({ length: messages }, () => message)) };
}

function passing(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}

function megabytes(bytes: number, begun: number): number {
  return bytes / 1_000 / (performance.now() - begun);
}
