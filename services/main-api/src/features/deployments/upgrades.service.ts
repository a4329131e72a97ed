import { statusIs } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../generated/api.ts';
import {
  aboutOf,
  type DeploymentPath,
  countByTier,
  getChangeable,
  getDeployment,
  type PlacedDeployment,
} from '@sluice/main-store/deployments.store';
import { insertUpgrade, listUpgrades } from '@sluice/main-store/deployment-upgrades.store';
import { lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { requirePaymentMethod, requireStandingFor } from '../payments/standing.ts';
import { sendShapes } from '../regions/shapes.ts';
import { changeOf } from '../regions/upgrades.ts';
import { requireAccountOf } from './byoc-access.ts';
import { requireSize } from './clusters.ts';
import { checkPrice } from './price-limit.ts';
import { requireStillProvided } from './region-options.ts';
import { addNodes } from './deployment-creation.ts';
import { planUpgrade, requireSomething, type UpgradeInput, type UpgradePlan } from './upgrade-plan.ts';

type ExtensionInput = BodyOf<operations['extendDeployment']>;
export type UpgradesService = ReturnType<typeof upgradesService>;

/** Other shapes of the nodes of a deployment (interface, 4.4). The region brings them about, and says how that ended. */
export function upgradesService(core: Core) {
  const { database, work } = core;
  return {
    /** Has a deployment upgraded, one upgrade at a time. It has a place in the limits of both tiers until that has ended. */
    upgrade: (caller: Caller, path: DeploymentPath, wanted: UpgradeInput) =>
      work(caller, async (tx) => {
        requireSomething(wanted);
        const tenant = await lockTenant(tx, path.tenant_id);
        const deployment = await getChangeable(tx, path);
        await requireStillProvided(tx, deployment);
        const plan = planUpgrade(core.catalogue, core.prices.since(tenant.id), deployment, wanted);
        requireUpgradable(deployment);
        await requireStandingFor(tx, core, tenant, deployment, { ...deployment, ...plan });
        await requireAccountOf(tx, tenant, deployment);
        await requireRoomInTier(tx, core, tenant, deployment, plan);
        const upgrade = await insertUpgrade(tx, entryOf(caller, deployment, plan));
        await sendShapes(tx, caller.cause, core, tenant, { id: deployment.id });
        tx.emit('deployment_upgrade_requested', aboutOf(deployment), changeOf(upgrade));
        return { deployment, upgrades: await listUpgrades(tx, deployment.id) };
      }),

    /** Adds nodes to a cluster. They are part of it from now on; their end is reported as an upgrade's. */
    extend: (caller: Caller, path: DeploymentPath, { nodes: [wanted] }: ExtensionInput) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, path.tenant_id);
        const before = await getChangeable(tx, path);
        await requireStillProvided(tx, before);
        if (before.cluster === 'standalone') throw problem('extend_requires_cluster');
        const features = featuresOf(core.catalogue, tenant);
        const [is, count] = [before.nodes.length, wanted?.count ?? 0];
        requireSize(features, is, count);
        requireQuiet(before);
        const after = { ...before, nodes: Array.from({ length: is + count }) };
        checkPrice(core.prices.since(tenant.id), after, 'nodes/0/count');
        await requireStandingFor(tx, core, tenant, before, after);
        const { tier, storage_size } = before;
        const entry = entryOf(caller, before, { tier, storage_size });
        const upgrade = await insertUpgrade(tx, { ...entry, nodes_after: is + count });
        await addNodes(tx, before.id, nodeOf(core.catalogue, before), is, count);
        await sendShapes(tx, caller.cause, core, tenant, { id: before.id });
        tx.emit('deployment_upgrade_requested', aboutOf(before), changeOf(upgrade));
        const deployment = await getDeployment(tx, path);
        return { deployment, upgrades: await listUpgrades(tx, before.id) };
      }),

    /** A deployment with its newest upgrades. */
    async get(path: DeploymentPath) {
      // in this order: an upgrade that is shown as completed comes with the shape that it has led to
      const upgrades = await listUpgrades(database, path.deployment_id);
      return { deployment: await getDeployment(database, path), upgrades };
    },
  };
}

function requireUpgradable(deployment: PlacedDeployment): void {
  const { storage_type, cluster } = deployment;
  if (storage_type === 'local_ssd' && cluster === 'standalone') throw problem('upgrade_requires_cluster');
  requireQuiet(deployment);
}

/** What further nodes are made of: what those are that there are. */
function nodeOf({ clouds, tiers }: Core['catalogue'], { cloud, tier, storage_type }: PlacedDeployment) {
  const image_id = clouds.find(({ key }) => key === cloud)?.image;
  const instance = tiers.find(({ key }) => key === tier)?.instances[cloud];
  if (image_id === undefined || instance === undefined)
    throw problem('state_conflict', { detail: `The tier ${tier} is not offered here any more.` });
  return { image_id, instance, storage_type };
}

/** @throws Problem `operation_in_progress`, `state_conflict` */
function requireQuiet({ upgrade, status }: PlacedDeployment): void {
  if (upgrade) throw problem('operation_in_progress', { detail: 'The deployment is being upgraded.' });
  if (!statusIs('acceptsUpgrade', status))
    throw problem('state_conflict', {
      detail: `Only a deployment that is initialized can be upgraded or extended; this one is ${status}.`,
    });
}

async function requireRoomInTier(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'paymentRequired' | 'now'>,
  tenant: TenantTerms,
  deployment: PlacedDeployment,
  { tier }: UpgradePlan,
): Promise<void> {
  if (tier === deployment.tier) return;
  if (tier !== 'free') await requirePaymentMethod(tx, core, tenant.id);
  const features = featuresOf(core.catalogue, tenant);
  const ofTier = (await countByTier(tx, tenant.id)).get(tier) ?? 0;
  requireRoom(features, `deployment_tiers.${tier}`, ofTier);
}

const entryOf = ({ cause }: Caller, deployment: PlacedDeployment, plan: UpgradePlan) => ({
  deployment_id: deployment.id,
  from_tier: deployment.tier,
  to_tier: plan.tier,
  storage_type: deployment.storage_type,
  from_storage_size: deployment.storage_size,
  to_storage_size: plan.storage_size,
  nodes_before: deployment.nodes.length,
  nodes_after: deployment.nodes.length,
  correlation_id: cause.correlation_id,
});
