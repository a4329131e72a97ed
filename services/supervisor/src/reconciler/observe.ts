import { isDeepStrictEqual } from 'node:util';
import { statusIs, wantedOptions, type BrokerResources, type DeploymentId } from '@sluice/contracts';
import type { CertificateDriver, ComputeDriver } from '@sluice/drivers';
import type { Database } from '@sluice/region-store/tables';
import { findCertificateState } from '@sluice/region-store/certificates.store';
import {
  listConditions,
  listTrueConditions,
  type Condition,
} from '../features/deployments/conditions.store.ts';
import { findCluster } from '@sluice/region-store/clusters.store';
import { findConnectorsState, differsFromReport } from '../features/connectors/connector-reports.store.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { countPresentLinks } from '@sluice/region-store/network-links.store';
import type { Node } from '@sluice/region-store/nodes.store';
import { isAtWork } from '@sluice/region-store/tasks.store';
import { findVolumeWork } from '@sluice/region-store/volume-work.store';
import { findOpenUpgrade, type Upgrade } from '@sluice/region-store/upgrades.store';
import type { CallDriver } from './driver-calls.ts';
import type { Lease } from './lease.ts';
import { dependsOnNodes, phaseOf } from './next-step.ts';
import type { Observed, ObservedCluster, ObservedNode, Phase } from './phases/phase.ts';
import { placementConditions } from './placement-conditions.ts';
import { toObserve } from './wanted-node.ts';

export interface ObserverOptions {
  database: Database;
  /** those that the drivers of this installation do */
  phases: readonly Phase[];
  compute: ComputeDriver;
  /** absent where deployments have none */
  certificates?: CertificateDriver;
  callDriver: CallDriver;
  /** what a configuration that is in force leaves of resources */
  configuredResources: ConfiguredResources;
  deadlineSeconds: number;
  /** the deadline of a deployment that waits for machines of the customer */
  enrolmentSeconds: number;
}

export type ConfiguredResources = (
  deploymentId: DeploymentId,
) => Promise<(resources: BrokerResources) => BrokerResources>;

/** Finds out all that the next step of a deployment depends on, and no more: asking the driver costs more than the rest. */
export type Observe = (
  deployment: Deployment,
  nodes: readonly Node[],
  lease: Lease,
  lastError: string | null,
) => Promise<Observed>;

/** how long a deployment that lacks nothing rests: events wake it, so this only finds what was missed */
export const restSeconds = 300;

const unchanged = (resources: BrokerResources) => resources;

/** Of the life of what brokers of a cluster trust each other by, the part after which its successor is made. */
const renewTrustAt = 2 / 3;

async function observeCluster(db: Database, id: DeploymentId): Promise<ObservedCluster> {
  const found = await findCluster(db, id);
  if (!found) return { prepared: false, routes: [], turn: null, askedRevision: null };
  const { not_before: from, not_after: to, routes, turn_node_id: turn, asked_revision } = found;
  const due = from.getTime() + (to.getTime() - from.getTime()) * renewTrustAt;
  return { prepared: Date.now() < due, routes, turn, askedRevision: asked_revision };
}

/** One that has not begun waits until the nodes have no task, and their volumes are left alone. */
async function findNextUpgrade(db: Database, id: DeploymentId): Promise<Upgrade | undefined> {
  const upgrade = await findOpenUpgrade(db, id);
  if (upgrade?.state !== 'pending') return upgrade;
  return (await isAtWork(db, id)) || (await findVolumeWork(db, id)) ? undefined : upgrade;
}

/** People take longer than drivers. */
function deadlineOf(
  { status, byoc_driver }: Deployment,
  { deadlineSeconds, enrolmentSeconds }: Pick<ObserverOptions, 'deadlineSeconds' | 'enrolmentSeconds'>,
): number {
  return status === 'waiting_for_nodes' && byoc_driver === 'enrol' ? enrolmentSeconds : deadlineSeconds;
}

async function lacksReport(db: Database, id: DeploymentId): Promise<boolean> {
  const state = await findConnectorsState(db, id);
  return state !== undefined && (await differsFromReport(db, id, state));
}

