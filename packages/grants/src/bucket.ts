import type { Topology } from '@sluice/contracts';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { bucketOf, ensureBucket, sharedBucketOf } from '@sluice/messaging';

/** The buckets of the grants, each a stream as `nats kv` knows it. */
export const grantStream = ({ buckets }: Topology) => `KV_${buckets.grants}`;
export const announcementStream = ({ buckets }: Topology) => `KV_${buckets.grantAcks}`;
export const grantSubject = ({ buckets }: Topology, key: string) => `$KV.${buckets.grants}.${key}`;
export const announcementSubject = ({ buckets }: Topology, instance: string) =>
  `$KV.${buckets.grantAcks}.${instance}`;

const announcementSeconds = 60;

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
  await ensureBucket(manager, {
    ...sharedBucketOf(names.buckets.grantAcks),
    max_age: nanos(announcementSeconds * 1000),
    num_replicas: replicas,
  });
  const { grants } = names.buckets;
  // said once it is stored, with its revision, to those who read the bucket
  const republish = { src: `$KV.${grants}.>`, dest: `${names.subjects.grantsStored}.>`, headers_only: true };
  return await ensureBucket(manager, { ...bucketOf(grants), republish, num_replicas: replicas }, atLeast);
}
