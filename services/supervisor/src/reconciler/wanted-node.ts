import { wantedOptions } from '@sluice/contracts';
import { markOfHash, type NodeToObserve, type WantedNode } from '@sluice/drivers';
import type { Database } from '@sluice/region-store/tables';
import { findCluster } from '@sluice/region-store/clusters.store';
import { listRules } from '../features/access-rules/access-rules.store.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { Node } from '@sluice/region-store/nodes.store';
import { findOpenUpgrade } from '@sluice/region-store/upgrades.store';

/** A node as drivers know it. What it should be is read when a driver asks: most have no use for it. */
export function toObserve(
  database: Database,
  deployment: Deployment,
  siblings: readonly Node[],
  node: Node,
): NodeToObserve {
  return {
    id: node.id,
    deploymentId: deployment.id,
    deploymentUid: deployment.uid,
    tenantId: deployment.spec.tenant_id,
    siblings: siblings.map(({ id }) => id),
    options: wantedOptions(deployment.spec),
    byocDriver: deployment.byoc_driver,
    deployed: node.deployed_at !== null,
    enrolled: node.public_key !== null,
    tokenMark: isValid(node) && node.token_hash !== null ? markOfHash(node.token_hash) : null,
    revoked: node.revoked_at !== null,
    wanted: () => wantedOf(database, deployment, node),
  };
}

const isValid = ({ token_expires_at }: Node) => token_expires_at !== null && token_expires_at > new Date();

async function wantedOf(
  database: Database,
  { id, spec: { tier, storage, limits, cluster }, limited_until }: Deployment,
  node: Node,
): Promise<WantedNode> {
  const former = { tier, storage, resources: limits };
  const upgrade = await findOpenUpgrade(database, id);
  const next = upgrade && {
    tier: upgrade.tier,
    storage: upgrade.storage,
    resources: { ...limits, ...upgrade.resources },
  };
  const isCluster = cluster === 'cluster';
  const rests = limited_until !== null || !isServing(node);
  const isNext = upgrade !== undefined && node.upgrade_id === upgrade.upgrade_id;
  return {
    shape: isNext && next ? next : former,
    shapes: next ? [former, next] : [former],
    rules: await listRules(database, id),
    isCluster,
    mayRestart: !isCluster || rests || (await findCluster(database, id))?.turn_node_id === node.id,
  };
}

/** A broker that ended by itself, or is stopped, serves no client. */
const isServing = ({ runtimes, broker_stopped }: Node) =>
  !broker_stopped && runtimes.some(({ runtime, status }) => runtime === 'broker' && status === 'running');
