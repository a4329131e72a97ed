import { setTimeout as pause } from 'node:timers/promises';
import {
  DiscardPolicy,
  JetStreamApiError,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';

/** A bucket as a stream, as `nats kv` knows it. */
export const bucketOf = (name: string): Partial<StreamConfig> & { name: string } => ({
  name: `KV_${name}`,
  subjects: [`$KV.${name}.>`],
  max_msgs_per_subject: 1,
  discard: DiscardPolicy.New,
  storage: StorageType.File,
  allow_rollup_hdrs: true,
  allow_direct: true,
});

/** A bucket in which several senders have entries: none may roll up those of others, and a new entry replaces the former. */
export const sharedBucketOf = (name: string) => ({
  ...bucketOf(name),
  allow_rollup_hdrs: false,
  discard: DiscardPolicy.Old,
});

const looks = 5;
const betweenLooksMilliseconds = 50;

/**
 * What NATS says of a stream; undefined when there is none. One that ends before `atLeast` is looked at again for a moment: in
 * a cluster a server can pass a message on before the one that leads the stream counts it.
 */
export async function streamInfo(
  manager: Pick<JetStreamManager, 'streams'>,
  name: string,
  atLeast = 0,
): Promise<StreamInfo | undefined> {
  for (let look = 1; ; look++) {
    const info = await infoOf(manager, name);
    if (!info || info.state.last_seq >= atLeast || look === looks) return info;
    await pause(betweenLooksMilliseconds);
  }
}

async function infoOf({ streams }: Pick<JetStreamManager, 'streams'>, name: string) {
  try {
    return await streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Makes a bucket. One that NATS does not change, such as to more replicas than it has servers, is there all the same. */
export async function ensureBucket(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string; num_replicas: number },
  atLeast = 0,
): Promise<StreamInfo> {
  const { name, num_replicas, republish, allow_rollup_hdrs = false } = config;
  const info = await streamInfo(manager, name, atLeast);
  if (!info) return await manager.streams.add(config);
  const has = info.config;
  const isAsWanted =
    has.num_replicas === num_replicas &&
    has.republish?.dest === republish?.dest &&
    has.allow_rollup_hdrs === allow_rollup_hdrs;
  if (isAsWanted) return info;
  const wanted = { num_replicas, allow_rollup_hdrs, ...(republish && { republish }) };
  return await manager.streams.update(name, wanted).catch((error: unknown) => {
    if (error instanceof JetStreamApiError) return info;
    throw error;
  });
}
