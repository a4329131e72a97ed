import { idOf, type DeploymentId, type NodeId } from '@sluice/contracts';
import type { ApiObject } from './api-object.ts';

/** Who writes the fields that the driver says, as the API server keeps it (server-side apply). */
export const fieldManager = 'sluice-supervisor';

/** Every object of the driver has these; an object without them is foreign. */
export const labels = {
  /** whose object it is: the supervisors of one region */
  owner: 'sluice.example/owner',
  tenant: 'sluice.example/tenant',
  deployment: 'sluice.example/deployment',
  /** tells the deployment from another one that had its id before */
  deploymentUid: 'sluice.example/deployment-uid',
  node: 'sluice.example/node',
  /** on a VolumeSnapshot: the copy that it is */
  copy: 'sluice.example/copy',
  /** on one that is sealed, so that one that is not is recognised without its backup */
  whole: 'sluice.example/whole',
  /** on a claim: the restore that it was made for */
  restore: 'sluice.example/restore',
  /** on a claim: how far that is */
  restored: 'sluice.example/restored',
} as const;

export const annotations = {
  /** changes with the token that a node's agent enrols with, so that a new one reaches it */
  enrolment: 'sluice.example/enrolment',
  /** the certificates that agents trust for their supervisor, PEM */
  authority: 'sluice.example/authority',
  /** changes with what an operator's template says of a pod or a Service, also where that says less */
  template: 'sluice.example/template',
  /** on a namespace: tells the credentials of its registry from former ones */
  pull: 'sluice.example/pull-credentials',
  /** on a VolumeSnapshot: the StorageClass of the volume that it is of */
  storageClass: 'sluice.example/storage-class',
} as const;

/** On a namespace: that this node is in it. */
export const nodeMark = (node: NodeId) => `node.sluice.example/${node}`;
const nodeMarkPattern = /^node\.sluice\.example\/(\d{1,16})$/;

export function nodesOf(namespace: ApiObject): NodeId[] {
  return Object.keys(namespace.metadata.labels ?? {}).flatMap((name) => {
    const [, id] = nodeMarkPattern.exec(name) ?? [];
    return id === undefined ? [] : [idOf<NodeId>(id)];
  });
}

/** The node that an object belongs to; undefined for what belongs to all of a deployment. */
export function nodeOf({ metadata }: ApiObject): NodeId | undefined {
  const id = metadata.labels?.[labels.node];
  return id !== undefined && /^\d{1,16}$/.test(id) ? idOf<NodeId>(id) : undefined;
}

export const uidOf = ({ metadata }: ApiObject) => metadata.labels?.[labels.deploymentUid] ?? null;

/** A namespace for each deployment: decision 057 says why. */
export const namespaceOf = (owner: string, deployment: DeploymentId) => `${owner}-d${deployment}`;

export const nameOf = (node: NodeId) => `node-${node}`;
