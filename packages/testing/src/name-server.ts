import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface NameQuestion {
  name: string;
  type: 'A' | 'AAAA';
}

/**
 * What is answered: addresses of either family (those of the other are left out) or a name that it stands for, or one of the ways
 * in which a name server can fail. `hang`: nothing ever; `truncated`: too long for UDP, by TCP the addresses.
 */
export type NameAnswer =
  | { addresses: readonly string[]; alias?: string; truncated?: boolean; afterMilliseconds?: number }
  | 'hang'
  | 'unknown'
  | 'failure'
  | 'wrong id'
  | 'garbage';

/** A name server on 127.0.0.1, by UDP and TCP. */
export interface TestNameServer {
  /** `127.0.0.1:port`, as Node's resolvers take it */
  address: string;
  asked: NameQuestion[];
  answer: (question: NameQuestion) => NameAnswer;
  stop(): Promise<void>;
}

export async function testNameServer(answer: TestNameServer['answer']): Promise<TestNameServer> {
  const open = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const tcp = createServer((socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    let read = Buffer.alloc(0);
    socket.on('data', (piece) => {
      read = Buffer.concat([read, piece]);
      for (; read.length > 2 && read.length >= 2 + read.readUInt16BE(0);) {
        const end = 2 + read.readUInt16BE(0);
        reply(read.subarray(2, end), 65_535, (message) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(message.length);
          if (!socket.destroyed) socket.write(Buffer.concat([length, message]));
        });
        read = read.subarray(end);
      }
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', (query: Buffer, { port: from, address }: RemoteInfo) =>
    reply(query, 512, (message) => udp.send(message, from, address, () => undefined)),
  );
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  const server: TestNameServer = {
    ...{ address: `127.0.0.1:${port}`, asked: [], answer },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of open) socket.destroy();
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
  const reply = (query: Buffer, most: number, send: (message: Buffer) => void) => {
    const { question, end } = read(query);
    server.asked.push(question);
    const given = server.answer(question);
    if (given === 'hang') return;
    const message = write(query.subarray(0, end), question, given, most);
    const later = typeof given === 'object' ? given.afterMilliseconds : undefined;
    if (later === undefined) return send(message);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(message);
    }, later);
    timers.add(timer);
  };
  return server;
}

/** The one question of a message, and where it ends. */
function read(query: Buffer): { question: NameQuestion; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A';
  return { question: { name: labels.join('.').toLowerCase(), type }, end: at + 5 };
}

function write(asked: Buffer, { type }: NameQuestion, answer: NameAnswer, most: number): Buffer {
  if (answer === 'garbage') return Buffer.concat([asked.subarray(0, 2), Buffer.alloc(40, 0xff)]);
  const { whole, count } = typeof answer === 'object' ? recordsOf(answer, type) : nothing;
  const truncated = typeof answer === 'object' && answer.truncated === true;
  const isCut = most < 65_535 && (truncated || asked.length + whole.length > most);
  const head = Buffer.from(asked);
  if (answer === 'wrong id') head.writeUInt16BE(head.readUInt16BE(0) ^ 1, 0);
  const code = answer === 'unknown' ? 3 : answer === 'failure' ? 2 : 0;
  // an answer of a server that asks others, to the one question
  head.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isCut ? 0 : count, 6);
  head.writeUInt32BE(0, 8);
  return isCut ? head : Buffer.concat([head, whole]);
}

type Addresses = Extract<NameAnswer, object>;
const nothing = { whole: Buffer.alloc(0), count: 0 };
/** made once: of thousands of addresses they take longer than all else, and what is measured runs beside this */
const made = { A: new WeakMap<Addresses, typeof nothing>(), AAAA: new WeakMap<Addresses, typeof nothing>() };

function recordsOf(answer: Addresses, type: NameQuestion['type']): typeof nothing {
  const before = made[type].get(answer);
  if (before) return before;
  const { addresses, alias } = answer;
  const records = addresses
    .filter((address) => (type === 'AAAA') === address.includes(':'))
    .map((address) => record(alias, type === 'AAAA' ? 28 : 1, bytesOf(address)));
  if (alias !== undefined) records.unshift(record(undefined, 5, nameOf(alias)));
  const found = { whole: Buffer.concat(records), count: records.length };
  made[type].set(answer, found);
  return found;
}

/** A record of the name that was asked for, or of `owner`. */
function record(owner: string | undefined, type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(60, 4);
  head.writeUInt16BE(content.length, 8);
  return Buffer.concat([owner === undefined ? Buffer.from([0xc0, 12]) : nameOf(owner), head, content]);
}

const nameOf = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.alloc(1),
  ]);

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [before = '', after = ''] = address.split('::');
  const [first, last] = [before, after].map((part) => part.split(':').filter(Boolean));
  const middle = Array<string>(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0');
  const groups = [...(first ?? []), ...middle, ...(last ?? [])];
  return Buffer.from(groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]));
}
