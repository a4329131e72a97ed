import type {
  Cause,
  CommandData,
  DeploymentId,
  DeploymentShape,
  DivisionId,
  EnvironmentId,
  Features,
} from '@sluice/contracts';
import { system } from '@sluice/service-kit';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { featuresOf } from '../../catalogue/features.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import { findDeployments, nextGeneration, type PlacedDeployment } from '../../stores/deployments.store.ts';
import { findTerms, type TenantTerms } from '../../stores/tenants.store.ts';

/** Tells the regions of all deployments of a division or an environment that its name has changed. */
export async function sendShapes(
  tx: Transaction,
  cause: Cause,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  where: { division_id: DivisionId } | { environment_id: EnvironmentId },
): Promise<void> {
  const features = featuresOf(catalogue, tenant.plan, tenant.feature_overrides);
  for (const deployment of await findDeployments(tx, await nextGeneration(tx, where)))
    sendShape(tx, cause, { catalogue, features }, deployment);
}

/** What a shape depends on besides the deployment. */
interface ShapeTerms {
  catalogue: Catalogue;
  features: Features;
}

/** Tells the region of a deployment what shape it shall have. */
export function sendShape(
  tx: Transaction,
  cause: Cause,
  terms: ShapeTerms,
  deployment: PlacedDeployment,
  more: Pick<CommandData<'deployment_apply'>, 'report_above'> = {},
): void {
  tx.command(deployment, 'deployment_apply', {
    generation: deployment.generation,
    deployment: shapeOf(deployment, terms),
    cause,
    ...more,
  });
}

/** Sends the shapes of deployments once more, and has their regions report their statuses anew. */
export async function sendAgain(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  ids: DeploymentId[],
): Promise<void> {
  const deployments = await findDeployments(tx, ids);
  const tenants = await findTerms(tx, [...new Set(deployments.map(({ tenant_id }) => tenant_id))]);
  const featuresById = new Map(
    tenants.map(({ id, plan, feature_overrides }) => [id, featuresOf(catalogue, plan, feature_overrides)]),
  );
  for (const deployment of deployments) {
    const features = featuresById.get(deployment.tenant_id);
    const more = { report_above: deployment.status_version };
    if (features) sendShape(tx, system.cause, { catalogue, features }, deployment, more);
  }
}

function shapeOf(deployment: PlacedDeployment, { catalogue, features }: ShapeTerms): DeploymentShape {
  return {
    id: deployment.id,
    uid: deployment.uid,
    name: deployment.name,
    code: deployment.code,
    tenant_id: deployment.tenant_id,
    division: { id: deployment.division_id, name: deployment.division_name },
    environment: { id: deployment.environment_id, name: deployment.environment_name },
    cloud: deployment.cloud,
    region: deployment.region,
    variant: deployment.variant,
    tier: deployment.tier,
    cluster: deployment.cluster,
    encrypted: deployment.encrypted,
    storage: { type: deployment.storage_type, size: deployment.storage_size },
    retention: { telemetry_days: deployment.telemetry_days },
    target_network_tput: deployment.target_network_tput,
    availability_mode: deployment.availability_mode,
    dedicated: deployment.dedicated,
    public_ip_enabled: deployment.public_ip_enabled,
    subdomain_enabled: deployment.subdomain_enabled,
    spend_limit: deployment.spend_limit,
    nodes: deployment.nodes,
    limits: {
      access_rules: features.deployment_access_rules_limit,
      ...brokerLimits(catalogue, deployment),
    },
    created_at: deployment.created_at.toISOString(),
  };
}

/** how much of a node's volume and memory its broker may fill: the rest is for the broker itself, and the agent */
const ofTheVolume = 0.9;
const ofTheMemory = 0.5;

function brokerLimits({ tiers }: Catalogue, { tier, storage_size }: PlacedDeployment) {
  const offered = tiers.find(({ key }) => key === tier);
  // a tier that the catalogue no longer has keeps what it had
  if (!offered) return {};
  return {
    broker_disk: Math.floor((storage_size ?? offered.storage.size) * 1e9 * ofTheVolume),
    broker_memory: offered.memory_gib * 2 ** 30 * ofTheMemory,
  };
}
