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

/** What NATS says of a stream; undefined when there is none. */
export async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Makes the buckets that are not there, as main-api alone does, and keeps them on so many servers.
 * @returns what NATS says of the grants'
 */
export async function ensureGrantBuckets(
  manager: JetStreamManager,
  names: Topology,
  replicas: number,
): Promise<StreamInfo> {
  await ensure(manager, {
    ...bucketOf(names.buckets.grantAcks),
    discard: DiscardPolicy.Old,
    max_age: nanos(announcementSeconds * 1000),
    num_replicas: replicas,
  });
  return await ensure(manager, { ...bucketOf(names.buckets.grants), num_replicas: replicas });
}

/** A bucket that NATS does not change, such as to more replicas than it has servers, is there all the same. */
async function ensure(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string; num_replicas: number },
): Promise<StreamInfo> {
  const { name, num_replicas } = config;
  const info = await streamInfo(manager, name);
  if (!info) return await manager.streams.add(config);
  if (info.config.num_replicas === num_replicas) return info;
  return await manager.streams.update(name, { num_replicas }).catch((error: unknown) => {
    if (error instanceof JetStreamApiError) return info;
    throw error;
  });
}
