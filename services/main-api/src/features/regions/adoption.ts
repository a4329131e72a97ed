import type { InventoriedDeployment, NodeId, RegionRef, Tier } from '@sluice/contracts';
import type { Log } from '@sluice/service';
import type { Catalogue, CatalogueTier } from '@sluice/catalogue/catalogue';
import { featuresOf, tierLimit } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { adoptNodes, adoptUpgrade, closeOlderUpgrade, findForeignNodes } from './adoption.store.ts';
import {
  aboutOf,
  countByTier,
  findDeployments,
  takeUpgrade,
  type PlacedDeployment,
} from '@sluice/main-store/deployments.store';
import { findTerms } from '@sluice/main-store/tenants.store';

interface AdoptionDependencies extends Pick<Core, 'catalogue'> {
  log: Log;
}

/**
 * Takes over what a region has made of deployments that main-api, restored from an older copy, knows in an older shape. The caller
 * holds the locks of their tenants. @returns those that cannot be taken over: their regions are to keep what they have
 */
export async function adoptShapes(
  tx: Transaction,
  dependencies: AdoptionDependencies,
  region: RegionRef,
  found: readonly InventoriedDeployment[],
): Promise<Set<number>> {
  const refused = new Set<number>();
  const here = await findDeployments(
    tx,
    found.map(({ id }) => id),
  );
  const byId = new Map(here.map((deployment) => [deployment.id, deployment]));
  for (const has of found) {
    const deployment = byId.get(has.id);
    if (!deployment) continue;
    const reason = await whyNot(tx, dependencies.catalogue, deployment, has);
    if (reason === undefined) {
      await adopt(tx, dependencies, deployment, has);
    } else {
      refused.add(has.id);
      dependencies.log.warn('the shape that a region has given a deployment is not taken over', {
        ...{ ...region, deployment: has.id, reason },
      });
    }
  }
  return refused;
}

/** Why main-api cannot take over what a region names; undefined when it can. Nothing that is named may be made up. */
async function whyNot(
  tx: Transaction,
  { tiers }: Catalogue,
  deployment: PlacedDeployment,
  { shape, upgrade }: InventoriedDeployment,
): Promise<string | undefined> {
  const { cluster, storage_type, storage_size, nodes } = deployment;
  const offered = tiers.find(({ key }) => key === shape.tier);
  if (!offered && shape.tier !== deployment.tier) return `the catalogue has no tier ${shape.tier}`;
  if (upgrade && !tiers.some(({ key }) => key === upgrade.tier))
    return `the catalogue has no tier ${upgrade.tier}`;
  if (shape.cluster !== cluster) return `it is a ${shape.cluster} there and a ${cluster} here`;
  if (shape.storage.type !== storage_type) return `its storage is ${shape.storage.type} there`;
  if ((shape.storage.size === null) !== (storage_size === null))
    return `its storage has ${shape.storage.size} GB there and ${storage_size} GB here`;
  if ((shape.storage.size ?? 0) < (storage_size ?? 0))
    return `its storage has only ${shape.storage.size} GB there`;
  const [isLarger, largest] = [
    (shape.storage.size ?? 0) > (storage_size ?? 0),
    offered?.storage.max_size ?? Infinity,
  ];
  if (isLarger && (shape.storage.size ?? 0) > largest)
    return `${shape.storage.size} GB of storage are too many for ${shape.tier}`;
  if (cluster === 'standalone' && shape.nodes.length > nodes.length)
    return 'it has several nodes and is no cluster';
  const foreign = await findForeignNodes(
    tx,
    deployment.id,
    shape.nodes.map(({ id }) => id),
  );
  return foreign.length > 0 ? `nodes of it are those of other deployments: ${foreign.join(', ')}` : undefined;
}

async function adopt(
  tx: Transaction,
  { catalogue, log }: AdoptionDependencies,
  deployment: PlacedDeployment,
  { shape, upgrade }: InventoriedDeployment,
): Promise<void> {
  const { id, storage_type: type, storage_size, nodes } = deployment;
  const tier = shape.tier as Tier;
  if (upgrade) {
    await closeOlderUpgrade(tx, id, upgrade);
    await adoptUpgrade(tx, deployment, shape, upgrade);
  }
  const known = new Set<NodeId>(nodes.map((node) => node.id));
  const added = shape.nodes.filter((node) => !known.has(node.id));
  const isAlike = tier === deployment.tier && shape.storage.size === storage_size && added.length === 0;
  if (isAlike) return;
  const instance = catalogue.tiers.find(({ key }) => key === tier)?.instances[deployment.cloud];
  await takeUpgrade(tx, { deployment_id: id, to_tier: tier, to_storage_size: shape.storage.size }, instance);
  await adoptNodes(tx, id, added);
  const [nodes_before, nodes_after] = [nodes.length, nodes.length + added.length];
  const exceeded_limits = await exceededLimits(tx, catalogue, deployment, tier, nodes_after);
  if (exceeded_limits.length > 0)
    log.warn('a deployment that is taken over from its region exceeds limits of the plan', {
      ...{ deployment: id, tenant: deployment.tenant_id, exceeded_limits },
    });
  tx.emit('deployment_adopted', aboutOf(deployment), {
    ...{ from_tier: deployment.tier, to_tier: tier, exceeded_limits },
    from_storage: { type, size: storage_size },
    to_storage: { type, size: shape.storage.size },
    ...(added.length > 0 && { nodes_before, nodes_after }),
  });
}

/** The limits of the tenant's plan that are passed now that the deployment is what its region has made of it. */
async function exceededLimits(
  tx: Transaction,
  catalogue: Catalogue,
  { tenant_id }: PlacedDeployment,
  tier: CatalogueTier['key'],
  nodes: number,
): Promise<string[]> {
  const [terms] = await findTerms(tx, [tenant_id]);
  if (!terms) return [];
  const features = featuresOf(catalogue, terms);
  const ofTier = (await countByTier(tx, tenant_id)).get(tier) ?? 0;
  return [
    ...(ofTier > tierLimit(features, tier) ? [`deployment_tiers.${tier}`] : []),
    ...(nodes > features.nodes_per_deployment_limit ? ['nodes_per_deployment_limit'] : []),
  ];
}
