import type { NodeId } from '@sluice/contracts';
import type { V1PersistentVolumeClaim, V1Pod, V1PodSpec, V1StatefulSet } from '@kubernetes/client-node';
import type { ApiObject, Read } from './api-object.ts';
import { labels, nameOf } from './labels.ts';
import { bytesOf } from './quantities.ts';

/**
 * How far the restore is that a claim was made for. `staged`: it lies beside, and is no node's. `swapped`: it is the node's, and the one
 * before is kept. `settled`: that one is gone. So one label decides which claim is the node's, and takes that back.
 */
export type Restored = 'staged' | 'swapped' | 'settled';

/** as pods call the volume that a node keeps its data on */
export const dataVolume = 'data';

export const isRestored = ({ metadata }: ApiObject, state: Restored) =>
  metadata.labels?.[labels.restored] === state;

const madeAt = ({ metadata }: ApiObject) => metadata.creationTimestamp ?? '';

/** The claim that is a node's: the one that was restored last, or else the one that it was made with. */
export function claimOf(claims: readonly ApiObject[], node: NodeId): ApiObject | undefined {
  return (
    claims
      .filter((claim) => isRestored(claim, 'swapped') || isRestored(claim, 'settled'))
      .sort((one, other) => (madeAt(one) < madeAt(other) ? -1 : 1))
      .at(-1) ?? claims.find(({ metadata }) => metadata.name === nameOf(node))
  );
}

/** How large the volume of a claim is, whole GiB; 0 while there is none. */
export function gibibytesOf(claim: ApiObject): number {
  const { storage = '0' } = (claim as Read<V1PersistentVolumeClaim>).status?.capacity ?? {};
  return Math.ceil(bytesOf(storage) / 2 ** 30) || 0;
}

const mountedIn = (spec: V1PodSpec | undefined) =>
  spec?.volumes?.find(({ name }) => name === dataVolume)?.persistentVolumeClaim?.claimName;

export const claimOfPod = (pod: ApiObject) => mountedIn((pod as Read<V1Pod>).spec);

export const claimOfSet = (set: ApiObject) => mountedIn((set as Read<V1StatefulSet>).spec?.template.spec);

/** Whether a node has another volume than its pod was made with, and so another agent. */
export const hasMoved = (set: ApiObject | undefined, claim: ApiObject | undefined) =>
  set !== undefined && claim !== undefined && claimOfSet(set) !== claim.metadata.name;

/** Whether a pod has another claim than its node, and does not end yet. */
export const isMisplaced = (pod: ApiObject | undefined, claim: ApiObject | undefined): pod is ApiObject =>
  pod !== undefined &&
  claim !== undefined &&
  pod.metadata.deletionTimestamp === undefined &&
  claimOfPod(pod) !== claim.metadata.name;
