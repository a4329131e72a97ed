import { setTimeout as pause } from 'node:timers/promises';
import type { Topology } from '@sluice/contracts';
import {
  DiscardPolicy,
  JetStreamApiError,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

/** The buckets of the grants, each a stream as `nats kv` knows it. */
export const grantStream = ({ buckets }: Topology) => `KV_${buckets.grants}`;
export const announcementStream = ({ buckets }: Topology) => `KV_${buckets.grantAcks}`;
export const grantSubject = ({ buckets }: Topology, key: string) => `$KV.${buckets.grants}.${key}`;
export const announcementSubject = ({ buckets }: Topology, instance: string) =>
  `$KV.${buckets.grantAcks}.${instance}`;

const announcementSeconds = 60;

const bucketOf = (name: string): Partial<StreamConfig> & { name: string } => ({
  name: `KV_${name}`,
  subjects: [`$KV.${name}.>`],
  max_msgs_per_subject: 1,
  discard: DiscardPolicy.New,
  storage: StorageType.File,
  allow_rollup_hdrs: true,
  allow_direct: true,
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

/**
 * Makes the buckets that are not there, as main-api alone does, and keeps them on so many servers.
 * @param atLeast up to which revision the grants are known to have been there
 * @returns what NATS says of the grants'
 */
export async function ensureGrantBuckets(
  manager: JetStreamManager,
  names: Topology,
  replicas: number,
  atLeast = 0,
): Promise<StreamInfo> {
  await ensure(manager, {
    ...bucketOf(names.buckets.grantAcks),
    // a rollup would take away what others have announced
    allow_rollup_hdrs: false,
    discard: DiscardPolicy.Old,
    max_age: nanos(announcementSeconds * 1000),
    num_replicas: replicas,
  });
  const { grants } = names.buckets;
  // said once it is stored, with its revision, to those who read the bucket
  const republish = { src: `$KV.${grants}.>`, dest: `${names.subjects.grantsStored}.>`, headers_only: true };
  return await ensure(manager, { ...bucketOf(grants), republish, num_replicas: replicas }, atLeast);
}

/** A bucket that NATS does not change, such as to more replicas than it has servers, is there all the same. */
async function ensure(
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
