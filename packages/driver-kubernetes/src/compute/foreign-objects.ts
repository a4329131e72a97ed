import type { NodeToObserve } from '@sluice/drivers';
import type { ApiObject } from './api-object.ts';
import { nodeMark, uidOf } from './labels.ts';

export function isOfAnother(space: ApiObject, { deploymentUid }: NodeToObserve): boolean {
  const uid = uidOf(space);
  return uid !== null && uid !== deploymentUid;
}

/** Whether a namespace has something under a node's id that is not the node's, whose place is `home`. */
export function isForeign(space: ApiObject, node: NodeToObserve, home: string): boolean {
  if (space.metadata.name === home) return isOfAnother(space, node);
  return space.metadata.labels?.[nodeMark(node.id)] !== undefined;
}
