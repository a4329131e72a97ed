import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeId } from '@sluice/contracts';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import type { KubernetesApi } from '../compute/kubernetes-api.ts';
import { isAway, isConflict } from '../compute/connection.ts';
import { labels, nameOf, nodeOf } from '../compute/labels.ts';
import { claimOf, isRestored } from '../compute/node-claim.ts';
import { underWay, type UnderWay, type VolumeCall, type VolumeDriver } from '@sluice/drivers';
import { phaseOf } from './claims.ts';
import {
  askForVolume,
  clearBeside,
  createBeside,
  isInPlace,
  isOfRestore,
  isUsed,
  lookAt,
  machineOf,
  mark,
  restoredClaim,
  unsettledRestores,
  type SeenNode,
} from './restored-claims.ts';
import {
  complaintOf,
  createSnapshot,
  deleteSnapshot,
  digestOf,
  isCut,
  isReady,
  sealSnapshot,
  sizeOf,
  snapshotOf,
  unsealedCopies,
  type Snapshot,
} from './volume-copies.ts';

export interface KubernetesVolumesOptions {
  api: KubernetesApi;
  owner: string;
  /** the VolumeSnapshotClass of copies; the cluster's default where it is undefined */
  snapshotClass: string | undefined;
  /** for which the cluster may say what keeps it from doing a thing before that is given up, milliseconds */
  patience?: { copying: number; sealing: number; staging: number };
}

/** a pod ends, another one is scheduled, gets its volume and enrols: seconds */
const restartSeconds = 600;
/** While a copy is made, clients wait. Elsewhere none does, and providers that have too much to do say so for minutes. */
const defaultPatience = { copying: 60_000, sealing: 900_000, staging: 900_000 };
/** a look into the cluster, or the removal of a copy, milliseconds */
const longest = 30_000;
const lookAgain = 500;
const mostKnown = 10_000;

/**
 * Copies are VolumeSnapshots beside the claims that they are of, and go with the namespace of their deployment. A restore makes a claim of one
 * beside the node's own; which of them is the node's is decided by a label, and the compute driver, which watches it, has the node's
 * pod made anew with it. So a kill after any request is no other case, and none of the claims is known by more than its labels.
 */
