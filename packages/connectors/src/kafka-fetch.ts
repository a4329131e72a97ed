import type { Connection, fetchV11, Reader } from '@platformatic/kafka';
import type { AbortedTransaction } from './kafka-records.ts';

type Client = typeof import('@platformatic/kafka');

export interface FetchedPartition {
  topic: string;
  partition: number;
  /** the broker's error, by its number; 0 without one */
  errorCode: number;
  aborted: AbortedTransaction[];
  sent: Buffer;
}

export interface FetchAnswer {
  errorCode: number;
  partitions: FetchedPartition[];
}

/**
 * Asks a leader for committed records: the library's request, but not its reading of the answer, which expands and reads all batches
 * at once.
 */
export async function fetchRecords(
  client: Client,
  connection: Connection,
  topics: fetchV11.FetchRequestTopic[],
  { waitMs, mostBytes }: { waitMs: number; mostBytes: number },
): Promise<FetchAnswer> {
  const { api, createRequest } = client.fetchV11;
  const read = (_id: number, _key: number, _version: number, reader: Reader) => readAnswer(reader);
  const fetch = client.createAPI<fetchV11.FetchRequest, FetchAnswer>(
    ...([api.key, api.version, createRequest, read, false, false] as const),
  );
  return await fetch.async(connection, waitMs, 1, mostBytes, 1, 0, -1, topics, [], '');
}

function readAnswer(reader: Reader): FetchAnswer {
  // how long the broker asks to wait; it enforces that itself
  reader.readInt32();
  const errorCode = reader.readInt16();
  // the session, of which there is none
  reader.readInt32();
  const topics = reader.readArray(
    () => {
      const topic = reader.readString(false);
      return reader.readArray(() => readPartition(reader, topic), false, false);
    },
    false,
    false,
  );
  return { errorCode, partitions: topics.flat() };
}

function readPartition(reader: Reader, topic: string): FetchedPartition {
  const partition = reader.readInt32();
  const errorCode = reader.readInt16();
  // high watermark, last stable offset, start of the log
  reader.skip(24);
  const transaction = () => ({ producerId: reader.readInt64(), firstOffset: reader.readInt64() });
  const aborted = reader.readNullableArray(transaction, false, false) ?? [];
  // the replica that the broker would rather be asked
  reader.skip(4);
  return { topic, partition, errorCode, aborted, sent: reader.readNullableBytes(false) ?? Buffer.alloc(0) };
}
