import type { ConsumerConfig, ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { countFrom, sequenceAt, type StreamBroker } from './stored.ts';

/** What a consumer takes of its stream; empty for all. */
export const filtersOf = ({ filter_subject, filter_subjects }: ConsumerConfig): string[] =>
  filter_subjects ?? (filter_subject ? [filter_subject] : []);

/** What it comes to that a consumer begins again at a sequence. */
export type ResetCount = {
  /** where it would go on without that */
  next: number;
} & (
  | { moves: 'back'; repeated: number; isExact: boolean }
  /** undefined where they cannot be counted */
  | { moves: 'on'; skipped: number | undefined }
);

/** Counts what a reset to a sequence repeats or skips. */
export async function resetCount(
  broker: StreamBroker,
  stream: StreamInfo,
  { config, delivered, num_pending: waiting }: ConsumerInfo,
  target: number,
): Promise<ResetCount> {
  const count = await countFrom(broker, stream, target, filtersOf(config));
  const next = delivered.stream_seq + 1;
  if (target >= next)
    return { next, moves: 'on', skipped: count === undefined ? undefined : Math.max(0, waiting - count) };
  const most = count ?? waiting + next - target;
  return { next, moves: 'back', repeated: Math.max(0, most - waiting), isExact: count !== undefined };
}

/**
 * How many messages of a stream are older.
 * @param age in nanoseconds, as JetStream has it
 * @returns undefined where they cannot be counted
 */
export async function olderThan(
  broker: StreamBroker,
  stream: StreamInfo,
  age: number,
): Promise<number | undefined> {
  const { messages, first_seq } = stream.state;
  if (messages === 0) return 0;
  const sequence = await sequenceAt(broker, stream, new Date(Date.now() - age / 1e6));
  if (sequence === undefined) return messages;
  if (sequence <= first_seq) return 0;
  const younger = await countFrom(broker, stream, sequence);
  return younger === undefined ? undefined : messages - younger;
}