export function createKubernetesVolumes({
  api,
  owner,
  snapshotClass,
  patience = defaultPatience,
}: KubernetesVolumesOptions): VolumeDriver {
  /** since when the cluster says what keeps it */
  const complaints = leastRecentlyUsed<string, { since: number }>(mostKnown);

  async function look(node: NodeId, signal: AbortSignal): Promise<SeenNode> {
    const seen = await lookAt(api, owner, node, signal);
    if (!seen) throw new Error(`the cluster has no node ${node}`);
    return seen;
  }

  /** @throws where the cluster has complained for too long */
  function wait(about: string, complaint: string | undefined, limit: number): UnderWay {
    if (complaint === undefined) {
      complaints.delete(about);
      return underWay;
    }
    const { since } = complaints.get(about) ?? { since: performance.now() };
    complaints.set(about, { since });
    if (performance.now() - since >= limit) throw new Error(`the cluster cannot make ${about}: ${complaint}`);
    return underWay;
  }

  const waitForCopy = (copy: string, snapshot: Snapshot, limit: number) =>
    wait(`the copy ${copy}`, complaintOf(snapshot), limit);

  async function waitForVolume(node: NodeId, run: string, seen: SeenNode, call: VolumeCall) {
    const made = seen.claims.find((claim) => isOfRestore(claim, run));
    if (!made || phaseOf(made) === 'Bound') return undefined;
    if (phaseOf(made) === 'Lost') throw new Error(`the volume that was made for node ${node} is gone`);
    await askForVolume(api, made, machineOf(seen), call);
    const complaint = await api.warningOf(made, call.signal);
    return wait(`a volume of the copy for node ${node}`, complaint, patience.staging);
  }

  return {
    restartSeconds,
    volumeOf: nameOf,

    copy: ({ node, copy }, call) =>
      unlessAway(call, async () => {
        const snapshot = await snapshotOf(api, owner, copy, call.signal);
        if (snapshot) return isCut(snapshot) ? undefined : waitForCopy(copy, snapshot, patience.copying);
        const { claim } = await look(node, call.signal);
        if (!claim || phaseOf(claim) !== 'Bound') throw new Error(`node ${node} has no volume`);
        await createSnapshot(api, { copy, claim, snapshotClass }, call);
        return underWay;
      }),

    seal: ({ copy }, call) =>
      unlessAway(call, async () => {
        const snapshot = await snapshotOf(api, owner, copy, call.signal);
        if (!snapshot) throw new Error(`the copy ${copy} is gone`);
        if (!isReady(snapshot)) return waitForCopy(copy, snapshot, patience.sealing);
        await sealSnapshot(api, snapshot, call);
        return { digest: digestOf(snapshot), bytes: sizeOf(snapshot), volume: snapshot.claim };
      }),

    stage: ({ node, copy, run }, digest, call) =>
      unlessAway(call, async () => {
        const seen = await look(node, call.signal);
        if (seen.claims.some((claim) => isOfRestore(claim, run)))
          return await waitForVolume(node, run, seen, call);
        const snapshot = await snapshotOf(api, owner, copy, call.signal);
        if (!snapshot) throw new Error(`the copy ${copy} is gone`);
        if (digestOf(snapshot) !== digest) throw new Error(`the copy ${copy} is another one`);
        const present = seen.claim;
        if (!present) throw new Error(`the volume of node ${node} is gone`);
        await createBeside(api, restoredClaim(node, run, { snapshot, present }, machineOf(seen)), call);
        return underWay;
      }),

    swap: ({ node, run }, call) =>
      unlessAway(call, async () => {
        const seen = await look(node, call.signal);
        const made = seen.claims.find((claim) => isOfRestore(claim, run));
        if (!made) throw new Error(`what was to be restored on node ${node} is gone`);
        if (isRestored(made, 'staged')) {
          await mark(api, made, 'swapped', call);
          return underWay;
        }
        return isInPlace(seen, made) ? undefined : underWay;
      }),

    swapBack: ({ node, run }, call) =>
      unlessAway(call, async () => {
        const seen = await look(node, call.signal);
        const made = seen.claims.find((claim) => isOfRestore(claim, run));
        const former = claimOf(
          seen.claims.filter((claim) => claim !== made),
          node,
        );
        // nor is there anything to go back to where it was removed by hand
        if (!made || !former) return undefined;
        if (!isRestored(made, 'staged')) {
          await mark(api, made, 'staged', call);
          return underWay;
        }
        return isUsed(seen, made) || !isInPlace(seen, former) ? underWay : undefined;
      }),

    async clear(run) {
      const call = ofItsOwn();
      const { items } = await api.list(
        'PersistentVolumeClaim',
        `${labels.owner}=${owner},${labels.restore}=${run}`,
        call.signal,
      );
      for (const claim of items) {
        const node = nodeOf(claim);
        const seen = node === undefined ? undefined : await lookAt(api, owner, node, call.signal);
        if (seen) await clearBeside(api, seen, run, call);
      }
    },

    async remove(copy) {
      const { signal } = ofItsOwn();
      // the row goes once this has ended
      while (await deleteSnapshot(api, owner, copy, signal)) {
        await sleep(lookAgain, undefined, { signal, ref: false }).catch(() => {
          throw new Error(`the snapshot of the copy ${copy} is still being removed`);
        });
      }
    },

    async list() {
      const { signal } = ofItsOwn();
      const restored = await unsettledRestores(api, owner, signal);
      return {
        unfinished: await unsealedCopies(api, owner, signal),
        runs: [...new Set(restored.flatMap(({ metadata }) => metadata.labels?.[labels.restore] ?? []))],
      };
    },
  };
}

/** An API server that does not answer, or has another version of an object by now, is asked again; what has taken effect is seen then. */
async function unlessAway<Answer>(
  { signal }: VolumeCall,
  work: () => Promise<Answer>,
): Promise<Answer | UnderWay> {
  return await work().catch((error: unknown) => {
    if (signal.aborted || !(isAway(error) || isConflict(error))) throw error;
    return underWay;
  });
}

/** A removal is never taken over. */
const ofItsOwn = (): VolumeCall => ({
  signal: AbortSignal.timeout(longest),
  confirm: () => Promise.resolve(),
});
