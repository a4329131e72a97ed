import { statusIs, type NodeId } from '@sluice/contracts';
import type { Database, VolumeCopy, Tx } from '@sluice/region-store/tables';
import { beginBackup, completeBackup, getBackup, type Backup } from '@sluice/region-store/backups.store';
import { findCluster } from '@sluice/region-store/clusters.store';
import { findDeployment, type Deployment } from '@sluice/region-store/deployments.store';
import { listNodes, type Node } from '@sluice/region-store/nodes.store';
import { isAtWork } from '@sluice/region-store/tasks.store';
import { setVolumeStep, type PresentWork, type VolumeWork } from '@sluice/region-store/volume-work.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { underWay, type VolumeDriver } from '@sluice/drivers';
import { completion, type CompletionOptions } from './completion.ts';
import { retire } from './own-backups.ts';
import { quiesceBrokers, resumeBrokers } from './quiesce.ts';
import { hasReached, isStopped, namesOf } from './node-states.ts';
import { forEachVolume, VolumeFailure, type Ask } from './volume-calls.ts';

export interface StepOptions extends CompletionOptions {
  database: Database;
  volumes: VolumeDriver;
  /** in which nodes have to have reached the state that is wanted */
  nodeSeconds: number;
  /** for which brokers may be stopped to be copied */
  copySeconds: number;
}

/** `wait`: for nodes, which report when they are done. `pause`: for what a driver has begun; any replica goes on in so many seconds. */
export type Taken = 'wait' | 'go on' | { pause: number };
export type TakeStep = (work: PresentWork, signal: AbortSignal) => Promise<Taken>;

/** those that work on files; one that ends the processes which take it is not taken for ever */
const mayEndProcesses: ReadonlySet<VolumeWork['step']> = new Set([
  'staging',
  'copying',
  'sealing',
  'swapping',
]);
const mostTakers = 30;
/** for which a copy may be under way, and what is made of one: clouds take hours for large volumes. Seconds */
const mostUnderWay = 86_400;
/** for which machines may take to have what is restored in place */
const mostSwapping = 3_600;
/** seconds between two looks at it: in growing steps, and where clients wait */
const mostPause = 30;
const swapPause = 2;

/**
 * The steps of a backup: waiting, quiescing, copying, sealing. Those of a restore: staging, waiting, quiescing, swapping, restarting; where
 * brokers do not come up with what was restored, or it could not be put in place everywhere: quiescing and swapping back. Each may be
 * repeated, and what it leads to is committed with what comes next.
 */
