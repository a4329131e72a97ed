import { hash } from 'node:crypto';
import {
  CreateTagsCommand,
  CreateVolumeCommand,
  DeleteVolumeCommand,
  paginateDescribeVolumes,
  type EC2Client,
  type Snapshot,
  type Volume,
} from '@aws-sdk/client-ec2';
import { itemsOf } from '../pages.ts';
import { deploymentTag, tagged } from '../tags.ts';
import { unlessCode } from '../compute/access.ts';
import {
  isAttachedTo,
  isOfRestore,
  isRestored,
  restoredTag,
  restoreTag,
  volumeOf,
  type Restored,
} from '../compute/node-volume.ts';
import {
  isGoing,
  madeBy,
  nodeTag,
  tagsIfMadeBy,
  tagsOf,
  type Maker,
  type NodeOwner,
  type ObservedState,
} from '../compute/observed-state.ts';
import type { VolumeCall } from '@sluice/drivers';

export async function createBeside(
  ec2: EC2Client,
  owner: NodeOwner,
  run: string,
  { snapshot, present }: { snapshot: Snapshot; present: Volume },
  call: VolumeCall,
): Promise<void> {
  const command = new CreateVolumeCommand({
    ...{ SnapshotId: snapshot.SnapshotId, AvailabilityZone: present.AvailabilityZone },
    // one that has grown since does not become smaller
    Size: Math.max(snapshot.VolumeSize ?? 0, present.Size ?? 0),
    ...{ VolumeType: 'gp3', Encrypted: true },
    TagSpecifications: tagged('volume', {
      ...tagsOf(owner),
      ...{ [restoreTag]: run, [restoredTag]: 'staged' satisfies Restored },
    }),
    ClientToken: hash('sha256', `restored ${run} ${owner.nodeId}`).slice(0, 60),
  });
  await call.confirm();
  await ec2.send(command, { abortSignal: call.signal });
}

export async function mark(ec2: EC2Client, volume: Volume, state: Restored, call: VolumeCall): Promise<void> {
  const Resources = [volume.VolumeId ?? ''];
  const command = new CreateTagsCommand({ Resources, Tags: [{ Key: restoredTag, Value: state }] });
  await call.confirm();
  await ec2.send(command, { abortSignal: call.signal });
}

/** Whether the node's only instance runs with its volume, and no other one can start with another. */
export function isInPlace(seen: ObservedState): boolean {
  const volume = volumeOf(seen);
  const [instance, ...others] = seen.instances;
  if (!volume || !instance || others.length > 0 || isGoing(instance)) return false;
  const isOther = (one: Volume) => one !== volume && isAttachedTo(one, [instance]);
  return isAttachedTo(volume, [instance]) && !seen.volumes.some(isOther);
}

/**
 * Removes what a restore has left of a node: the volume that it has made where that is not the node's, or else those that were the node's
 * before.
 * @returns whether nothing is left to be removed
 */
export async function clearBeside(
  ec2: EC2Client,
  seen: ObservedState,
  run: string,
  call: VolumeCall,
): Promise<boolean> {
  const made = seen.volumes.filter((volume) => isOfRestore(volume, run));
  const staged = made.filter((volume) => isRestored(volume, 'staged'));
  const swapped = made.filter((volume) => isRestored(volume, 'swapped'));
  const present = volumeOf(seen);
  // a later restore looks after what it has made itself
  const former = swapped.length === 0 ? [] : seen.volumes.filter((volume) => isFormer(volume, present));
  const leaving = [...staged, ...former];
  for (const volume of leaving) {
    if (volume.State !== 'available' && volume.State !== 'error') return false;
    await deleteVolume(ec2, volume, call);
  }
  for (const volume of swapped) await mark(ec2, volume, 'settled', call);
  return true;
}

const isFormer = (volume: Volume, present: Volume | undefined) =>
  present !== undefined &&
  volume !== present &&
  !isRestored(volume, 'staged') &&
  (volume.CreateTime?.getTime() ?? Infinity) <= (present.CreateTime?.getTime() ?? 0);

async function deleteVolume(ec2: EC2Client, { VolumeId }: Volume, call: VolumeCall): Promise<void> {
  await call.confirm();
  const command = new DeleteVolumeCommand({ VolumeId });
  await ec2.send(command, { abortSignal: call.signal }).catch(unlessCode('InvalidVolume.NotFound'));
}

export async function unsettledRestores(
  ec2: EC2Client,
  maker: Maker,
  abortSignal: AbortSignal,
): Promise<{ run: string; nodeId: number; deployment: string }[]> {
  const Filters = [...madeBy(maker), { Name: 'tag-key', Values: [restoreTag] }];
  const pages = paginateDescribeVolumes({ client: ec2 }, { Filters }, { abortSignal });
  const volumes = await itemsOf(pages, ({ Volumes }) => Volumes);
  return volumes.flatMap((volume) => {
    const tags = tagsIfMadeBy(maker, volume);
    const [run, nodeId = '', deployment = ''] = [restoreTag, nodeTag, deploymentTag].map((key) =>
      tags.get(key),
    );
    const isLeft = run !== undefined && /^\d{1,16}$/.test(nodeId) && !isRestored(volume, 'settled');
    return isLeft ? [{ run, nodeId: Number(nodeId), deployment }] : [];
  });
}
