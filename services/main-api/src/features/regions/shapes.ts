import {
  deploymentOptionNames,
  monthlyCentsOf,
  mostPriceChanges,
  type BrokerResources,
  type Cause,
  type CommandData,
  type DeploymentId,
  type DeploymentSpec,
  type Features,
  type Used,
} from '@sluice/contracts';
import { system } from '@sluice/service';
import { In } from 'typeorm';
import { bytesPerSecond } from '@sluice/catalogue/catalogue';
import { priceOf, type Sized } from '@sluice/catalogue/deployment-prices';
import { featuresOf } from '@sluice/catalogue/features';
import type { PriceBook } from '@sluice/catalogue/price-book';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findAccess } from './deployment-access.store.ts';
import {
  findDeployments,
  nextGeneration,
  type Container,
  type PlacedDeployment,
} from '@sluice/main-store/deployments.store';
import { pick } from '@sluice/main-store/rows';
import { findTerms, type TenantTerms } from '@sluice/main-store/tenants.store';
import { sendActivationsAgain } from './activations.ts';

/** Sends deployments whose shape, or what goes along with it, has changed to their regions. */
export async function sendShapes(
  tx: Transaction,
  cause: Cause,
  { catalogue, prices }: Offer,
  tenant: TenantTerms,
  where: { id: DeploymentId } | Container,
): Promise<void> {
  const features = featuresOf(catalogue, tenant);
  for (const deployment of await findDeployments(tx, await nextGeneration(tx, where, prices.revision)))
    sendShape(tx, cause, { catalogue, prices, features, tenant }, deployment);
}

type Offer = Pick<Core, 'catalogue' | 'prices'>;

interface ShapeTerms extends Offer {
  features: Features;
  tenant: Pick<TenantTerms, 'suspended_at'>;
}

/** Sends a deployment's shape, and its open upgrade, to its region. */
export function sendShape(
  tx: Transaction,
  cause: Cause,
  terms: ShapeTerms,
  deployment: PlacedDeployment,
  more: Pick<CommandData<'deployment_apply'>, 'report_above' | 'access' | 'access_question' | 'usage'> = {},
): void {
  tx.command(deployment, 'deployment_apply', {
    generation: deployment.generation,
    deployment: shapeOf(deployment, terms),
    cause,
    ...more,
  });
  if (deployment.upgrade) sendUpgrade(tx, cause, terms, deployment, deployment.upgrade);
}

/** A region carries an upgrade out once, however often it is sent: it goes along with every shape until its end is known. */
function sendUpgrade(
  tx: Transaction,
  cause: Cause,
  offer: Offer,
  deployment: PlacedDeployment,
  {
    id: upgrade_id,
    to_tier: tier,
    to_storage_size: storage_size,
    ...upgrade
  }: NonNullable<PlacedDeployment['upgrade']>,
): void {
  const { id, uid, tenant_id, generation, storage_type } = deployment;
  const { nodes_before, nodes_after } = upgrade;
  const about = { tenant_id, deployment_id: id, uid, generation, upgrade_id };
  if (nodes_after > nodes_before)
    return tx.command(deployment, 'extend_deployment', { ...about, nodes_after, cause });
  tx.command(deployment, 'upgrade_deployment', {
    ...{ ...about, tier },
    tier_resources: brokerResources(offer, { ...deployment, tier, storage_size }) ?? {},
    storage: { type: storage_type, size: storage_size },
    cause,
  });
}

/** What regions have lost of the deployments that are sent again. */
interface Lost {
  questions: ReadonlyMap<DeploymentId, string | undefined>;
  usage: ReadonlyMap<string, Used[]>;
}

/**
 * Sends the shapes and connectors of deployments once more, with the copies of their rules and logins, and has their regions report their
 * statuses and usage anew. @param questions of regions that were restored, by deployment
 * @param usage that regions have lost, by the uids of deployments
 */
export async function sendAgain(
  tx: Transaction,
  offer: Offer,
  ids: DeploymentId[],
  { questions, usage }: Lost,
): Promise<void> {
  const deployments = await findDeployments(tx, ids);
  const termsById = await termsByTenant(tx, offer, deployments);
  const kept = await findAccess(tx, ids);
  for (const deployment of deployments) {
    const terms = termsById.get(deployment.tenant_id);
    const access = kept.get(deployment.id);
    const access_question = questions.get(deployment.id);
    const used = usage.get(deployment.uid);
    const more = {
      report_above: deployment.status_version,
      ...(used && { usage: used }),
      ...(access && { access }),
      ...(access_question !== undefined && { access_question }),
    };
    if (terms) sendShape(tx, system.cause, terms, deployment, more);
  }
  await sendActivationsAgain(tx, deployments);
}

