import { hash } from 'node:crypto';
import { z } from 'zod';
import { describeKey, keyOf, kinds, type ApiObject, type Wanted } from '../compute/api-object.ts';
import type { KubernetesApi } from '../compute/kubernetes-api.ts';
import { isConflict, isMissing } from '../compute/connection.ts';
import { annotations, labels } from '../compute/labels.ts';
import { bytesOf } from '../compute/quantities.ts';
import type { VolumeCall } from '@sluice/drivers';
import { specOf } from '../compute/volume.ts';
import { ownLabels } from './claims.ts';

const snapshotSchema = z.object({
  metadata: z.object({ uid: z.string(), name: z.string() }),
  spec: z.object({ source: z.object({ persistentVolumeClaimName: z.string().optional() }) }),
  status: z
    .object({
      boundVolumeSnapshotContentName: z.string().optional(),
      creationTime: z.string().optional(),
      readyToUse: z.boolean().optional(),
      restoreSize: z.string().optional(),
      error: z.object({ message: z.string().optional() }).optional(),
    })
    .optional(),
});
type Read = z.infer<typeof snapshotSchema>;
type Status = NonNullable<Read['status']>;

const longestReason = 300;

export interface Snapshot {
  object: Wanted;
  status: Status;
  claim: string;
  /** of that claim; undefined where it has none */
  storageClass: string | undefined;
}

function read(object: ApiObject): Snapshot {
  const { spec, status = {} } = snapshotSchema.parse(object);
  return {
    object: { ...object, kind: 'VolumeSnapshot' },
    status,
    claim: spec.source.persistentVolumeClaimName ?? '',
    storageClass: object.metadata.annotations?.[annotations.storageClass],
  };
}

/** The snapshot of a copy: in its namespace its name is its own. */
export async function snapshotOf(
  api: KubernetesApi,
  owner: string,
  copy: string,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const selector = `${labels.owner}=${owner},${labels.copy}=${copy}`;
  const { items } = await api.list('VolumeSnapshot', selector, signal);
  return items.map(read).find(({ object }) => object.metadata.deletionTimestamp === undefined);
}

/**
 * Asks for a snapshot of a claim. What was asked for twice is one object, since its name is the copy's.
 * @param snapshotClass the cluster's default for the claim's driver where it is undefined
 */
export async function createSnapshot(
  api: KubernetesApi,
  { copy, claim, snapshotClass }: { copy: string; claim: ApiObject; snapshotClass: string | undefined },
  call: VolumeCall,
): Promise<void> {
  const { name: persistentVolumeClaimName, namespace = '' } = claim.metadata;
  const { storageClassName } = specOf(claim);
  const object: Wanted = {
    ...{ apiVersion: kinds.VolumeSnapshot.apiVersion, kind: 'VolumeSnapshot' },
    metadata: {
      ...{ name: `backup-${copy}`, namespace, labels: { ...ownLabels(claim), [labels.copy]: copy } },
      ...(storageClassName !== undefined && {
        annotations: { [annotations.storageClass]: storageClassName },
      }),
    },
    spec: {
      ...(snapshotClass !== undefined && { volumeSnapshotClassName: snapshotClass }),
      source: { persistentVolumeClaimName },
    },
  };
  await call.confirm();
  try {
    await api.create(object, call.signal);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const there = await api.read(keyOf(object), call.signal);
    if (there && there.metadata.labels?.[labels.copy] !== copy)
      throw new Error(`${describeKey(keyOf(object))} is there already and is no copy of this installation`, {
        cause: error,
      });
  }
}

/** What is on the volume from this moment on is not in it, however long it then takes: the broker may run. */
export const isCut = ({ status }: Snapshot) =>
  status.creationTime !== undefined || status.readyToUse === true;

export const isReady = ({ status }: Snapshot) => status.readyToUse === true;

/** What keeps a copy from being made, as the cluster says; undefined where it is about it. */
export function complaintOf({ status }: Snapshot): string | undefined {
  const { error, boundVolumeSnapshotContentName: content } = status;
  if (error) return error.message?.slice(0, longestReason) ?? 'it says no reason';
  return content === undefined ? 'its snapshot controller does not answer' : undefined;
}

/** The cluster tells no sum of what is in a snapshot, but another one has another uid, and none ever changes. */
export const digestOf = ({ object, status, claim }: Snapshot) =>
  hash('sha256', JSON.stringify([object.metadata.uid, status.creationTime, claim]));

/** 0 where the provider does not tell it. */
export const sizeOf = ({ status }: Snapshot) => bytesOf(status.restoreSize ?? '0') || 0;

export async function sealSnapshot(
  api: KubernetesApi,
  { object }: Snapshot,
  call: VolumeCall,
): Promise<void> {
  if (object.metadata.labels?.[labels.whole] === 'true') return;
  await call.confirm();
  await api.mark(object, { labels: { [labels.whole]: 'true' } }, call.signal);
}

export async function deleteSnapshot(
  api: KubernetesApi,
  owner: string,
  copy: string,
  signal: AbortSignal,
): Promise<boolean> {
  const selector = `${labels.owner}=${owner},${labels.copy}=${copy}`;
  const items = await listSnapshots(api, selector, signal);
  for (const { metadata } of items) {
    const { name, namespace = '', uid = '', deletionTimestamp } = metadata;
    if (deletionTimestamp === undefined)
      await api.remove({ kind: 'VolumeSnapshot', name, namespace }, uid, signal);
  }
  return items.length > 0;
}

export async function unsealedCopies(
  api: KubernetesApi,
  owner: string,
  signal: AbortSignal,
): Promise<string[]> {
  const selector = `${labels.owner}=${owner},${labels.copy},!${labels.whole}`;
  const items = await listSnapshots(api, selector, signal);
  return items.flatMap(({ metadata }) => metadata.labels?.[labels.copy] ?? []);
}

/** None in a cluster that has no snapshots. */
async function listSnapshots(
  api: KubernetesApi,
  selector: string,
  signal: AbortSignal,
): Promise<ApiObject[]> {
  try {
    return (await api.list('VolumeSnapshot', selector, signal)).items;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
