import type { NodeId } from '@sluice/contracts';
import { describeKey, keyOf, type ApiObject, type Wanted } from '../compute/api-object.ts';
import type { KubernetesApi } from '../compute/kubernetes-api.ts';
import { isConflict } from '../compute/connection.ts';
import { labels, nameOf, nodeMark } from '../compute/labels.ts';
import { claimOf, claimOfPod, claimOfSet, isRestored, type Restored } from '../compute/node-claim.ts';
import { machineOf as machineOfPod } from '../compute/presence.ts';
import { bytesOf } from '../compute/quantities.ts';
import { isTaken } from '../compute/restart.ts';
import type { VolumeCall } from '@sluice/drivers';
import { specOf } from '../compute/volume.ts';
import { ownLabels } from './claims.ts';
import type { Snapshot } from './volume-copies.ts';

/** by which a provider learns where a volume is needed before a pod mounts it; otherwise the scheduler writes it */
const selectedMachine = 'volume.kubernetes.io/selected-node';

export interface SeenNode {
  claims: Wanted[];
  claim: Wanted | undefined;
  statefulSet: ApiObject | undefined;
  pods: ApiObject[];
}

/** Undefined where the cluster has no such node. */
export async function lookAt(
  api: KubernetesApi,
  owner: string,
  node: NodeId,
  signal: AbortSignal,
): Promise<SeenNode | undefined> {
  const ours = `${labels.owner}=${owner}`;
  const { items: all } = await api.list('Namespace', `${ours},${nodeMark(node)}`, signal);
  const [space, ...others] = all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (!space) return undefined;
  if (others.length > 0) throw new Error(`what another deployment has left of node ${node} is being removed`);
  const of = async (kind: 'PersistentVolumeClaim' | 'StatefulSet' | 'Pod') =>
    (await api.list(kind, `${ours},${labels.node}=${node}`, signal, space.metadata.name)).items;
  const [claims, sets, pods] = await Promise.all([of('PersistentVolumeClaim'), of('StatefulSet'), of('Pod')]);
  return {
    claims: claims.map(asClaim),
    claim: asFound(claimOf(claims, node)),
    statefulSet: sets.find(({ metadata }) => metadata.name === nameOf(node)),
    pods,
  };
}

const asClaim = (object: ApiObject): Wanted => ({ ...object, kind: 'PersistentVolumeClaim' });
const asFound = (object: ApiObject | undefined) => (object ? asClaim(object) : undefined);

export const isOfRestore = ({ metadata }: ApiObject, run: string) =>
  metadata.labels?.[labels.restore] === run;

/** The larger one of two quantities: a claim that has grown since the copy does not become smaller. */
const larger = (one: string, other = '0') => (bytesOf(other) > bytesOf(one) ? other : one);

/**
 * The claim of a restore, beside the present one: of the class that the copied volume had, since no other provider may read the copy, and
 * at least as large as that.
 */
export function restoredClaim(
  node: NodeId,
  run: string,
  { snapshot, present }: { snapshot: Snapshot; present: ApiObject },
  machine: string | undefined,
): Wanted {
  const { storageClassName, storage } = specOf(present);
  const ofClass = snapshot.storageClass ?? storageClassName;
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: {
      name: `${nameOf(node)}-${run}`,
      ...(present.metadata.namespace !== undefined && { namespace: present.metadata.namespace }),
      labels: {
        ...ownLabels(present),
        ...{ [labels.restore]: run, [labels.restored]: 'staged' satisfies Restored },
      },
      ...(machine !== undefined && { annotations: { [selectedMachine]: machine } }),
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(ofClass !== undefined && { storageClassName: ofClass }),
      resources: { requests: { storage: larger(storage, snapshot.status.restoreSize) } },
      dataSource: {
        ...{ apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot' },
        name: snapshot.object.metadata.name,
      },
    },
  };
}

export async function createBeside(api: KubernetesApi, claim: Wanted, call: VolumeCall): Promise<void> {
  await call.confirm();
  try {
    await api.create(claim, call.signal);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const there = await api.read(keyOf(claim), call.signal);
    if (there && there.metadata.labels?.[labels.restore] !== claim.metadata.labels?.[labels.restore])
      throw new Error(`${describeKey(keyOf(claim))} is there already and of no restore`, { cause: error });
  }
}

/**
 * Has a volume made now that otherwise waits for the pod that mounts it (`WaitForFirstConsumer`): what cannot be made is found out while
 * brokers run. It is made where the node's pod is, as the present one.
 */
export async function askForVolume(
  api: KubernetesApi,
  claim: Wanted,
  machine: string | undefined,
  call: VolumeCall,
): Promise<void> {
  if (machine === undefined || claim.metadata.annotations?.[selectedMachine] !== undefined) return;
  await call.confirm();
  await api.mark(claim, { annotations: { [selectedMachine]: machine } }, call.signal);
}

export const machineOf = ({ pods }: SeenNode) => pods.map(machineOfPod).find((name) => name !== undefined);

export async function mark(
  api: KubernetesApi,
  claim: Wanted,
  state: Restored,
  call: VolumeCall,
): Promise<void> {
  await call.confirm();
  await api.mark(claim, { labels: { [labels.restored]: state } }, call.signal);
}

/** Whether the node's only pod has this claim, and no other one can start with another. */
export function isInPlace({ statefulSet, pods }: SeenNode, claim: ApiObject): boolean {
  const [pod, ...others] = pods;
  if (!pod || others.length > 0 || pod.metadata.deletionTimestamp !== undefined) return false;
  return claimOfPod(pod) === claim.metadata.name && isTaken(statefulSet, claim);
}

export const isUsed = ({ statefulSet, pods }: SeenNode, { metadata: { name } }: ApiObject) =>
  pods.some((pod) => claimOfPod(pod) === name) || (statefulSet && claimOfSet(statefulSet)) === name;

/**
 * Removes what a restore has left of a node: the claim that it has made where that is not the node's, or else those that were the node's
 * before.
 * @returns whether nothing is left to be removed
 */
export async function clearBeside(
  api: KubernetesApi,
  seen: SeenNode,
  run: string,
  call: VolumeCall,
): Promise<boolean> {
  const made = seen.claims.filter((claim) => isOfRestore(claim, run));
  const staged = made.filter((claim) => isRestored(claim, 'staged'));
  const swapped = made.filter((claim) => isRestored(claim, 'swapped'));
  // a later restore looks after what it has made itself
  const former = swapped.length === 0 ? [] : seen.claims.filter((claim) => isFormer(claim, seen.claim));
  for (const claim of [...staged, ...former]) {
    if (isUsed(seen, claim)) return false;
    const { uid = '', deletionTimestamp } = claim.metadata;
    await call.confirm();
    if (deletionTimestamp === undefined) await api.remove(keyOf(claim), uid, call.signal);
  }
  for (const claim of swapped) if (!former.includes(claim)) await mark(api, claim, 'settled', call);
  return true;
}

const isFormer = (claim: ApiObject, present: ApiObject | undefined) =>
  present !== undefined &&
  claim.metadata.name !== present.metadata.name &&
  !isRestored(claim, 'staged') &&
  (claim.metadata.creationTimestamp ?? '') <= (present.metadata.creationTimestamp ?? '');

export async function unsettledRestores(
  api: KubernetesApi,
  owner: string,
  signal: AbortSignal,
): Promise<ApiObject[]> {
  const unsettled = `${labels.restored}!=${'settled' satisfies Restored}`;
  const selector = `${labels.owner}=${owner},${labels.restore},${unsettled}`;
  return (await api.list('PersistentVolumeClaim', selector, signal)).items;
}
