import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  type ConsumerInfo,
  type ConsumerUpdateConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { ConfigRefused, type StreamBinding } from '@sluice/connectors';
import type { Broker } from './broker.ts';
import { Waiting } from './waiting.ts';

const consumerGone = 10014;
const streamGone = 10059;
/** names, among what is known of a consumer, the instance that has made it */
const maker = 'sluice_instance';

/** What an instance is known by. */
export interface Named {
  id: number;
  key: string;
}

export const groupOf = ({ key }: Named, { consumer_group }: StreamBinding) =>
  consumer_group ?? `connector-${key}`;

/**
 * The durable consumer that a sink reads a stream by: one that there is, put right if need be, or a new one that begins with the oldest
 * message.
 * @param acknowledgeLimit after so many milliseconds a message that was not acknowledged comes again
 * @throws Waiting while there is no such stream, ConfigRefused when the group is one that cannot be shared
 */
export async function ensureConsumer(
  { streams }: Broker,
  instance: Named,
  binding: StreamBinding,
  acknowledgeLimit: number,
): Promise<ConsumerInfo> {
  const { stream, topics, batch_length } = binding;
  const name = groupOf(instance, binding);
  const wanted: ConsumerUpdateConfig = {
    filter_subjects: [...topics],
    ack_wait: nanos(acknowledgeLimit),
    // what is not acknowledged comes first: with one batch under way the order stays as it was
    max_ack_pending: batch_length,
  };
  try {
    const found = await streams.consumers.info(stream, name).catch(unless(consumerGone));
    if (found === null)
      return await streams.consumers.add(stream, {
        ...wanted,
        durable_name: name,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        metadata: { [maker]: String(instance.id) },
      });
    const { ack_policy, deliver_subject } = found.config;
    if (ack_policy !== AckPolicy.Explicit || deliver_subject !== undefined)
      throw new ConfigRefused(`the consumer group ${name} of ${stream} is one that cannot be shared`);
    return isAs(found, wanted) ? found : await streams.consumers.update(stream, name, wanted);
  } catch (error) {
    if (hasCode(error, streamGone)) throw new Waiting(`the stream ${stream} is not there`);
    throw error;
  }
}

function isAs({ config }: ConsumerInfo, wanted: ConsumerUpdateConfig): boolean {
  const filters = config.filter_subjects ?? (config.filter_subject ? [config.filter_subject] : []);
  return (
    JSON.stringify([...filters].sort()) === JSON.stringify([...(wanted.filter_subjects ?? [])].sort()) &&
    config.ack_wait === wanted.ack_wait &&
    config.max_ack_pending === wanted.max_ack_pending
  );
}

/** Removes the durable consumers that an instance has made: they would hold back what nobody reads any more. */
export async function forgetConsumers({ streams }: Broker, isGone: (id: number) => boolean): Promise<void> {
  for await (const { config } of streams.streams.list()) {
    for await (const consumer of streams.consumers.list(config.name)) {
      const id = Number(consumer.config.metadata?.[maker] ?? 0);
      if (id > 0 && isGone(id)) await streams.consumers.delete(config.name, consumer.name);
    }
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

/** Null for this error of the broker; what else went wrong is thrown on. */
export const unless =
  (code: number) =>
  (error: unknown): null => {
    if (hasCode(error, code)) return null;
    throw error;
  };
