import { statusIs, type NotificationType } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { figures, system } from '@sluice/service';
import { each } from '../../each.ts';
import { findCluster } from '@sluice/region-store/clusters.store';
import {
  findLocked,
  nameAndCode,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import {
  changeMaintenance,
  countOverdueMaintenances,
  finishMaintenances,
  isUnderMaintenance,
  listDueMaintenances,
  lockMaintenance,
  type Maintenance,
  type MaintenanceKey,
} from '@sluice/region-store/maintenances.store';
import { listNodes, type Node } from '@sluice/region-store/nodes.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { setToBeStopped } from '@sluice/region-store/stopped-runtimes.store';
import { listOpenTasks } from '@sluice/region-store/tasks.store';
import { findVolumeWork } from '@sluice/region-store/volume-work.store';
import { hasReached } from '../../volume-work/node-states.ts';
import type { Shared, Tx } from '../shared.ts';

type MaintenanceEvent = Extract<NotificationType, `maintenance_${string}`>;

/** nodes that one look sees to */
const mostAtOnce = 50;

export type MaintenancesOptions = Pick<Shared, 'database' | 'work' | 'metrics' | 'now' | 'log'>;

/**
 * Carries out what operators plan with `sluice-admin maintenance`, which wakes it: tells tenants, stops the brokers of the nodes when it is
 * time, of a cluster once the others are well, and wants of them again what was wanted before when the operator ends it. Each step is
 * decided under the lock of its deployment and may be repeated.
 */
export function maintenancesJob({ database, work, metrics, now, log }: MaintenancesOptions): Job {
  const help = 'Nodes that a maintenance still holds after the time that it was expected to take';
  const overdue = { name: 'sluice_maintenance_overdue_nodes', help };
  figures(metrics, { overdue }, async () => ({ overdue: await countOverdueMaintenances(database) }));
  const advance = (key: MaintenanceKey) =>
    work(system, async (tx) => {
      const deployment = await findLocked(tx.db, key.deployment_id);
      const maintenance = deployment && (await lockMaintenance(tx.db, key));
      if (maintenance) await step(tx, deployment, maintenance, now());
    });
  return {
    name: 'maintenances',
    every: 1,
    async run(signal) {
      const due = await listDueMaintenances(database, mostAtOnce);
      await each(due, advance, { log, failed: 'a maintenance could not go on' }, signal);
      await finishMaintenances(database);
    },
  };
}

/** The next step of a node's maintenance. */
async function step(tx: Tx, deployment: Deployment, maintenance: Maintenance, now: Date): Promise<void> {
  const { db } = tx;
  const nodes = await listNodes(db, deployment.id);
  const node = nodes.find(({ id }) => id === maintenance.node_id);
  const to = (changes: Parameters<typeof changeMaintenance>[2]) =>
    changeMaintenance(db, maintenance, { waits_for: null, ...changes });
  const tell = (type: MaintenanceEvent) => {
    if (node) tx.emit(type, subjectsOf(deployment), dataOf(deployment, maintenance, node));
  };
  if (!node || deployment.deleted_by) return await to({ status: 'cancelled' });
  switch (maintenance.status) {
    case 'new':
      if (maintenance.decision !== null) return await to({ status: 'cancelled' });
      tell('maintenance_planned');
      return await to({ status: 'planned' });
    case 'planned': {
      if (maintenance.decision !== null || maintenance.is_over) {
        tell('maintenance_cancelled');
        return await to({ status: 'cancelled' });
      }
      // another replica may have announced it since it was found
      if (!maintenance.is_due) return;
      const obstacle = await obstacleOf(tx, deployment, nodes, maintenance);
      if (obstacle !== null) return await to({ waits_for: obstacle });
      tell('maintenance_began');
      const former = { broker: node.broker_stopped, connectors: node.connectors_stopped };
      const revision = await want(tx, deployment, node, { broker: true, connectors: true }, now);
      return await to({ status: 'stopping', revision, former: JSON.stringify(former) });
    }
    case 'stopping':
    case 'stopped': {
      if (maintenance.decision === 'end') {
        if (await findVolumeWork(db, deployment.id)) return await to({ waits_for: volumeWork });
        const former = maintenance.former ?? { broker: false, connectors: false };
        return await to({ status: 'starting', revision: await want(tx, deployment, node, former, now) });
      }
      if (maintenance.status === 'stopped') return await to({});
      return hasReached(node, maintenance, 'stopped')
        ? await to({ status: 'stopped' })
        : await to({ waits_for: `node ${node.name} to say that its broker is stopped` });
    }
    case 'starting': {
      const rests = maintenance.former?.broker === true || deployment.limited_until !== null;
      if (!hasReached(node, maintenance, rests ? 'stopped' : 'running'))
        return await to({ waits_for: `node ${node.name} to say that its broker is as before` });
      // its status follows under this lock, and is no request of a user
      if (!rests && deployment.status === 'stopped')
        return await to({ waits_for: 'the deployment to start' });
      tell('maintenance_ended');
      return await to({ status: 'ended' });
    }
    case 'ended':
    case 'cancelled':
      return;
  }
}

const volumeWork = 'a backup or a restore to end';

/** Has runtimes of a node stopped or not. @returns the revision of the change */
async function want(
  { db }: Tx,
  { id }: Deployment,
  node: Node,
  stopped: { broker: boolean; connectors: boolean },
  now: Date,
): Promise<number> {
  await setToBeStopped(db, node.id, 'broker', stopped.broker);
  await setToBeStopped(db, node.id, 'connectors', stopped.connectors);
  const revision = await raiseRevision(db, id);
  await scheduleNow(db, id, now);
  return revision;
}

/** What has to be over before the broker of a node can be stopped, as people read it; null for nothing. */
async function obstacleOf(
  { db }: Tx,
  deployment: Deployment,
  nodes: readonly Node[],
  { node_id, maintenance_id }: Maintenance,
): Promise<string | null> {
  const { id, status } = deployment;
  if (!statusIs('acceptsTasks', status)) return `the deployment, which is ${status}, to be ready`;
  if (await findVolumeWork(db, id)) return volumeWork;
  if ((await listOpenTasks(db, id)).length > 0) return 'tasks of its nodes to end';
  if (await isUnderMaintenance(db, id, maintenance_id)) return 'another maintenance of the deployment to end';
  // of one that is stopped nothing can be cut off
  if (status === 'stopped') return null;
  if ((await findCluster(db, id))?.turn_node_id) return 'a node of the cluster to restart';
  const unwell = nodes.find((node) => node.id !== node_id && !isWell(node));
  return unwell ? `node ${unwell.name} of the cluster to be well` : null;
}

const isWell = ({ runtimes, cluster, unreachable_since, broker_stopped }: Node) =>
  unreachable_since === null &&
  !broker_stopped &&
  runtimes.some(({ runtime, status }) => runtime === 'broker' && status === 'running') &&
  cluster?.healthy === true;

function dataOf(deployment: Deployment, maintenance: Maintenance, node: Node) {
  const { maintenance_id, starts_at, minutes, reason } = maintenance;
  return {
    ...{ maintenance_id, ...nameAndCode(deployment), nodes: [{ id: node.id, name: node.name }] },
    ...{ starts_at: starts_at.toISOString(), minutes, ...(reason !== null && { reason }) },
  };
}
