import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerStatistics } from '@sluice/contracts';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import { isErrorCode } from '@sluice/system';
import { streamsIn, type Group, type Jsz, type Varz } from './monitoring.ts';

/**
 * The numbers of the summary, read in NATS terms:
 * streams are JetStream streams; topics the subjects that they hold messages of; partitions the same, since a subject
 * is NATS's unit of order and of routing; segments the message block files on disk; consumer_groups the durable
 * consumers, whose work several clients can share; clients the connections of clients, of which the agent has none.
 * In a cluster each stream and consumer is counted by its leader alone: the copies of others are the same once more.
 */
export async function readStatistics(varz: Varz, jsz: Jsz, store: string): Promise<BrokerStatistics> {
  const held = streamsIn(jsz);
  const isLed = ({ cluster }: { cluster?: Group | undefined }) =>
    cluster === undefined || cluster.leader === varz.server_name;
  const streams = held.filter(isLed);
  const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const topics = total(streams.map(({ state }) => state.num_subjects));
  const durable = held
    .flatMap(({ consumer_detail }) => consumer_detail ?? [])
    .filter((consumer) => isLed(consumer) && consumer.config.durable_name !== '');
  return {
    streams: streams.length,
    topics,
    partitions: topics,
    segments: total(await Promise.all(streams.map(({ name }) => countBlocks(store, name)))),
    messages: total(streams.map(({ state }) => state.messages)),
    consumer_groups: durable.length,
    clients: varz.connections,
  };
}

async function countBlocks(store: string, stream: string): Promise<number> {
  try {
    const files = await readdir(join(store, 'jetstream', natsAccount, 'streams', stream, 'msgs'));
    return files.filter((name) => name.endsWith('.blk')).length;
  } catch (error) {
    // a stream that is kept in memory, or was deleted since
    if (isErrorCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
