import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { Broker } from './broker.ts';
import { unless } from './consumers.ts';

const streamGone = 10059;
const day = 24 * 3_600_000;

/**
 * The streams that the runtime makes in the deployment's broker, where all its nodes see them and where they end with what they are
 * about. People may make them before, with other limits, and may delete them.
 */
export const deadLetterStream = 'sluice-dead-letters';
export const positionStream = 'sluice-positions';

type Made = Partial<StreamConfig> & { name: string };

const usual = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
} as const;

export const deadLetters: Made = {
  ...usual,
  name: deadLetterStream,
  description: 'Messages that connectors could not hand on, with the reasons',
  subjects: ['sluice.dead_letters.*'],
  max_age: nanos(7 * day),
  max_bytes: 64 * 2 ** 20,
  // one instance does not push out what others have
  max_msgs_per_subject: 10_000,
};

export const positions: Made = {
  ...usual,
  name: positionStream,
  description: 'How far the sources of connectors are',
  subjects: ['sluice.positions.*'],
  max_msgs_per_subject: 1,
  max_bytes: 2 ** 20,
};

/** What a source's stream is made as, where there is none: a log of the last week, up to a size. */
export const sourceStream = (name: string, subjects: readonly string[]): Made => ({
  ...usual,
  name,
  description: 'Made by a source of a connector',
  subjects: [...subjects],
  max_age: nanos(7 * day),
  max_bytes: 256 * 2 ** 20,
});

/** Makes a stream unless it is there, whatever it is like. @returns the subjects that it takes */
export async function ensureStream({ streams, replicas }: Broker, made: Made): Promise<readonly string[]> {
  const found = await streams.streams.info(made.name).catch(unless(streamGone));
  const { config } = found ?? (await streams.streams.add({ ...made, num_replicas: replicas }));
  return config.subjects ?? [];
}
