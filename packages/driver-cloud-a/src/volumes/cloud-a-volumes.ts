import { idOf, type NodeId } from '@sluice/contracts';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import { isCloudBusy, roleSessions, type RoleOfCopy } from '../compute/access.ts';
import { isAttachedTo, isOfRestore, isRestored, volumeOf } from '../compute/node-volume.ts';
import { lookAtNode, type NodeOwner } from '../compute/observed-state.ts';
import { underWay, type UnderWay, type VolumeCall, type VolumeDriver } from '@sluice/drivers';
import { clearBeside, createBeside, isInPlace, mark, unsettledRestores } from './restored-volumes.ts';
import {
  createSnapshot,
  deleteSnapshot,
  digestOf,
  sealSnapshot,
  snapshotsOf,
  unsealedCopies,
} from './volume-copies.ts';

export interface CloudAVolumesOptions {
  region: string;
  supervisor: string;
  /** where nodes are; undefined where no deployment has such a node */
  findAccess(node: NodeId): Promise<RoleOfCopy | undefined>;
  /** where a copy is; undefined where no backup has it */
  findCopyAccess(copy: string): Promise<RoleOfCopy | undefined>;
  listAccesses(): Promise<RoleOfCopy[]>;
  now: () => Date;
}

const gibibyte = 2 ** 30;
/** a machine is made, finds its volume and enrols: seconds */
const restartSeconds = 1_800;
/** as long as what was made may not be shown yet, milliseconds */
const shownLate = 120_000;
/** a look into an account, or the removal of a copy, milliseconds */
const longest = 30_000;
const mostKnown = 10_000;

/**
 * Copies are snapshots in the customer's account. A restore makes a volume from one beside the node's own; which of them is the node's is
 * decided by a tag, and the compute driver, which looks after instances anyway, makes the node anew with it: another volume
 * has another agent's key. So a kill after any request is no other case, and none of them is known by more than its tags.
 */
