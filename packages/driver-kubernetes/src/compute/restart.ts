import type { V1StatefulSet } from '@kubernetes/client-node';
import { keyOf, type ApiObject, type Read, type Wanted } from './api-object.ts';
import { covers } from './drift.ts';
import { claimOfSet } from './node-claim.ts';

type StatefulSet = Read<V1StatefulSet>;
const revisionLabel = 'controller-revision-hash';

/**
 * Whether a node's pod is not the one that its StatefulSet should have: the cluster replaces it as soon as the StatefulSet says so, and has
 * not done so yet.
 * @param live the StatefulSet, as of the last event
 */
export function isOutdated(
  live: ApiObject | undefined,
  wanted: Wanted | undefined,
  pod: ApiObject | undefined,
): boolean {
  if (!live || !pod) return false;
  if (wanted && !covers(live.spec, wanted.spec)) return true;
  if (!isObserved(live)) return true;
  return (live as StatefulSet).status?.updateRevision !== pod.metadata.labels?.[revisionLabel];
}

/** Whether the cluster goes by what a StatefulSet says now. */
function isObserved(live: ApiObject): boolean {
  const { metadata, status } = live as StatefulSet;
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** Whether the cluster makes no pod any more but with this claim. */
export const isTaken = (live: ApiObject | undefined, claim: ApiObject): boolean =>
  live !== undefined && claimOfSet(live) === claim.metadata.name && isObserved(live);

/** All but the StatefulSet, whose change would restart the node. */
export const withoutRestart = (objects: readonly Wanted[]): Wanted[] =>
  objects.filter((object) => keyOf(object).kind !== 'StatefulSet');
