import { hash } from 'node:crypto';
import {
  CreateSnapshotCommand,
  CreateTagsCommand,
  DeleteSnapshotCommand,
  DescribeSnapshotsCommand,
  paginateDescribeSnapshots,
  type EC2Client,
  type Snapshot,
  type Volume,
} from '@aws-sdk/client-ec2';
import { deploymentTag, hasTag, tagged, withTag } from '../tags.ts';
import { unlessCode } from '../compute/access.ts';
import { madeBy, tagsIfMadeBy, tagsOf, type Maker, type NodeOwner } from '../compute/observed-state.ts';
import { itemsOf } from '../pages.ts';
import type { VolumeCall } from '@sluice/drivers';

const copyTag = 'sluice:copy';
/** on one that is sealed, so that one that is not is recognised without its backup */
const wholeTag = 'sluice:whole';
/** as many of a copy as are looked at: there is one, unless the cloud has shown the first one late */
const most = 100;

/**
 * The snapshots of a copy, oldest first. The first one is the copy: a request that was thought to be lost, and came late, when the broker ran
 * again, has made a younger one.
 */
export async function snapshotsOf(
  ec2: EC2Client,
  copy: string,
  { deployment }: Pick<NodeOwner, 'deployment'>,
  abortSignal: AbortSignal,
): Promise<Snapshot[]> {
  const Filters = [...withTag(copyTag, copy), ...withTag(deploymentTag, deployment)];
  const command = new DescribeSnapshotsCommand({ Filters, OwnerIds: ['self'], MaxResults: most });
  const { Snapshots = [] } = await ec2.send(command, { abortSignal });
  const begun = ({ StartTime }: Snapshot) => StartTime?.getTime() ?? 0;
  return Snapshots.filter(
    (snapshot) => hasTag(snapshot, copyTag, copy) && hasTag(snapshot, deploymentTag, deployment),
  ).sort((one, other) => begun(one) - begun(other));
}

/** What is on the volume at this moment is in it, however long it then takes: the broker may run as soon as this has ended. */
export async function createSnapshot(
  ec2: EC2Client,
  owner: NodeOwner,
  copy: string,
  volume: Volume,
  call: VolumeCall,
): Promise<void> {
  const command = new CreateSnapshotCommand({
    VolumeId: volume.VolumeId,
    Description: 'A backup of Sluice',
    TagSpecifications: tagged('snapshot', { ...tagsOf(owner), [copyTag]: copy }),
  });
  await call.confirm();
  await ec2.send(command, { abortSignal: call.signal });
}

/** The cloud tells no sum of what is in a snapshot, but another one has another id, and none ever changes. */
export const digestOf = ({ SnapshotId, VolumeId, VolumeSize, StartTime }: Snapshot) =>
  hash('sha256', JSON.stringify([SnapshotId, VolumeId, VolumeSize, StartTime?.toISOString()]));

/** Notes that it is whole, and removes those that were made beside it. */
export async function sealSnapshot(
  ec2: EC2Client,
  [snapshot, ...surplus]: [Snapshot, ...Snapshot[]],
  call: VolumeCall,
): Promise<void> {
  const { signal } = call;
  if (!hasTag(snapshot, wholeTag, 'true')) {
    const Resources = [snapshot.SnapshotId ?? ''];
    const command = new CreateTagsCommand({ Resources, Tags: [{ Key: wholeTag, Value: 'true' }] });
    await call.confirm();
    await ec2.send(command, { abortSignal: signal });
  }
  for (const one of surplus) {
    await call.confirm();
    await deleteSnapshot(ec2, one, signal);
  }
}

export async function deleteSnapshot(
  ec2: EC2Client,
  { SnapshotId }: Snapshot,
  abortSignal: AbortSignal,
): Promise<void> {
  const command = new DeleteSnapshotCommand({ SnapshotId });
  await ec2.send(command, { abortSignal }).catch(unlessCode('InvalidSnapshot.NotFound'));
}

export async function unsealedCopies(
  ec2: EC2Client,
  maker: Maker,
  abortSignal: AbortSignal,
): Promise<{ copy: string; deployment: string }[]> {
  const asked = { Filters: madeBy(maker), OwnerIds: ['self'] };
  const pages = paginateDescribeSnapshots({ client: ec2 }, asked, { abortSignal });
  const snapshots = await itemsOf(pages, ({ Snapshots }) => Snapshots);
  return snapshots.flatMap((snapshot) => {
    const tags = tagsIfMadeBy(maker, snapshot);
    const [copy = '', deployment = ''] = [tags.get(copyTag), tags.get(deploymentTag)];
    const isUnsealed = /^\d+-\d+-[0-9a-f]{8}$/.test(copy) && tags.get(wholeTag) !== 'true';
    return isUnsealed ? [{ copy, deployment }] : [];
  });
}
