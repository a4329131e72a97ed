import { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { StreamSpec } from '../../broker-client.ts';
import type { Connected } from './connected.ts';

export const gone = { consumer: 10014, stream: 10059, message: 10037 } as const;

export const hasCode = (error: unknown, code: number) =>
  error instanceof JetStreamApiError && error.code === code;

export const unless =
  (code: number) =>
  (error: unknown): null => {
    if (hasCode(error, code)) return null;
    throw error;
  };

export async function ensureStream(
  { streams, replicas }: Connected,
  { name, description, topics, maxBytes, maxAgeMs, maxMessagesPerTopic }: StreamSpec,
): Promise<readonly string[]> {
  const found = await streams.streams.info(name).catch(unless(gone.stream));
  const { config } =
    found ??
    (await streams.streams.add({
      ...{ name, description, subjects: [...topics], num_replicas: replicas, max_bytes: maxBytes },
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      ...(maxAgeMs !== undefined && { max_age: nanos(maxAgeMs) }),
      ...(maxMessagesPerTopic !== undefined && { max_msgs_per_subject: maxMessagesPerTopic }),
    }));
  return config.subjects ?? [];
}
