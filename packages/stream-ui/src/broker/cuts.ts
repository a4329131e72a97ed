import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { olderThan } from '@sluice/streams';
import { formatBytes, plural } from '@sluice/ui/lib/quantity.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import type { Broker } from './session.ts';

export interface Cuts {
  /** which messages are deleted at once, and why; a line each */
  deleted: string[];
  /** what else there is to know */
  remarks: string[];
}

/** What a stream loses by another configuration, as it is now. */
export async function cutsOf(
  broker: Broker,
  stream: StreamInfo,
  after: Partial<StreamConfig>,
): Promise<Cuts> {
  const { config: before, state } = stream;
  const deleted: string[] = [];
  const remarks: string[] = [];
  const isLower = (key: 'max_msgs' | 'max_bytes' | 'max_age' | 'max_msgs_per_subject') => {
    const limit = after[key] ?? 0;
    return limit > 0 && (limit < before[key] || before[key] <= 0);
  };
  const refuses = after.discard === 'new';
  const surplus = state.messages - (after.max_msgs ?? 0);
  if (isLower('max_msgs') && surplus > 0) {
    if (refuses) remarks.push(`New messages are refused: there are ${plural(state.messages, 'message')}.`);
    else deleted.push(`The most messages: the oldest ${plural(surplus, 'message')} are deleted.`);
  }
  const bytes = state.bytes - (after.max_bytes ?? 0);
  if (isLower('max_bytes') && bytes > 0) {
    if (refuses) remarks.push(`New messages are refused: there are ${formatBytes(state.bytes)}.`);
    else deleted.push(`The most bytes: the oldest messages are deleted, ${formatBytes(bytes)} of them.`);
  }
  if (isLower('max_age')) {
    const age = after.max_age ?? 0;
    const old = await olderThan(broker, stream, age);
    if (old !== 0)
      deleted.push(
        `The age: ${old === undefined ? 'messages' : plural(old, 'message')} older than ${durationText(age / 1e6)} are deleted.`,
      );
  }
  if (isLower('max_msgs_per_subject'))
    deleted.push('The most of each subject: the oldest messages of subjects with more are deleted.');
  const left = before.subjects?.filter((subject) => !after.subjects?.includes(subject)) ?? [];
  if (left.length > 0)
    remarks.push(
      `Messages of ${left.join(', ')} stay; new ones of subjects that are left out are not taken.`,
    );
  return { deleted, remarks };
}
