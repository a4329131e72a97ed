import { createInbox, nanos, type NatsConnection } from '@nats-io/nats-core';
import type { Delivery } from '../../broker-client.ts';
import { deliveryOf } from './delivery.ts';

/** How much later than it has to the server may answer. Milliseconds. */
const grace = 3_000;

interface Pull {
  stream: string;
  consumer: string;
  count: number;
  waitMs: number;
  /** bytes at most, as the server counts: more than any one message */
  bytes: number;
}

/** Like `Consumer.next`. The library's own `fetch` waits for a second at least, and bounds either the number or the bytes. */
export async function pullBatch(
  connection: NatsConnection,
  { stream, consumer, count, waitMs, bytes }: Pull,
  signal: AbortSignal,
): Promise<Delivery[]> {
  const messages: Delivery[] = [];
  if (signal.aborted) return messages;
  const inbox = createInbox();
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error !== null) return fail(error);
      const code = message.headers?.code ?? 0;
      if (message.reply) {
        messages.push(deliveryOf(connection, message));
        if (messages.length >= count) end();
      } else if (code === 404 || code === 408 || isFull(message.headers?.description ?? '')) end();
      else if (code !== 100)
        fail(new Error(`the broker ended the batch: ${message.headers?.description || code}`));
    },
  });
  const late = setTimeout(() => fail(new Error('the broker does not answer')), waitMs + grace);
  const stop = () => end();
  signal.addEventListener('abort', stop);
  try {
    const request = { batch: count, expires: nanos(waitMs), max_bytes: bytes };
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify(request), {
      reply: inbox,
    });
    await ended;
    return messages;
  } catch (error) {
    // messages that have arrived are written; the error comes again with the next pull
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
