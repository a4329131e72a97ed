import { pipeline, Transform } from 'node:stream';
import { throttled, TokenBucket } from '@sluice/system/throttle';
import { createWebSocketStream, type WebSocket } from 'ws';

/** Why a session ends. `gone`: the client has left. */
export type SessionEnd =
  'forbidden' | 'address_not_admitted' | 'deleted' | 'idle' | 'broker_gone' | 'stopping' | 'gone';

/** a message of 8 MiB, and what is about it */
export const mostFrameBytes = 8 * 2 ** 20 + 64 * 2 ** 10;

/** what one side has to take before more is read of the other. Bytes. */
const buffered = 64 * 2 ** 10;
/** Pieces that are smaller only keep a connection alive. Bytes. */
const leastOfUse = 32;
/** the time that a client has to answer the close. Milliseconds. */
const closeLimit = 500;

/** Of RFC 6455, section 7.4.1: the client may come again after 1001, and is not to come again as it is after 1008. */
const closeCodes: Record<SessionEnd, number> = {
  forbidden: 1008,
  address_not_admitted: 1008,
  deleted: 1008,
  idle: 1000,
  broker_gone: 1001,
  stopping: 1001,
  gone: 1000,
};

export interface RelayOptions {
  client: WebSocket;
  broker: WebSocket;
  /** each way, per second */
  bytesPerSecond: number;
  idleMilliseconds: number;
  ended: (reason: SessionEnd) => void;
}

/** Passes bytes between a client and a broker, each read no faster than the other takes what comes. It knows nothing of what they say. */
export class Relay {
  readonly #options: RelayOptions;
  #reason: SessionEnd | null = null;
  #usedAt = performance.now();
  /** from the client, and to it */
  readonly bytes = { sent: 0, received: 0 };

  constructor(options: RelayOptions) {
    this.#options = options;
    const { client, broker, bytesPerSecond } = options;
    const [near, far] = [client, broker].map((socket) =>
      createWebSocketStream(socket, { highWaterMark: buffered }),
    ) as [ReturnType<typeof createWebSocketStream>, ReturnType<typeof createWebSocketStream>];
    const bucket = () => Object.assign(new TokenBucket(), { rate: bytesPerSecond });
    const gone = () => this.end(broker.readyState === broker.OPEN ? 'gone' : 'broker_gone');
    pipeline(near, this.#counted('sent'), throttled(bucket()), far, gone);
    pipeline(far, this.#counted('received'), throttled(bucket()), near, gone);
    client.once('close', () => this.end('gone'));
    broker.once('close', () => this.end('broker_gone'));
  }

  get isIdle(): boolean {
    return performance.now() - this.#usedAt > this.#options.idleMilliseconds;
  }

  end(reason: SessionEnd): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const { client, broker, ended } = this.#options;
    broker.terminate();
    client.close(closeCodes[reason], reason);
    setTimeout(() => client.terminate(), closeLimit).unref();
    ended(reason);
  }

  #counted(way: 'sent' | 'received'): Transform {
    return new Transform({
      highWaterMark: buffered,
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytes[way] += chunk.length;
        if (chunk.length > leastOfUse) this.#usedAt = performance.now();
        done(null, chunk);
      },
    });
  }
}
