import { InvalidArgumentError } from 'commander';
import type { StreamInfo } from '@nats-io/jetstream';
import { integer, moment } from '@sluice/terminal/options';
import type { StreamBroker } from './broker.ts';
import { sequenceAt, type Range } from '@sluice/streams';

/** A place in a stream: a sequence, or the first message at a time or after it. */
export type Position = number | Date;

/** For options: `1200`, `2h`, `2026-03-14T09:00:00Z`. */
export function position(text: string): Position {
  if (/^\d+$/.test(text)) return integer(text);
  try {
    return moment(text);
  } catch {
    throw new InvalidArgumentError(
      'It has to be a sequence such as 1200, a duration such as 2h, or a time such as 2026-03-14T09:00:00Z.',
    );
  }
}

/** A position as a sequence; the one after the last message where there is none that late. */
export async function sequenceOf(broker: StreamBroker, stream: StreamInfo, at: Position): Promise<number> {
  if (typeof at === 'number') return at;
  return (await sequenceAt(broker, stream, at)) ?? stream.state.last_seq + 1;
}

export interface RangeFlags {
  from?: Position;
  to?: Position;
}

/** What of a stream lies between two positions: with the sequence of `to`, before the time of `to`. It ends with what is there now. */
export async function rangeOf(
  broker: StreamBroker,
  stream: StreamInfo,
  { from, to }: RangeFlags,
): Promise<Range> {
  const { first_seq, last_seq } = stream.state;
  const first = from === undefined ? first_seq : await sequenceOf(broker, stream, from);
  const end =
    to === undefined ? last_seq : typeof to === 'number' ? to : (await sequenceOf(broker, stream, to)) - 1;
  return { first: Math.max(first, first_seq), last: Math.min(end, last_seq) };
}
