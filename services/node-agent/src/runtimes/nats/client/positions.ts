import { headers } from '@nats-io/nats-core';
import type { Position, StreamSpec } from '../../broker-client.ts';
import type { Connected } from './connected.ts';
import { ensureStream, gone, unless } from './streams.ts';

const longestPosition = 4_096;
const stream = 'sluice-positions';
const subjectOf = (id: number | '*') => `sluice.positions.${id}`;

const positions: StreamSpec = {
  name: stream,
  description: 'How far the sources of connectors are',
  topics: [subjectOf('*')],
  maxMessagesPerTopic: 1,
  maxBytes: 2 ** 20,
};

export async function openPosition(broker: Connected, id: number): Promise<Position> {
  await ensureStream(broker, positions);
  const last = await broker.streams.streams
    .getMessage(stream, { last_by_subj: subjectOf(id) })
    .catch(unless(gone.message));
  let value = last === null ? null : last.string();
  let sequence = last?.seq ?? 0;
  return {
    get value() {
      return value;
    },
    keep: async (next) => {
      if (Buffer.byteLength(next) > longestPosition)
        throw new Error(`the position is longer than ${longestPosition} bytes`);
      const expect = { streamName: stream, lastSubjectSequence: sequence };
      const { seq } = await broker.publisher.publish(subjectOf(id), next, { expect, headers: headers() });
      sequence = seq;
      value = next;
    },
  };
}

export async function forgetPositions(
  { streams: { streams } }: Connected,
  isGone: (id: number) => boolean,
): Promise<void> {
  const found = await streams.info(stream, { subjects_filter: subjectOf('*') }).catch(unless(gone.stream));
  for (const subject of Object.keys(found?.state.subjects ?? {}))
    if (isGone(Number(subject.split('.').at(-1)))) await streams.purge(stream, { filter: subject });
}