export function createCloudAVolumes(options: CloudAVolumesOptions): VolumeDriver {
  const { region, supervisor, now } = options;
  const session = roleSessions(region, now);
  /** where things were found of which no backup and no restore is known */
  const copies = leastRecentlyUsed<string, RoleOfCopy>(mostKnown);
  const restores = leastRecentlyUsed<string, Map<NodeId, RoleOfCopy>>(mostKnown);
  /** since when what was made is looked for in vain */
  const missed = leastRecentlyUsed<string, { since: number }>(mostKnown);

  async function look(nodeId: NodeId, signal: AbortSignal, known?: RoleOfCopy) {
    const place = known ?? (await options.findAccess(nodeId));
    if (!place) throw new Error(`node ${nodeId} has no account of cloud_a`);
    const { deployment, tenant_id: tenantId } = place;
    const owner: NodeOwner = { nodeId, deployment, tenantId, supervisor };
    const ec2 = await session(place.access, signal);
    return { place, owner, ec2, seen: await lookAtNode(ec2, owner, signal) };
  }

  /** The snapshot of a copy, and what has to be removed beside it; undefined while the cloud does not show it. */
  async function find(node: NodeId, copy: string, signal: AbortSignal) {
    const at = await look(node, signal);
    const [snapshot, ...surplus] = await snapshotsOf(at.ec2, copy, at.owner, signal);
    if (snapshot?.State === 'error') throw new Error(`the cloud could not make the copy ${copy}`);
    return { ...at, snapshot, surplus };
  }

  function missing(copy: string): UnderWay {
    const { since } = missed.get(copy) ?? { since: performance.now() };
    missed.set(copy, { since });
    if (performance.now() - since > shownLate) throw new Error(`the copy ${copy} is gone`);
    return underWay;
  }

  function remember(run: string, nodeId: NodeId, place: RoleOfCopy): void {
    restores.set(run, (restores.get(run) ?? new Map<NodeId, RoleOfCopy>()).set(nodeId, place));
  }

  return {
    restartSeconds,
    volumeOf: String,

    copy: ({ node, copy }, call) =>
      unlessBusy(call, async () => {
        const { ec2, owner, seen, snapshot } = await find(node, copy, call.signal);
        if (snapshot) return;
        const volume = volumeOf(seen);
        if (!volume || !isAttachedTo(volume, seen.instances))
          throw new Error(`the instance of node ${node} does not have its volume`);
        await createSnapshot(ec2, owner, copy, volume, call);
      }),

    seal: ({ node, copy }, call) =>
      unlessBusy(call, async () => {
        const { ec2, snapshot, surplus } = await find(node, copy, call.signal);
        if (!snapshot) return missing(copy);
        if (snapshot.State !== 'completed') return underWay;
        await sealSnapshot(ec2, [snapshot, ...surplus], call);
        const { VolumeSize = 0, VolumeId: volume = '' } = snapshot;
        return { digest: digestOf(snapshot), bytes: VolumeSize * gibibyte, volume };
      }),

    stage: ({ node, copy, run }, digest, call) =>
      unlessBusy(call, async () => {
        const { ec2, owner, place, seen, snapshot } = await find(node, copy, call.signal);
        remember(run, node, place);
        const made = seen.volumes.find((volume) => isOfRestore(volume, run));
        if (made?.State === 'error') throw new Error('the cloud could not make a volume of the copy');
        if (made) return made.State === 'available' ? undefined : underWay;
        if (!snapshot) throw new Error(`the copy ${copy} is gone`);
        if (digestOf(snapshot) !== digest) throw new Error(`the copy ${copy} is another one`);
        const present = volumeOf(seen);
        if (!present) throw new Error(`the volume of node ${node} is gone`);
        await createBeside(ec2, owner, run, { snapshot, present }, call);
        return underWay;
      }),

    swap: ({ node, run }, call) =>
      unlessBusy(call, async () => {
        const { ec2, seen } = await look(node, call.signal);
        const made = seen.volumes.find((volume) => isOfRestore(volume, run));
        if (!made) throw new Error(`what was to be restored on node ${node} is gone`);
        if (isRestored(made, 'staged')) {
          await mark(ec2, made, 'swapped', call);
          return underWay;
        }
        return volumeOf(seen) === made && isInPlace(seen) ? undefined : underWay;
      }),

    swapBack: ({ node, run }, call) =>
      unlessBusy(call, async () => {
        const { ec2, seen } = await look(node, call.signal);
        const made = seen.volumes.find((volume) => isOfRestore(volume, run));
        // nor is there anything to go back to where it was removed by hand
        if (!made || seen.volumes.length === 1) return undefined;
        if (!isRestored(made, 'staged')) {
          await mark(ec2, made, 'staged', call);
          return underWay;
        }
        return isAttachedTo(made, seen.instances) || !isInPlace(seen) ? underWay : undefined;
      }),

    async clear(run) {
      const call = ofItsOwn();
      for (const [nodeId, place] of restores.get(run) ?? []) {
        const { ec2, seen } = await look(nodeId, call.signal, place);
        if (await clearBeside(ec2, seen, run, call)) restores.get(run)?.delete(nodeId);
      }
    },

    async remove(copy) {
      const { signal } = ofItsOwn();
      const place = (await options.findCopyAccess(copy)) ?? copies.get(copy);
      if (!place) return;
      const ec2 = await session(place.access, signal);
      for (const snapshot of await snapshotsOf(ec2, copy, place, signal))
        await deleteSnapshot(ec2, snapshot, signal);
    },

    async list() {
      const found = { unfinished: new Set<string>(), runs: new Set<string>() };
      for (const place of await options.listAccesses()) {
        const { signal } = ofItsOwn();
        const owner = { tenantId: place.tenant_id, supervisor };
        // one account that cannot be looked into says nothing of the others
        const ec2 = await session(place.access, signal).catch(() => undefined);
        if (!ec2) continue;
        for (const { copy, deployment } of await unsealedCopies(ec2, owner, signal).catch(() => [])) {
          copies.set(copy, { ...place, deployment });
          found.unfinished.add(copy);
        }
        for (const one of await unsettledRestores(ec2, owner, signal).catch(() => [])) {
          remember(one.run, idOf<NodeId>(one.nodeId), { ...place, deployment: one.deployment });
          found.runs.add(one.run);
        }
      }
      return { unfinished: [...found.unfinished], runs: [...found.runs] };
    },
  };
}

/** A cloud that has too much to do, or does not answer, is asked again; what has taken effect meanwhile is seen then. */
async function unlessBusy<Answer>(
  { signal }: VolumeCall,
  work: () => Promise<Answer>,
): Promise<Answer | UnderWay> {
  return await work().catch((error: unknown) => {
    if (signal.aborted || !isCloudBusy(error)) throw error;
    return underWay;
  });
}

/** A removal is never taken over. */
const ofItsOwn = (): VolumeCall => ({
  signal: AbortSignal.timeout(longest),
  confirm: () => Promise.resolve(),
});
