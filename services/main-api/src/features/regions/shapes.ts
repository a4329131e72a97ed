import {
  deploymentOptionNames,
  monthlyCentsOf,
  type BrokerResources,
  type Cause,
  type CommandData,
  type DeploymentId,
  type DeploymentSpec,
  type Features,
} from '@sluice/contracts';
import { system } from '@sluice/service';
import { bytesPerSecond, type Catalogue } from '../../catalogue/catalogue.ts';
import { monthlyPrice, type Sized } from '../../catalogue/deployment-prices.ts';
import { featuresOf } from '../../catalogue/features.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import { findAccess } from './deployment-access.store.ts';
import {
  findDeployments,
  nextGeneration,
  type Container,
  type PlacedDeployment,
} from '../../stores/deployments.store.ts';
import { pick } from '../../stores/rows.ts';
import { findTerms, type TenantTerms } from '../../stores/tenants.store.ts';
import { sendActivationsAgain } from './activations.ts';

/** Sends deployments whose shape, or what goes along with it, has changed to their regions. */
export async function sendShapes(
  tx: Transaction,
  cause: Cause,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  where: { id: DeploymentId } | Container,
): Promise<void> {
  const features = featuresOf(catalogue, tenant);
  for (const deployment of await findDeployments(tx, await nextGeneration(tx, where)))
    sendShape(tx, cause, { catalogue, features, tenant }, deployment);
}

interface ShapeTerms {
  catalogue: Catalogue;
  features: Features;
  tenant: Pick<TenantTerms, 'suspended_at'>;
}

/** Sends a deployment's shape, and its open upgrade, to its region. */
export function sendShape(
  tx: Transaction,
  cause: Cause,
  terms: ShapeTerms,
  deployment: PlacedDeployment,
  more: Pick<CommandData<'deployment_apply'>, 'report_above' | 'access' | 'access_question'> = {},
): void {
  tx.command(deployment, 'deployment_apply', {
    generation: deployment.generation,
    deployment: shapeOf(deployment, terms),
    cause,
    ...more,
  });
  if (deployment.upgrade) sendUpgrade(tx, cause, terms.catalogue, deployment, deployment.upgrade);
}

/** A region carries an upgrade out once, however often it is sent: it goes along with every shape until its end is known. */
function sendUpgrade(
  tx: Transaction,
  cause: Cause,
  catalogue: Catalogue,
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
    tier_resources: brokerResources(catalogue, { ...deployment, tier, storage_size }) ?? {},
    storage: { type: storage_type, size: storage_size },
    cause,
  });
}

/**
 * Sends the shapes and connectors of deployments once more, with the copies of their rules and logins, and has their regions report their
 * statuses anew. @param questions of regions that were restored, by deployment
 */
export async function sendAgain(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  ids: DeploymentId[],
  questions: ReadonlyMap<DeploymentId, string | undefined>,
): Promise<void> {
  const deployments = await findDeployments(tx, ids);
  const tenants = await findTerms(tx, [...new Set(deployments.map(({ tenant_id }) => tenant_id))]);
  const termsById = new Map(
    tenants.map((tenant) => [tenant.id, { catalogue, features: featuresOf(catalogue, tenant), tenant }]),
  );
  const kept = await findAccess(tx, ids);
  for (const deployment of deployments) {
    const terms = termsById.get(deployment.tenant_id);
    const access = kept.get(deployment.id);
    const access_question = questions.get(deployment.id);
    const more = {
      report_above: deployment.status_version,
      ...(access && { access }),
      ...(access_question !== undefined && { access_question }),
    };
    if (terms) sendShape(tx, system.cause, terms, deployment, more);
  }
  await sendActivationsAgain(tx, deployments);
}

const shapeOf = (
  deployment: PlacedDeployment,
  { catalogue, features, tenant }: ShapeTerms,
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
    ...brokerResources(catalogue, deployment),
  },
  suspended: tenant.suspended_at !== null,
  ...(deployment.upgrade && { upgrade_id: deployment.upgrade.id }),
  created_at: deployment.created_at.toISOString(),
});

/** how much of a node's volume its broker may fill: the rest is for what the agent and the broker keep besides */
const ofTheVolume = 0.9;

/** What a broker of this tier and storage may use, and what that costs; undefined when the catalogue no longer has the tier: it keeps what it had. */
function brokerResources(catalogue: Catalogue, deployment: Sized): BrokerResources | undefined {
  const { tier, storage_size } = deployment;
  const offered = catalogue.tiers.find(({ key }) => key === tier);
  if (!offered) return undefined;
  const { broker, rate_limit, storage } = offered;
  const price = monthlyPrice(catalogue, offered, deployment);
  const volume = (storage_size ?? storage.size) * 1e9 * ofTheVolume;
  return {
    broker_disk: Math.floor(Math.min(broker.file_store_gb * 1e9, volume)),
    broker_memory: broker.memory_store_mib * 2 ** 20,
    broker_connections: broker.connections,
    broker_rate: bytesPerSecond(rate_limit),
    price,
    monthly_cents: monthlyCentsOf(price),
  };
}
