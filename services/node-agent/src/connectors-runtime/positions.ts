import { headers } from '@nats-io/nats-core';
import type { Broker } from './broker.ts';
import { unless } from './consumers.ts';
import { ensureStream, positions, positionStream } from './kept-streams.ts';

const longestPosition = 4_096;
const messageGone = 10037;

/** How far a source has come, as the broker keeps it. */
export interface Position {
  /** null before the first batch */
  readonly value: string | null;
  /**
   * Keeps a newer one. @throws Error also when somebody else has kept one meanwhile: of two that work for one instance the one that was
   * overtaken begins anew where the other is
   */
  keep(value: string): Promise<void>;
}

const subjectOf = (id: number) => `sluice.positions.${id}`;

export async function openPosition(broker: Broker, id: number): Promise<Position> {
  await ensureStream(broker, positions);
  const last = await broker.streams.streams
    .getMessage(positionStream, { last_by_subj: subjectOf(id) })
    .catch(unless(messageGone));
  let value = last === null ? null : last.string();
  let sequence = last?.seq ?? 0;
  return {
    get value() {
      return value;
    },
    keep: async (next) => {
      if (Buffer.byteLength(next) > longestPosition)
        throw new Error(`the position is longer than ${longestPosition} bytes`);
      const expect = { streamName: positionStream, lastSubjectSequence: sequence };
      const acknowledged = await broker.publisher.publish(subjectOf(id), next, {
        expect,
        headers: headers(),
      });
      sequence = acknowledged.seq;
      value = next;
    },
  };
}

/** Forgets how far sources have come that are gone. */
export async function forgetPositions(broker: Broker, isGone: (id: number) => boolean): Promise<void> {
  const { streams } = broker.streams;
  const found = await streams
    .info(positionStream, { subjects_filter: subjectOf(0).replace(/0$/, '*') })
    .catch(unless(10059));
  for (const subject of Object.keys(found?.state.subjects ?? {}))
    if (isGone(Number(subject.split('.').at(-1)))) await streams.purge(positionStream, { filter: subject });
}
