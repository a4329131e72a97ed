import { LeaseLost } from '@sluice/controller';
import type { Cause, NodeId } from '@sluice/contracts';
import { system, type Origin } from '@sluice/service';
import { traced } from '@sluice/system/tracing';
import {
  linkForms,
  newToken,
  tokenHash,
  tokenSeconds,
  type ComputeDriver,
  type NodeToEnsure,
} from '@sluice/drivers';
import type { Base, Database, Tx } from '@sluice/region-store/tables';
import type { RegionNetwork } from '../drivers.ts';
import type { BackupSupport } from '../drivers/backup-support.ts';
import { recordConditions, setCondition } from '../features/deployments/conditions.store.ts';
import {
  deleteDeployment,
  findLocked,
  traceOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import {
  forgetGoneLinks,
  listPresentLinks,
  markLinkForDeletion,
} from '@sluice/region-store/network-links.store';
import { recordData } from '../features/deployments/node-data.store.ts';
import { lockNodesOf, storeToken, type Node } from '@sluice/region-store/nodes.store';
import { lockLease } from '@sluice/region-store/reconciliations.store';
import { isUnderMaintenance } from '@sluice/region-store/maintenances.store';
import { isToRest } from '@sluice/region-store/stopped-runtimes.store';
import { findLastCause } from '@sluice/region-store/tasks.store';
import { findVolumeWork } from '@sluice/region-store/volume-work.store';
import { completeTombstone } from '@sluice/region-store/tombstones.store';
import { findData, loseData } from './data-loss.ts';
import type { ObtainCertificate } from './certificates.ts';
import {
  askNodes,
  endTurn,
  grantTurn,
  rebuildNodes,
  publishRoutes,
  type PrepareCluster,
} from './clusters.ts';
import { abortableTransaction, type CallDriver } from './driver-calls.ts';
import type { Lease } from './lease.ts';
import { phaseOf } from './next-step.ts';
import type { ReconcilerMetrics } from './metrics.ts';
import type { OneTimePhase, Phase, Step } from './phases/phase.ts';
import { placeNodes } from './placement.ts';
import { completed, enter, explain, restReason, reportConnectors, reportOverdue } from './status-changes.ts';
import { toObserve } from './wanted-node.ts';
import { beginUpgrade, endUpgrade, giveUpUpgrade, reshapeNode, rollBack } from './upgrades.ts';

export interface ExecutorOptions extends Base {
  /** those that the drivers do */
  phases: readonly Phase[];
  compute: ComputeDriver;
  network: RegionNetwork;
  backupSupport: BackupSupport;
  callDriver: CallDriver;
  obtainCertificate: ObtainCertificate;
  prepareCluster: PrepareCluster;
  steps: ReconcilerMetrics['step'];
}

type Effect = Exclude<Step, { do: 'wait' }>;
export type ExecuteStep = (
  step: Effect,
  deployment: Deployment,
  nodes: readonly Node[],
  lease: Lease,
) => Promise<void>;

/**
 * Executes steps. Each may be repeated, also after one that was cut short. What a step stores is committed under the lease alone, and
 * only while the deployment is in the state that the step was decided on.
 * @throws LeaseLost when the lease has ended
 */
export function stepExecutor(options: ExecutorOptions): ExecuteStep {
  const { database, work, phases, compute, network, callDriver, steps, now } = options;

  const execute: ExecuteStep = async (step, deployment, nodes, lease) => {
    const { id } = deployment;
    const change = (effect: (tx: Tx) => Promise<void>, cause?: Cause) =>
      work(originOf(deployment, cause), async (tx) => {
        if (await holds(tx.db, deployment, lease)) await effect(tx);
      });
    switch (step.do) {
      case 'enter':
        return await change(
          async (tx) => {
            // what was seen may have been a backup, which has ended or begun since
            if (step.status === 'stopped' && !(await isToRest(tx.db, id))) return;
            await enter(
              tx,
              deployment,
              { status: step.status, reason: restReason(step.status, deployment) },
              now(),
            );
          },
          step.status === 'stopped' || deployment.status === 'stopped'
            ? await restCause(database, id)
            : undefined,
        );
      case 'fail':
        return await change((tx) => fail(tx, deployment, phases, step.reason, now()));
      case 'explain':
        return await change(async (tx) => {
          if (step.condition) await setCondition(tx.db, id, step.condition, now());
          await explain(tx, deployment, step.reason);
        });
      case 'run_phase':
        // nothing is locked while the driver works: commands and renewals of leases must not wait for it
        await work(originOf(deployment), async ({ db }) => {
          await callDriver('network', lease, ({ signal }) =>
            runPhase(abortableTransaction(db, signal), deployment, step.phase, network, now()),
          );
          if (!(await holds(db, deployment, lease))) throw new Superseded();
        }).catch((error: unknown) => {
          if (!(error instanceof Superseded)) throw error;
        });
        return;
      case 'ensure_nodes':
        await Promise.all(
          mayStart(nodes).map((node) =>
            callDriver('ensureNode', lease, (call) =>
              compute.ensureNode(toEnsure(database, deployment, nodes, node, lease, now), call),
            ),
          ),
        );
        return;
      case 'record_addresses':
        return await change(({ db }) => placeNodes(db, deployment, step.nodes, now()));
      case 'record_placement':
        return await change(({ db }) => recordConditions(db, id, step.conditions, now()));
      case 'prepare_cluster':
        return await change(({ db }) => options.prepareCluster(db, deployment, now()));
      case 'publish_routes':
        return await change(({ db }) => publishRoutes(db, deployment, step.routes));
      case 'grant_turn':
        return await change(({ db }) => grantTurn(db, deployment, step.node));
      case 'ask_nodes':
        return await change(({ db }) => askNodes(db, deployment, step.node));
      case 'end_turn':
        return await change(({ db }) => endTurn(db, deployment));
      case 'rebuild_nodes':
        return await change((tx) => rebuildNodes(tx, deployment, pick(nodes, step.nodes)));
      case 'begin_upgrade': {
        const keepsBackups = (await options.backupSupport())(deployment);
        return await change((tx) => beginUpgrade(tx, deployment, now(), keepsBackups));
      }
      case 'reshape_node':
        return await change(({ db }) => reshapeNode(db, deployment, step));
      case 'roll_back':
        return await change((tx) => rollBack(tx, deployment, step.reason, now()));
      case 'end_upgrade':
        return await change((tx) => endUpgrade(tx, deployment, now()));
      case 'obtain_certificate':
        return await options.obtainCertificate(deployment, nodes, lease, (db) =>
          holds(db, deployment, lease),
        );
      case 'report_connectors':
        return await change((tx) => reportConnectors(tx, deployment));
      case 'report_overdue':
        return await change((tx) => reportOverdue(tx, deployment, step.reason, now()));
      case 'record_data':
        return await change(({ db }) => recordData(db, step.nodes, now()));
      case 'lose_data':
        return await change((tx) => loseData(tx, deployment, pick(nodes, step.nodes), now()));
      case 'find_data':
        return await change(({ db }) => findData(db, deployment, step.nodes, now()));
      case 'remove_links':
        return await change(({ db }) => removeLinks(db, deployment));
      case 'remove_nodes':
        await Promise.all(
          nodes.map(({ id }) => callDriver('removeNode', lease, (call) => compute.removeNode(id, call))),
        );
        return;
      case 'remove_deployment':
        await callDriver('network', lease, async (call) => await network.release?.(deployment, call));
        return await change(async (tx) => {
          await forgetGoneLinks(tx.db, id);
          await deleteDeployment(tx.db, id);
          await completeTombstone(tx.db, deployment, now());
          const removed_at = now().toISOString();
          tx.report('deployment_removed', { deployment_id: id, uid: deployment.uid, removed_at });
        });
    }
  };
  return async (step, deployment, ...on) => {
    const ended = steps.startTimer({ step: step.do });
    try {
      await tracedStep(step, deployment, () => execute(step, deployment, ...on));
      ended({ outcome: 'done' });
    } catch (error) {
      ended({ outcome: error instanceof LeaseLost ? 'lease_lost' : 'failed' });
      throw error;
    }
  };
}

/** Takes a step as a part of the trace of what the deployment was changed by last. */
function tracedStep(step: Effect, deployment: Deployment, work: () => Promise<void>): Promise<void> {
  const attributes = {
    'sluice.deployment': deployment.id,
    'sluice.status': deployment.status,
    'sluice.phase': step.do === 'run_phase' ? step.phase.status : undefined,
  };
  return traced(`reconcile ${step.do}`, { parent: traceOf(deployment), attributes }, work);
}

/** Those whose data is not lost. */
const mayStart = (nodes: readonly Node[]) => nodes.filter((node) => node.data_lost_at === null);
const pick = (nodes: readonly Node[], ids: readonly NodeId[]) => nodes.filter(({ id }) => ids.includes(id));

/** The deployment is not any more as the step was decided on. */
class Superseded extends Error {}

/** Locks the deployment as it is to be changed. @returns whether the step is still the right one; @throws LeaseLost */
async function holds(db: Database, { id, status, deleted_by }: Deployment, lease: Lease): Promise<boolean> {
  // in everybody's order: the deployment, its nodes, its reconciliation
  const found = await findLocked(db, id);
  await lockNodesOf(db, id);
  if (!(await lockLease(db, lease))) throw new LeaseLost();
  return found?.status === status && (found.deleted_by === null) === (deleted_by === null);
}

/** The request for which brokers rest or start again; the system for work on machines. */
async function restCause(db: Database, id: Deployment['id']): Promise<Cause | undefined> {
  if (await isUnderMaintenance(db, id)) return system.cause;
  return (await findVolumeWork(db, id))?.created_by ?? (await findLastCause(db, id));
}

/** The reconciler's changes have no author, but belong to the request that asked for them. */
function originOf({ created_by, deleted_by }: Deployment, cause?: Cause): Origin {
  const { correlation_id } = deleted_by ?? cause ?? created_by;
  return { cause: { ...system.cause, correlation_id } };
}

async function fail(
  tx: Tx,
  deployment: Deployment,
  phases: readonly Phase[],
  reason: string,
  now: Date,
): Promise<void> {
  const condition = phaseOf(deployment.status, phases)?.condition;
  if (condition !== undefined) {
    const missed = { type: condition, status: 'False', reason: 'DeadlineExceeded', message: reason } as const;
    await setCondition(tx.db, deployment.id, missed, now);
  }
  const upgrade = await giveUpUpgrade(tx, deployment, reason);
  await enter(tx, deployment, { status: 'failed', reason, upgrade }, now);
}

/** Does what the phase is about. Its condition says that it is done: a default rule that was deleted since stays so. */
async function runPhase(
  db: Database,
  { id, spec }: Deployment,
  phase: OneTimePhase,
  network: RegionNetwork,
  now: Date,
): Promise<void> {
  await network.phases[phase.status]?.(db, spec);
  await phase.run?.(db, spec, now);
  await setCondition(db, id, completed(phase.condition), now);
}

/** Has all links of a deployment that is deleted go. */
async function removeLinks(db: Database, { id, deleted_by }: Deployment): Promise<void> {
  for (const link of await listPresentLinks(db, id))
    await markLinkForDeletion(db, link, deleted_by ?? system.cause, {
      status: linkForms[link.kind].leaving,
    });
}

function toEnsure(
  database: Database,
  deployment: Deployment,
  nodes: readonly Node[],
  node: Node,
  lease: Lease,
  now: () => Date,
): NodeToEnsure {
  const { token_hash, token_expires_at } = node;
  return {
    ...toObserve(database, deployment, nodes, node),
    hasToken: (token) =>
      token_hash === tokenHash(token) && token_expires_at !== null && token_expires_at > now(),
    async issueToken(options) {
      const token = newToken();
      const expiresAt = new Date(now().getTime() + tokenSeconds * 1000);
      return await database.transaction().execute(async (db) => {
        const stored = await storeToken(db, node.id, tokenHash(token), expiresAt, options);
        if (!(await lockLease(db, lease))) throw new LeaseLost();
        return stored ? token : undefined;
      });
    },
  };
}
