import { createInbox, nanos } from '@nats-io/nats-core';
import type { Broker } from './broker.ts';
import { pulled, type Pulled } from './pulled.ts';

/** How much later than it has to a broker may answer. Milliseconds. */
const grace = 3_000;

export interface Pull {
  stream: string;
  consumer: string;
  /** messages at most */
  batch: number;
  /** how long to wait for them, in milliseconds */
  expires: number;
  /** bytes at most, of what the broker counts: more than any one message */
  bytes: number;
}

/**
 * The next messages of a durable consumer, as many as come until the batch is full or the time is over; none when `signal` is aborted
 * before. The client's own `fetch` waits for a second at least, and bounds either the number or the bytes.
 * @throws Error when the consumer, or what it reads, is gone, or the broker does not answer
 */
export async function pullBatch({ connection }: Broker, pull: Pull, signal: AbortSignal): Promise<Pulled[]> {
  const messages: Pulled[] = [];
  if (signal.aborted) return messages;
  const inbox = createInbox();
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error !== null) return fail(error);
      const code = message.headers?.code ?? 0;
      if (message.reply) {
        messages.push(pulled(connection, message));
        if (messages.length >= pull.batch) end();
      } else if (code === 404 || code === 408 || isFull(message.headers?.description ?? '')) end();
      else if (code !== 100)
        fail(new Error(`the broker ended the batch: ${message.headers?.description || code}`));
    },
  });
  const late = setTimeout(() => fail(new Error('the broker does not answer')), pull.expires + grace);
  const stop = () => end();
  signal.addEventListener('abort', stop);
  try {
    const { stream, consumer, batch, expires, bytes } = pull;
    const request = { batch, expires: nanos(expires), max_bytes: bytes };
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify(request), {
      reply: inbox,
    });
    await ended;
    return messages;
  } catch (error) {
    // what has come is written; what is wrong shows the next time as well
    if (messages.length > 0) return messages;
    throw error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    subscription.unsubscribe();
  }
}

/** The next message does not fit any more, or what fits has come. */
const isFull = (description: string) => /batch completed|exceeds maxbytes/i.test(description);
