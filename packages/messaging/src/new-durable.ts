import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerAPI, ConsumerConfig, ConsumerInfo } from '@nats-io/jetstream';
import type { Log } from '@sluice/service';

const mostAttempts = 5;
/** for which NATS has no consumer of that name, in milliseconds; longer after each attempt */
const gapMilliseconds = 50;

/**
 * Adds a durable consumer that NATS does not have, and makes sure that it is a new one. A consumer that is added within milliseconds of
 * the deletion of another one of its name can begin with the other's state (seen with nats-server 2.15): it would skip all messages that
 * the other had acknowledged. Such a consumer is deleted and added again.
 * @throws JetStreamApiError `consumer already exists` where another replica has added it
 * @throws Error when each attempt has got the state of a former one; then there is no consumer
 */
export async function addNewDurable(
  consumers: Pick<ConsumerAPI, 'add' | 'delete'>,
  stream: string,
  config: Partial<ConsumerConfig> & { durable_name: string },
  log: Log,
): Promise<ConsumerInfo> {
  const { durable_name: consumer } = config;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    // a configuration of its own: NATS refuses to add the consumer of another replica, which may have delivered messages, a second time
    const metadata = { ...config.metadata, added_by: randomUUID() };
    const info = await consumers.add(stream, { ...config, metadata });
    // `stream_seq` says nothing: it begins before the first message that the stream still has
    const { consumer_seq, stream_seq } = info.delivered;
    if (consumer_seq === 0) return info;
    await consumers.delete(stream, consumer);
    log.warn('a new consumer has got the state of a deleted one; it is deleted and added again', {
      ...{ consumer, stream, attempt, consumer_seq, stream_seq },
    });
    await pause(gapMilliseconds * attempt);
  }
  throw new Error(`a new consumer has got the state of a deleted one, ${mostAttempts} times`);
}

/** JetStream's code of `consumer already exists`, which the library does not name */
export const consumerAlreadyExists = 10_148;