async function findChangedPlacement(
  db: Database,
  { id, spec }: Deployment,
  nodes: readonly ObservedNode[],
): Promise<Condition[]> {
  const seen = placementConditions(wantedOptions(spec), nodes);
  if (seen.length === 0) return seen;
  const types = seen.map(({ type }) => type);
  const known = await listConditions(db, id, types);
  return seen.filter((condition) => !known.some((one) => isDeepStrictEqual(one, condition)));
}

export function observer({
  database,
  phases,
  compute,
  certificates,
  callDriver,
  configuredResources,
  ...deadlines
}: ObserverOptions): Observe {
  async function observeNode(
    deployment: Deployment,
    nodes: readonly Node[],
    node: Node,
    lease: Lease,
  ): Promise<ObservedNode> {
    const known = toObserve(database, deployment, nodes, node);
    const machine = await callDriver('observe', lease, (call) => compute.observe(known, call));
    return {
      ...machine,
      addressChanged: !isDeepStrictEqual(machine.address ?? node.address, node.address),
      id: node.id,
      name: node.name,
      deployed: node.deployed_at !== null,
      dataLost: node.data_lost_at !== null,
      enrolled: known.enrolled,
      stopped: node.broker_stopped || deployment.limited_until !== null,
      broker: node.runtimes.find(({ runtime }) => runtime === 'broker'),
      appliedRevision: node.applied_revision,
      upgradeId: node.upgrade_id,
      applied: node.applied,
      cluster: node.cluster,
    };
  }

  return async (deployment, nodes, lease, lastError) => {
    const { id, status, status_changed_at } = deployment;
    const deleting = deployment.deleted_by !== null;
    const asks = deleting || status === 'failed' || phaseOf(status, phases)?.condition !== undefined;
    const conditions = new Set(asks ? await listTrueConditions(database, id) : []);
    const secondsInStatus =
      status_changed_at.getTime() === lease.activeSince.getTime() ? lease.activeSeconds : 0;
    const deadlineSeconds = deadlineOf(deployment, deadlines);
    const progress = { status, deleting, secondsInStatus, deadlineSeconds, conditions };
    // a backup is not worth a status, and is not looked up as long as all brokers run
    const isLimited = deployment.limited_until !== null;
    const mayRest = status === 'initialized' && (isLimited || nodes.some((node) => node.broker_stopped));
    const backingUp = mayRest && (await findVolumeWork(database, id))?.kind === 'backup';
    const isUpgradable = statusIs('acceptsUpgrade', status) || statusIs('upgrading', status);
    const upgrade = isUpgradable ? await findNextUpgrade(database, id) : undefined;
    // compared with what brokers use, which matters in an upgrade alone
    const configured = upgrade ? await configuredResources(id) : unchanged;
    const observedNodes = dependsOnNodes(progress, phases)
      ? await Promise.all(nodes.map((node) => observeNode(deployment, nodes, node, lease)))
      : [];
    const looks = observedNodes.flatMap(({ lookAgainSeconds }) => lookAgainSeconds ?? []);
    return {
      ...progress,
      lastError,
      resources: configured(deployment.spec.limits),
      ...(upgrade && { upgrade: { ...upgrade, resources: configured(upgrade.resources) } }),
      ...(certificates && !deleting && { certificate: await findCertificateState(database, id, new Date()) }),
      ...(statusIs('settled', status) &&
        !deleting && { connectorsUnreported: await lacksReport(database, id) }),
      ...(deployment.spec.cluster === 'cluster' &&
        !deleting && { cluster: await observeCluster(database, id) }),
      ...(backingUp && { backingUp }),
      ...(deleting && { links: await countPresentLinks(database, id) }),
      ...(!deleting && {
        changedPlacement: await findChangedPlacement(database, deployment, observedNodes),
      }),
      revision: deployment.revision,
      restSeconds: Math.min(compute.observeEverySeconds ?? restSeconds, ...looks),
      nodes: observedNodes,
    };
  };
}
