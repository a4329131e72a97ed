import type { KafkaRecord } from '@platformatic/kafka';
import { batchesOf, mostExpandedBytes, recordsIn } from './kafka-batches.ts';
import { brokerHeaders, isLine } from './messages.ts';
import type { IncomingRecord } from './plugin.ts';

type Client = typeof import('@platformatic/kafka');

export interface AbortedTransaction {
  producerId: bigint;
  firstOffset: bigint;
}

const appendTime = 1 << 3;
const transactional = 1 << 4;
const control = 1 << 5;

export interface FetchedRecord {
  record: IncomingRecord;
  next: bigint;
}

/**
 * The records of a partition from `offset` on, in what a broker has sent of it, each read when it is asked for. Left out are those of
 * transactions that were aborted, and those that only mark the end of one. A batch may begin before the offset that was asked for.
 * @returns the offset behind all that was read, also what is no record
 */
export function* recordsOf(
  client: Client,
  { topic, partition, offset }: { topic: string; partition: number; offset: bigint },
  { sent, aborted }: { sent: Buffer; aborted: readonly AbortedTransaction[] },
  mostBytes = mostExpandedBytes,
): Generator<FetchedRecord, bigint> {
  const waiting = [...aborted].sort((a, b) => Number(a.firstOffset - b.firstOffset));
  const open = new Set<bigint>();
  let end = offset;
  for (const batch of batchesOf(sent)) {
    const behind = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
    while (waiting[0] && waiting[0].firstOffset < behind)
      open.add((waiting.shift() as AbortedTransaction).producerId);
    if (batch.attributes & control) {
      const [mark] = recordsIn(client, batch, mostBytes);
      if (isAbort(mark)) open.delete(batch.producerId);
    } else if (!(batch.attributes & transactional && open.has(batch.producerId))) {
      for (const record of recordsIn(client, batch, mostBytes)) {
        const at = batch.firstOffset + BigInt(record.offsetDelta);
        if (at < end) continue;
        const isOfLog = batch.attributes & appendTime;
        const time = isOfLog ? batch.maxTimestamp : batch.firstTimestamp + record.timestampDelta;
        end = at + 1n;
        yield { record: incoming(record, { topic, partition, at, time }), next: end };
      }
    }
    if (behind > end) end = behind;
  }
  return end;
}

/** The key of a mark holds its version and its kind; 0 is an abort. */
const isAbort = (mark: KafkaRecord | undefined) =>
  mark?.key !== undefined && mark.key !== null && mark.key.length >= 4 && mark.key.readInt16BE(2) === 0;

interface Place {
  topic: string;
  partition: number;
  at: bigint;
  time: bigint;
}

/** The time is part of the id: a topic that was deleted and made again has the same offsets. */
function incoming(
  { key, value, headers }: KafkaRecord,
  { topic, partition, at, time }: Place,
): IncomingRecord {
  const keyText = textOf(key);
  return {
    id: `${topic}/${partition}@${at}-${time}`,
    // without what else the batch has expanded to
    payload: value ? Buffer.from(value) : new Uint8Array(),
    headers: {
      ...brokerHeaders(textHeaders(headers), 'kafka'),
      'kafka-topic': topic,
      'kafka-partition': String(partition),
      'kafka-offset': String(at),
      'kafka-timestamp': String(time),
      ...(keyText !== null && { 'kafka-key': keyText }),
      ...(value === null && { 'kafka-tombstone': 'true' }),
    },
  };
}

function textHeaders(headers: KafkaRecord['headers']): [string, string][] {
  return [...headers].flatMap(([name, value]): [string, string][] => {
    const [nameText, valueText] = [textOf(name), textOf(value)];
    return nameText === null || valueText === null ? [] : [[nameText, valueText]];
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  try {
    const decoded = utf8.decode(bytes);
    return isLine(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
