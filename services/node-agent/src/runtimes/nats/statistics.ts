import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerStatistics } from '@sluice/contracts';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import { isErrorCode } from '@sluice/system';
import { z } from 'zod';

/** What is read of the server's monitoring pages `/varz` and `/jsz`. */
export const varzSchema = z.object({
  version: z.string(),
  config_load_time: z.string(),
  connections: z.int(),
  server_name: z.string().default(''),
});
/** absent where the server is not one of a cluster */
const clusterSchema = z.object({ leader: z.string().default('') }).optional();
export const jszSchema = z.object({
  account_details: z
    .array(
      z.object({
        name: z.string(),
        stream_detail: z
          .array(
            z.object({
              name: z.string(),
              state: z.object({
                messages: z.number(),
                bytes: z.number().default(0),
                num_subjects: z.int().default(0),
              }),
              cluster: clusterSchema,
              config: z.object({ storage: z.string(), max_bytes: z.number().default(-1) }).optional(),
              consumer_detail: z
                .array(
                  z.object({
                    cluster: clusterSchema,
                    config: z.object({ durable_name: z.string().default('') }).optional(),
                  }),
                )
                .nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});

export type Jsz = z.infer<typeof jszSchema>;

/**
 * The numbers of the summary, read in NATS terms:
 * streams are JetStream streams; topics the subjects that they hold messages of; partitions the same, since a subject
 * is NATS's unit of order and of routing; segments the message block files on disk; consumer_groups the durable
 * consumers, whose work several clients can share; clients the connections of clients, of which the agent has none.
 * In a cluster each stream and consumer is counted by its leader alone: the copies of others are the same once more.
 */
export async function readStatistics(
  varz: z.infer<typeof varzSchema>,
  jsz: Jsz,
  store: string,
): Promise<BrokerStatistics> {
  const held = jsz.account_details?.find(({ name }) => name === natsAccount)?.stream_detail ?? [];
  const isLed = ({ cluster }: { cluster?: z.infer<typeof clusterSchema> }) =>
    cluster === undefined || cluster.leader === varz.server_name;
  const streams = held.filter(isLed);
  const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const topics = total(streams.map(({ state }) => state.num_subjects));
  const durable = held
    .flatMap(({ consumer_detail }) => consumer_detail ?? [])
    .filter((consumer) => isLed(consumer) && (consumer.config?.durable_name ?? '') !== '');
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
