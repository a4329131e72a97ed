import type { Instance, IpPermission, Volume } from '@aws-sdk/client-ec2';
import { hasTag } from '../tags.ts';
import { isAttachedTo, volumeOf } from './node-volume.ts';
import { entriesIn, haveRoom, permissionsOf, type Entries } from './rules.ts';
import { isGoing, tokenTag, type ObservedState } from './observed-state.ts';

export interface WantedInstance {
  type: string;
  /** of the volume, GiB */
  storage: number;
  entries: Entries;
  enrolled: boolean;
  /** whether its agent's key was revoked: it comes back when its instance is terminated by hand */
  revoked: boolean;
  /** whether it has held data, which a new volume would not have */
  deployed: boolean;
  /** by which the token that its agent can enrol with is known; null when there is none */
  tokenMark: string | null;
}

export type Change =
  | { do: 'create_group' | 'create_volume' }
  | { do: 'set_rules'; group: string; added: IpPermission[]; removed: IpPermission[]; hasRoom: boolean }
  | { do: 'grow_volume'; volume: string; size: number }
  | { do: 'run_instance'; volume: Volume; group: string }
  | { do: 'terminate' | 'stop' | 'start'; instance: string }
  | { do: 'set_type'; instance: string; type: string }
  | { do: 'attach'; instance: string; volume: string }
  /** the cloud is at something that has to end first */
  | { do: 'wait'; for: string }
  | { do: 'nothing' };

/** The one change that brings what there is closer to what there shall be. */
export function nextChange(seen: ObservedState, wanted: WantedInstance): Change {
  const { group } = seen;
  const groupId = group?.GroupId;
  if (groupId === undefined) return { do: 'create_group' };
  const rules = ruleChange(groupId, group?.IpPermissions, wanted.entries);
  if (rules) return rules;
  const volume = volumeOf(seen);
  if (!volume) {
    if (wanted.deployed) throw new Error('its volume is gone');
    return { do: 'create_volume' };
  }
  if (volume.State === 'creating') return { do: 'wait', for: 'its volume is being made' };
  return instanceChange(seen, wanted, volume, groupId) ?? growth(volume, wanted) ?? { do: 'nothing' };
}

function ruleChange(
  group: string,
  permissions: IpPermission[] | undefined,
  wanted: Entries,
): Change | undefined {
  const { ours, others } = entriesIn(permissions);
  const added = new Set([...wanted].filter((entry) => !ours.has(entry)));
  const removed = [...permissionsOf([...ours].filter((entry) => !wanted.has(entry))), ...others];
  if (added.size + removed.length === 0) return undefined;
  // what others have entered can count for any number of entries
  const hasRoom = others.length === 0 && haveRoom(ours, added);
  return { do: 'set_rules', group, added: permissionsOf(added), removed, hasRoom };
}

export const instanceOf = ({ instances }: ObservedState): Instance | undefined =>
  instances.find((instance) => !isGoing(instance));

function instanceChange(
  seen: ObservedState,
  wanted: WantedInstance,
  volume: Volume,
  group: string,
): Change | undefined {
  const volumeId = volume.VolumeId ?? '';
  const [instance, ...more] = seen.instances.filter((one) => !isGoing(one));
  const [surplus] = more;
  if (surplus) return { do: 'terminate', instance: surplus.InstanceId ?? '' };
  if (!instance) {
    if (volume.State !== 'available')
      return { do: 'wait', for: 'its volume is in use by an instance that goes' };
    return { do: 'run_instance', volume, group };
  }
  const { InstanceId: id = '', InstanceType } = instance;
  // the agent's own key is that of its volume: one that enrols anew goes with the other
  const hasAnother = seen.volumes.some((one) => one !== volume && isAttachedTo(one, [instance]));
  if (hasAnother) return { do: 'terminate', instance: id };
  const isWith = wanted.tokenMark !== null && hasTag(instance, tokenTag, wanted.tokenMark);
  // the token with which it was made is void: its agent can never enrol
  if (!wanted.enrolled && !isWith)
    return wanted.revoked
      ? { do: 'wait', for: "its agent's key was revoked: terminate its instance to let it come back" }
      : { do: 'terminate', instance: id };
  const state = instance.State?.Name;
  const isOther = InstanceType !== wanted.type;
  if (state === 'pending' || state === 'stopping') return { do: 'wait', for: `its instance is ${state}` };
  if (state === 'stopped' && isOther) return { do: 'set_type', instance: id, type: wanted.type };
  const isAttached = volume.Attachments?.some(({ InstanceId }) => InstanceId === id) === true;
  if (!isAttached && volume.State === 'available') return { do: 'attach', instance: id, volume: volumeId };
  if (!isAttached) return { do: 'wait', for: 'its volume is in use by another instance' };
  if (state === 'stopped') return { do: 'start', instance: id };
  if (isOther) return { do: 'stop', instance: id };
  return undefined;
}

/** A volume never shrinks. */
function growth({ VolumeId = '', Size = 0 }: Volume, { storage }: WantedInstance): Change | undefined {
  return storage > Size ? { do: 'grow_volume', volume: VolumeId, size: storage } : undefined;
}
