import { AckPolicy, DeliverPolicy, type ConsumerInfo, type ConsumerUpdateConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { ConfigRefused, type StreamBinding } from '@sluice/connectors';
import { groupOf, Waiting, type InstanceName } from '../../broker-client.ts';
import type { Connected } from './connected.ts';
import { gone, hasCode, unless } from './streams.ts';

/** the key of a consumer's metadata with the id of the instance that created it */
const creator = 'sluice_instance';

export async function ensureConsumer(
  { streams }: Connected,
  instance: InstanceName,
  binding: StreamBinding,
  acknowledgeMs: number,
): Promise<ConsumerInfo> {
  const { stream, topics, batch_length } = binding;
  const name = groupOf(instance, binding);
  const wanted: ConsumerUpdateConfig = {
    filter_subjects: [...topics],
    ack_wait: nanos(acknowledgeMs),
    // what is not acknowledged comes first: with one batch under way the order stays as it was
    max_ack_pending: batch_length,
  };
  try {
    const found = await streams.consumers.info(stream, name).catch(unless(gone.consumer));
    if (found === null)
      return await streams.consumers.add(stream, {
        ...wanted,
        durable_name: name,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        metadata: { [creator]: String(instance.id) },
      });
    const { ack_policy, deliver_subject } = found.config;
    if (ack_policy !== AckPolicy.Explicit || deliver_subject !== undefined)
      throw new ConfigRefused(`the consumer group ${name} of ${stream} is one that cannot be shared`);
    return isAs(found, wanted) ? found : await streams.consumers.update(stream, name, wanted);
  } catch (error) {
    if (hasCode(error, gone.stream)) throw new Waiting(`the stream ${stream} is not there`);
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

/** Removes the durable consumers of instances that are gone: they would hold messages back. */
export async function forgetConsumers(
  { streams }: Connected,
  isGone: (id: number) => boolean,
): Promise<void> {
  for await (const { config } of streams.streams.list()) {
    for await (const consumer of streams.consumers.list(config.name)) {
      const id = Number(consumer.config.metadata?.[creator] ?? 0);
      if (id > 0 && isGone(id)) await streams.consumers.delete(config.name, consumer.name);
    }
  }
}
