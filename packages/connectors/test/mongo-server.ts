import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

export interface WriteError {
  code: number;
  errmsg: string;
}

/**
 * Takes the inserts of MongoDB's driver as a server does, in its wire protocol (OP_MSG): documents by `_id`, an error with its index for
 * each that is there already or that `refuse` names. The real server is in no package registry.
 */
export class MongoServer {
  readonly documents = new Map<unknown, Record<string, unknown>>();
  readonly commands: string[] = [];
  refuse: (document: Record<string, unknown>) => WriteError | null = () => null;
  hangs = false;
  /** what it says of itself besides */
  hello: Record<string, unknown> = {};
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
    beforeAll(async () => {
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
    });
    afterAll(() => {
      this.disconnect();
      this.#server.close();
    });
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get connections(): number {
    return this.#sockets.size;
  }
  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
  forget(): void {
    this.documents.clear();
    this.commands.length = 0;
    this.refuse = () => null;
    this.hangs = false;
    this.hello = {};
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    let received = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        this.#answer(socket, received.subarray(0, length));
        received = received.subarray(length);
      }
    });
  }

  #answer(socket: Socket, message: Buffer): void {
    const isQuery = message.readInt32LE(12) === 2004;
    const command = isQuery ? { hello: 1 } : readMessage(message);
    const [name = ''] = Object.keys(command);
    if (name === 'insert') this.commands.push(name);
    if (this.hangs && name === 'insert') return;
    const answer = BSON.serialize(name === 'insert' ? this.#insert(command) : this.#greeting());
    const head = Buffer.alloc(isQuery ? 36 : 21);
    head.writeInt32LE(head.length + answer.length, 0);
    head.writeInt32LE(message.readInt32LE(4), 8);
    head.writeInt32LE(isQuery ? 1 : 2013, 12);
    if (isQuery) head.writeInt32LE(1, 32);
    socket.write(Buffer.concat([head, answer]));
  }

  #greeting(): Record<string, unknown> {
    return {
      ...{ ok: 1, isWritablePrimary: true, minWireVersion: 8, maxWireVersion: 21 },
      ...{ maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
      ...this.hello,
    };
  }

  #insert(command: Record<string, unknown>): Record<string, unknown> {
    const documents = command.documents as Record<string, unknown>[];
    const writeErrors = documents.flatMap((document, index) => {
      const there = this.documents.has(document._id);
      const error = there
        ? {
            code: 11_000,
            errmsg: `E11000 duplicate key error collection: shop.orders index: _id_ dup key: { _id: 1 }`,
          }
        : this.refuse(document);
      if (!error) this.documents.set(document._id, document);
      return error ? [{ index, ...error }] : [];
    });
    return {
      ok: 1,
      n: documents.length - writeErrors.length,
      ...(writeErrors.length > 0 && { writeErrors }),
    };
  }
}

/** A command, with the documents that stand behind it as a section of their own. */
function readMessage(message: Buffer): Record<string, unknown> {
  const command: Record<string, unknown> = {};
  let at = 20;
  while (at < message.length) {
    const kind = message.readUInt8(at++);
    const length = message.readInt32LE(at);
    if (kind === 0) Object.assign(command, BSON.deserialize(message.subarray(at, at + length)));
    else {
      const end = message.indexOf(0, at + 4);
      const name = message.toString('utf8', at + 4, end);
      const documents: unknown[] = [];
      for (let next = end + 1; next < at + length; next += message.readInt32LE(next))
        documents.push(BSON.deserialize(message.subarray(next, next + message.readInt32LE(next))));
      command[name] = documents;
    }
    at += length;
  }
  return command;
}
