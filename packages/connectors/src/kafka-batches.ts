import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { KafkaRecord, Reader } from '@platformatic/kafka';
import { expandLz4 } from './lz4.ts';

type Client = typeof import('@platformatic/kafka');

/** Of one batch; no more than one is expanded at a time. */
export const mostExpandedBytes = 64 * 1_048_576;

export interface Batch {
  firstOffset: bigint;
  attributes: number;
  lastOffsetDelta: number;
  firstTimestamp: bigint;
  maxTimestamp: bigint;
  producerId: bigint;
  count: number;
  data: Buffer;
}

const headBytes = 61;
/** where the length of a batch ends, which counts what is behind it */
const lengthEnd = 12;

/** The batches in what a broker has sent of a partition, which may end in the middle of one. */
export function* batchesOf(sent: Buffer): Generator<Batch> {
  for (let at = 0; at + headBytes <= sent.length;) {
    const end = at + lengthEnd + sent.readInt32BE(at + 8);
    if (end > sent.length) return;
    if (sent.readInt8(at + 16) !== 2) throw new Error('The records are in a format of before Kafka 0.11');
    if (end < at + headBytes) throw new Error('A batch of records is too short');
    yield {
      firstOffset: sent.readBigInt64BE(at),
      attributes: sent.readInt16BE(at + 21),
      lastOffsetDelta: sent.readInt32BE(at + 23),
      firstTimestamp: sent.readBigInt64BE(at + 27),
      maxTimestamp: sent.readBigInt64BE(at + 35),
      producerId: sent.readBigInt64BE(at + 43),
      count: sent.readInt32BE(at + 57),
      data: sent.subarray(at + headBytes, end),
    };
    at = end;
  }
}

/**
 * The records of a batch, each read when it is asked for.
 * @throws RangeError for a batch that expands to more than `mostBytes`
 */
export function* recordsIn(client: Client, batch: Batch, mostBytes: number): Generator<KafkaRecord> {
  const reader = forwardOnly(client.Reader.from(expanded(client, batch, mostBytes)));
  for (let read = 0; read < batch.count; read++) yield client.readRecord(reader);
}

/** The library's own expansion has no bound. */
function expanded(client: Client, { attributes, data }: Batch, maxOutputLength: number): Buffer {
  switch (attributes & 7) {
    case 0:
      return data;
    case 1:
      return gunzipSync(data, { maxOutputLength });
    case 2:
      if (snappyBytes(data) > maxOutputLength) throw new RangeError('The records expand to too many bytes');
      return client.compressionsAlgorithms.snappy.decompressSync(data);
    case 3:
      return expandLz4(data, maxOutputLength);
    case 4:
      return zstdDecompressSync(data, { maxOutputLength });
    default:
      throw new Error(`The records are compressed in an unknown way: ${attributes & 7}`);
  }
}

const xerialHeader = Buffer.from('\x82SNAPPY\0', 'latin1');

/** What Snappy says that it expands to, in one piece or in those of Xerial's format. */
function snappyBytes(data: Buffer): number {
  if (!data.subarray(0, xerialHeader.length).equals(xerialHeader)) return leadingVarint(data);
  let sum = 0;
  for (let at = 16; at + 4 <= data.length;) {
    const from = at + 4;
    at = from + data.readUInt32BE(at);
    sum += leadingVarint(data.subarray(from, at));
  }
  return sum;
}

function leadingVarint(data: Buffer): number {
  let value = 0;
  for (const [index, byte] of data.subarray(0, 5).entries()) {
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) break;
  }
  return value;
}

/** @returns the reader, which throws where a length would have it go back, or beyond its end */
export function forwardOnly(reader: Reader): Reader {
  let position = reader.position;
  return Object.defineProperty(reader, 'position', {
    get: () => position,
    set: (next: number) => {
      if (!(next >= position && next <= reader.length)) throw new Error('A length is out of range');
      position = next;
    },
  });
}