export function volumeSteps(options: StepOptions): TakeStep {
  const { database, change, volumes, nodeSeconds, copySeconds, now } = options;
  const ends = completion(options);
  const restartSeconds = nodeSeconds + (volumes.restartSeconds ?? 0);

  /** What stands beside is of no use any more; where this is cut short, the upkeep does it. */
  async function clear({ kind, run }: VolumeWork): Promise<void> {
    if (kind === 'restore') await volumes.clear(run).catch(() => undefined);
  }

  async function failed(work: VolumeWork, reason: string): Promise<void> {
    await ends.fail(work, reason);
    await clear(work);
  }

  interface Seen {
    work: PresentWork;
    backup: Backup;
    deployment: Deployment;
    /** those that it is about */
    nodes: readonly Node[];
    signal: AbortSignal;
  }
  type Result = Promise<Taken>;

  const forEach = <Answer>({ work, backup, signal }: Seen, ask: Ask<Answer>, limit?: number) =>
    forEachVolume(database, { work, backup, signal, ...(limit !== undefined && { limit }) }, ask);

  /** What a driver has begun has a deadline. */
  function pause({ work }: Seen): Taken {
    if (isOverdue(work)) throw new VolumeFailure('it was under way for too long');
    return { pause: Math.min(mostPause, 1 + work.pauses) };
  }

  /** Brokers are stopped as soon as nodes do nothing else: what they are doing has an end, and nothing more begins. */
  async function waiting({ work, backup, nodes }: Seen): Result {
    if (isOverdue(work)) {
      await failed(work, `the deployment did not come to rest within ${nodeSeconds} s`);
      return 'go on';
    }
    let begun = false;
    await change(work, async (tx, deployment) => {
      const restarts = (await findCluster(tx.db, deployment.id))?.turn_node_id ?? null;
      const isBusy = restarts !== null || (await isAtWork(tx.db, deployment.id));
      begun = statusIs('acceptsTasks', deployment.status) && !isBusy;
      if (!begun && work.deadline === null) await waitOn(tx, work);
      if (!begun) return;
      if (work.kind === 'backup') await beginBackup(tx.db, backup.id, copiesOf(backup, nodes));
      await quiesce(tx, work, nodes);
    });
    return begun ? 'go on' : 'wait';
  }

  const waitOn = (
    { db }: Tx,
    { deployment_id }: VolumeWork,
    step: 'waiting' | 'staging' = 'waiting',
    within = nodeSeconds,
  ) => setVolumeStep(db, deployment_id, { step, within, revision: null, formerStates: null });

  async function quiesce(
    tx: Tx,
    { deployment_id, kind }: VolumeWork,
    nodes: readonly Node[],
    failure?: string,
  ) {
    const { formerStates, revision } = await quiesceBrokers(tx.db, deployment_id, nodes, now());
    // agents learn of it, and start their brokers again by themselves
    const within = kind === 'backup' ? copySeconds : nodeSeconds;
    const next = { step: 'quiescing', within, failure: failure ?? null } as const;
    await setVolumeStep(tx.db, deployment_id, { ...next, formerStates, revision });
  }

  const copiesOf = ({ id }: Backup, nodes: readonly Node[]): VolumeCopy[] =>
    nodes.map((node) => ({
      ...{ node_id: node.id, volume_id: volumes.volumeOf(node.id), digest: null, bytes: null },
      snapshot_id: `${id}-${node.id}-${crypto.randomUUID().slice(0, 8)}`,
    }));

  /** Until all brokers are stopped; of a restore of the whole deployment, until that is so as well. */
  async function quiescing({ work, deployment, nodes, backup }: Seen): Result {
    const awaited = nodes.filter((node) => !hasReached(node, work, 'stopped'));
    const isWhole = work.kind === 'restore' && backup.node_id === null;
    if (awaited.length === 0 && (!isWhole || deployment.status === 'stopped')) {
      const restored = work.failure === null ? 'swapping' : 'swapping_back';
      await goOn(work, work.kind === 'backup' ? 'copying' : restored);
      return 'go on';
    }
    if (!isOverdue(work)) return 'wait';
    if (work.failure !== null) {
      // what has been put in place is taken back, whenever its node comes back; one that is made anew by that need not
      if (volumes.restartSeconds === undefined) return 'wait';
      await goOn(work, 'swapping_back');
      return 'go on';
    }
    const within = work.kind === 'backup' ? copySeconds : nodeSeconds;
    await failed(work, `${namesOf(awaited)} did not stop within ${within} s`);
    return 'go on';
  }

  async function goOn(
    work: VolumeWork,
    step: 'copying' | 'swapping' | 'swapping_back',
    failure = work.failure,
  ) {
    await change(work, ({ db }) =>
      setVolumeStep(db, work.deployment_id, {
        ...{ step, failure, revision: work.revision, formerStates: work.former_states },
        ...(step === 'swapping' && { within: mostSwapping }),
      }),
    );
  }

  async function copying(seen: Seen): Result {
    const { work } = seen;
    if (isOverdue(work)) throw new VolumeFailure(`no replica went on with it within ${copySeconds} s`);
    const copied = await forEach(seen, (volume, _, call) => volumes.copy(volume, call), copySeconds);
    // it is asked again soon: clients wait
    if (copied === underWay) return 'wait';
    await change(work, async ({ db }) => {
      await resumeBrokers(db, work, now());
      await setVolumeStep(db, work.deployment_id, {
        ...{ step: 'sealing', within: mostUnderWay, revision: null, formerStates: null },
      });
    });
    return 'go on';
  }

  async function sealing(seen: Seen): Result {
    const copies = await forEach(seen, async (volume, copy, call) => {
      const sealed = await volumes.seal(volume, call);
      if (sealed === underWay) return underWay;
      const { digest, bytes, volume: volume_id = copy.volume_id } = sealed;
      return { ...copy, volume_id, digest, bytes };
    });
    if (copies === underWay) return pause(seen);
    await ends.complete(seen.work, 'backup_completed', async (tx, deployment) => {
      await completeBackup(tx.db, seen.backup.id, copies);
      await retire(tx, deployment, seen.backup);
    });
    return 'go on';
  }

  /** Nothing is stopped for what turns out to be damaged. */
  async function staging(seen: Seen): Result {
    const { work } = seen;
    const staged = await forEach(seen, (volume, { digest }, call) =>
      volumes.stage(volume, digest ?? '', call),
    );
    if (staged === underWay && work.deadline === null)
      await change(work, (tx) => waitOn(tx, work, 'staging', mostUnderWay));
    if (staged === underWay) return pause(seen);
    await change(work, (tx) => waitOn(tx, work));
    return 'go on';
  }

  async function swapping(seen: Seen): Result {
    const { work } = seen;
    if ((await forEach(seen, (volume, _, call) => volumes.swap(volume, call))) === underWay) {
      pause(seen);
      return await whileNodesChange(work);
    }
    await change(work, async ({ db }) => {
      const revision = await resumeBrokers(db, work, now());
      const formerStates = work.former_states;
      const next = { step: 'restarting', within: restartSeconds } as const;
      await setVolumeStep(db, work.deployment_id, { ...next, revision, formerStates });
    });
    return 'go on';
  }

  async function swappingBack(seen: Seen): Result {
    const { work } = seen;
    if ((await forEach(seen, (volume, _, call) => volumes.swapBack(volume, call))) === underWay)
      return await whileNodesChange(work);
    await failed(work, work.failure ?? 'it was given up');
    return 'go on';
  }

  /** Node work is done by the reconciler. */
  async function whileNodesChange({ deployment_id }: VolumeWork): Result {
    await scheduleNow(database, deployment_id, now());
    return { pause: swapPause };
  }

  /** Until the brokers that are not to be stopped run with what was restored. */
  async function restarting({ work, deployment, nodes }: Seen): Result {
    const staysStopped = (node: Node) => isStopped(work, node) || deployment.limited_until !== null;
    const awaited = nodes.filter(
      (node) => !hasReached(node, work, staysStopped(node) ? 'stopped' : 'running'),
    );
    const rests = nodes.every(staysStopped);
    if (awaited.length === 0 && (rests || deployment.status === 'initialized')) {
      await ends.complete(work, 'backup_restored');
      await clear(work);
      return 'go on';
    }
    if (!isOverdue(work) || awaited.length === 0) return 'wait';
    const failure = `${namesOf(awaited)} did not come up with what was restored within ${restartSeconds} s`;
    await change(work, (tx) => quiesce(tx, work, nodes, failure));
    return 'go on';
  }

  const steps = {
    ...{ staging, waiting, quiescing, copying, sealing, swapping, restarting },
    swapping_back: swappingBack,
  } satisfies Record<VolumeWork['step'], (seen: Seen) => Result>;

  async function giveUp(work: VolumeWork, reason: string): Promise<void> {
    if (work.step === 'swapping') await goOn(work, 'swapping_back', reason);
    else await failed(work, reason);
  }

  return async (work, signal) => {
    const { deployment_id: id } = work;
    const deployment = await findDeployment(database, id);
    if (!deployment) return 'go on';
    if (deployment.deleted_by) {
      await failed(work, 'the deployment is being deleted');
      return 'go on';
    }
    const backup = await getBackup(database, id, work.backup_id);
    const nodes = (await listNodes(database, id)).filter((node) => isMeant(backup, node.id));
    const goesBack = work.step === 'swapping_back';
    if (work.fence - work.pauses > mostTakers && mayEndProcesses.has(work.step)) {
      await giveUp(work, 'it was cut short too often');
      return 'go on';
    }
    try {
      return await steps[work.step]({ work, backup, deployment, nodes, signal });
    } catch (error) {
      if (!(error instanceof VolumeFailure) || goesBack) throw error;
      await giveUp(work, error.message);
      return 'go on';
    }
  };
}

const isOverdue = ({ secondsLeft }: PresentWork) => secondsLeft <= 0;
const isMeant = ({ node_id }: Backup, id: NodeId) => node_id === null || node_id === id;
