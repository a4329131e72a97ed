import type { Volume } from '@aws-sdk/client-ec2';
import { hasTag } from '../tags.ts';
import type { ObservedState } from './observed-state.ts';

export const restoreTag = 'sluice:restore';
/**
 * How far that is. `staged`: it lies beside, and is no node's. `swapped`: it is the node's, and the one before is kept. `settled`: that one is
 * gone. So one request decides which volume is the node's, and one takes that back.
 */
export const restoredTag = 'sluice:restored';
export type Restored = 'staged' | 'swapped' | 'settled';

export const isOfRestore = (volume: Volume, run: string) => hasTag(volume, restoreTag, run);
export const isRestored = (volume: Volume, state: Restored) => hasTag(volume, restoredTag, state);

const madeAt = ({ CreateTime }: Volume) => CreateTime?.getTime() ?? 0;

export const isAttachedTo = ({ Attachments = [] }: Volume, instances: ObservedState['instances']) =>
  Attachments.some(({ InstanceId }) => instances.some((one) => one.InstanceId === InstanceId));

/**
 * The volume that is the node's: the one that was restored last, or else the one that it was made with. Volumes that were made twice, since
 * the cloud has shown the first one late, are not used; they go with the node.
 */
export function volumeOf({ volumes, instances }: ObservedState): Volume | undefined {
  const byAge = volumes
    .filter((volume) => !isRestored(volume, 'staged'))
    .sort((one, other) => madeAt(one) - madeAt(other));
  const restored = byAge.findLast((volume) => isRestored(volume, 'swapped') || isRestored(volume, 'settled'));
  return restored ?? byAge.find((volume) => isAttachedTo(volume, instances)) ?? byAge[0];
}