/** Sends the prices of deployments of any tenants: a list was assigned. */
export async function sendPrices(tx: Transaction, offer: Offer, ids: DeploymentId[]): Promise<void> {
  const sent = await nextGeneration(tx, { id: In(ids) }, offer.prices.revision);
  const deployments = await findDeployments(tx, sent);
  const termsById = await termsByTenant(tx, offer, deployments);
  for (const deployment of deployments) {
    const terms = termsById.get(deployment.tenant_id);
    if (terms) sendShape(tx, system.cause, terms, deployment);
  }
}

async function termsByTenant(tx: Transaction, { catalogue, prices }: Offer, deployments: PlacedDeployment[]) {
  const tenants = await findTerms(tx, [...new Set(deployments.map(({ tenant_id }) => tenant_id))]);
  return new Map(
    tenants.map((tenant) => [
      tenant.id,
      { catalogue, prices, features: featuresOf(catalogue, tenant), tenant },
    ]),
  );
}

const shapeOf = (
  deployment: PlacedDeployment,
  { features, tenant, ...offer }: ShapeTerms,
): DeploymentSpec => ({
  ...pick(deployment, 'id', 'uid', 'name', 'code', 'tenant_id', 'cloud', 'region', 'variant', 'tier'),
  ...pick(deployment, 'cluster', 'subdomain_enabled', 'nodes', ...deploymentOptionNames),
  division: { id: deployment.division_id, name: deployment.division_name },
  environment: { id: deployment.environment_id, name: deployment.environment_name },
  ...(deployment.cloud_access && { cloud_access: deployment.cloud_access }),
  storage: { type: deployment.storage_type, size: deployment.storage_size },
  retention: { telemetry_days: deployment.telemetry_days },
  limits: {
    access_rules: features.deployment_access_rules_limit,
    configs: features.deployment_configs_limit,
    backups: features.backup_enabled ? features.deployment_backups_limit : 0,
    backup_days: features.backup_retention_days,
    private_networking: features.private_networking_enabled,
    private_connections: features.private_connections_limit,
    private_endpoints: features.private_endpoints_limit,
    snapshots: features.deployment_snapshots_limit,
    snapshot_days: features.snapshot_retention_days,
    ...brokerResources(offer, deployment),
  },
  suspended: tenant.suspended_at !== null,
  ...(deployment.upgrade && { upgrade_id: deployment.upgrade.id }),
  created_at: deployment.created_at.toISOString(),
});

/** how much of a node's volume its broker may fill: the rest is for what the agent and the broker keep besides */
const ofTheVolume = 0.9;

/** What a broker of this tier and storage may use, and what that costs; undefined when the catalogue no longer has the tier: it keeps what it had. */
function brokerResources(
  { catalogue, prices }: Offer,
  deployment: Sized & Pick<PlacedDeployment, 'tenant_id'>,
): BrokerResources | undefined {
  const { tier, storage_size } = deployment;
  const offered = catalogue.tiers.find(({ key }) => key === tier);
  if (!offered) return undefined;
  const { broker, rate_limit, storage } = offered;
  const volume = (storage_size ?? storage.size) * 1e9 * ofTheVolume;
  return {
    broker_disk: Math.floor(Math.min(broker.file_store_gb * 1e9, volume)),
    broker_memory: broker.memory_store_mib * 2 ** 20,
    broker_connections: broker.connections,
    broker_rate: bytesPerSecond(rate_limit),
    ...pricesOf(prices, deployment),
  };
}

/** How long ago a list can have become valid of which a region that was away has not heard: it remembers usage for 62 days. */
const changesMilliseconds = 62 * 86_400_000;

/** What a deployment costs now, and from when it has cost, or will cost, something else; nothing when no list has a price for it. */
function pricesOf(prices: PriceBook, deployment: Sized & Pick<PlacedDeployment, 'tenant_id'>) {
  const { tenant_id } = deployment;
  const price = priceOf(prices.at(tenant_id), deployment);
  if (!price) return {};
  const [, ...changes] = prices.since(tenant_id, new Date(prices.now().getTime() - changesMilliseconds));
  const price_changes = changes.slice(-mostPriceChanges).flatMap(({ from, list }) => {
    const changed = priceOf(list, deployment);
    return changed ? [{ from: from.toISOString(), price: changed }] : [];
  });
  return { price, monthly_cents: monthlyCentsOf(price), ...(price_changes.length > 0 && { price_changes }) };
}
