import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { olderThan } from '@sluice/streams';
import type { StreamBroker } from '../broker/broker.ts';
import { agoOf, sizeOf } from '../broker/quantities.ts';
import { countOf } from './streams.ts';

/** so many subjects are looked at */
const mostSubjects = 100_000;

interface Cuts {
  /** which messages are deleted at once, and why; a line each */
  deleted: string[];
  /** what else there is to know */
  remarks: string[];
}

/** What a stream loses by another configuration, as it is now. */
export async function cutsOf(broker: StreamBroker, stream: StreamInfo, after: StreamConfig): Promise<Cuts> {
  const { config: before, state } = stream;
  const deleted: string[] = [];
  const remarks: string[] = [];
  const isLower = (key: 'max_msgs' | 'max_bytes' | 'max_age' | 'max_msgs_per_subject') =>
    after[key] > 0 && (after[key] < before[key] || before[key] <= 0);
  const full = (line: string) =>
    after.discard === 'new' ? void remarks.push(`New messages are refused: ${line}.`) : true;

  const surplus = state.messages - after.max_msgs;
  if (isLimited(after.max_msgs) && surplus > 0 && full(`there are ${state.messages}`))
    deleted.push(`max_msgs deletes the oldest ${countOf(surplus, 'message')} of ${state.messages}.`);
  const bytes = state.bytes - after.max_bytes;
  if (isLimited(after.max_bytes) && bytes > 0 && full(`they take ${sizeOf(state.bytes)}`))
    deleted.push(`max_bytes deletes the oldest messages, ${sizeOf(bytes)} of ${sizeOf(state.bytes)}.`);
  if (isLower('max_age')) {
    const old = await olderThan(broker, stream, after.max_age);
    if (old !== 0)
      deleted.push(
        `max_age deletes ${old === undefined ? 'the messages' : countOf(old, 'message')} older than ${agoOf(after.max_age)}.`,
      );
  }
  if (isLower('max_msgs_per_subject')) {
    const many = await perSubject(broker, stream, after.max_msgs_per_subject);
    if (many !== 0)
      deleted.push(
        `max_msgs_per_subject deletes ${many === undefined ? 'the oldest messages of subjects with more' : countOf(many, 'message')}.`,
      );
  }
  if (after.retention !== before.retention)
    deleted.push(`retention ${after.retention} deletes messages that no consumer waits for.`);
  const left = before.subjects?.filter((subject) => !after.subjects?.includes(subject)) ?? [];
  if (left.length > 0)
    remarks.push(
      `Messages of ${left.join(', ')} stay; new ones of subjects that are left out are not taken.`,
    );
  return { deleted, remarks };
}

const isLimited = (limit: number | undefined): boolean => limit !== undefined && limit > 0;

async function perSubject(
  { manager }: StreamBroker,
  { config, state }: StreamInfo,
  most: number,
): Promise<number | undefined> {
  if ((state.num_subjects ?? 0) > mostSubjects) return undefined;
  const { state: counted } = await manager.streams.info(config.name, { subjects_filter: '>' });
  return Object.values(counted.subjects ?? {}).reduce((sum, count) => sum + Math.max(0, count - most), 0);
}
