import type { DeploymentId, DivisionId, EnvironmentId, Features, Id, Ref, TenantId } from '@sluice/contracts';
import { problem, type Caller } from '@sluice/service-kit';
import { requireRoom, tierLimit } from '../../catalogue/features.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import type { TenantTerms } from '../../stores/tenants.store.ts';
import type { DeploymentPlan } from './deployment-plan.ts';
import {
  countByTier,
  countProvisioning,
  findDeployment,
  insertDeployment,
  insertNode,
  nameIsTaken,
  type DeploymentView,
} from '../../stores/deployments.store.ts';
import { newCode, readableName } from './names.ts';
import { sendShapesOf } from '../regions/shapes.ts';

/** What every creation of a deployment needs, once its tenant is locked. */
export interface Creation {
  core: Core;
  tx: Transaction;
  caller: Caller;
  tenant: TenantTerms;
  features: Features;
}

/** A readable name that no deployment of the environment has. */
export async function freeName(tx: Transaction, environmentId: EnvironmentId): Promise<string> {
  for (;;) {
    const name = readableName();
    if (!(await nameIsTaken(tx, environmentId, name))) return name;
  }
}

/**
 * Adds a deployment to a locked tenant and sends its shape to its region.
 * @throws Problem `limit_reached`, `name_taken`
 */
export async function addDeployment(
  { core, tx, caller, tenant, features }: Creation,
  division: Ref<DivisionId>,
  environment: Ref<EnvironmentId>,
  plan: DeploymentPlan,
  name: string,
): Promise<DeploymentView> {
  const { tier } = plan.values;
  const ofTier = (await countByTier(tx, tenant.id)).get(tier) ?? 0;
  requireRoom(`deployment_tiers.${tier}`, tierLimit(features, tier), ofTier);
  const { concurrent_deployments_limit } = features;
  requireRoom(
    'concurrent_deployments_limit',
    concurrent_deployments_limit,
    await countProvisioning(tx, tenant.id),
  );
  if (await nameIsTaken(tx, environment.id, name)) throw problem('name_taken');

  const place = { tenant_id: tenant.id, division_id: division.id, environment_id: environment.id };
  let id: DeploymentId | null = null;
  while (id === null) {
    const code = newCode();
    const domain = plan.values.subdomain_enabled ? `${name}-${code}.${core.baseDomain}` : null;
    id = await insertDeployment(tx, { ...place, ...plan.values, name, code, domain });
  }
  const node = await insertNode(tx, { deployment_id: id, name: 'node-1', ...plan.node });
  const deployment = await findDeployment(tx, place, id);
  if (!deployment) throw new Error('a deployment that was just stored is not there');
  tx.emit('deployment_created', aboutOf(tenant.id, division, environment, deployment), {
    ...createdData(deployment),
    nodes: [
      {
        id: node.id,
        name: node.name,
        image_id: node.image_id,
        variant: node.instance,
        storage_type: node.storage_type,
      },
    ],
  });
  await sendShapesOf(tx, caller.cause, features, [id]);
  return deployment;
}

/** Whom an event about a deployment names. */
export function aboutOf(
  tenant_id: TenantId,
  division: Ref<DivisionId>,
  environment: Ref<EnvironmentId>,
  deployment: Ref<DeploymentId>,
) {
  const ref = <Kind extends Id>({ id, name }: Ref<Kind>): Ref<Kind> => ({ id, name });
  return { tenant_id, division: ref(division), environment: ref(environment), deployment: ref(deployment) };
}

function createdData(deployment: DeploymentView) {
  const { telemetry_days: days, target_network_tput, domain } = deployment;
  return {
    cloud: deployment.cloud,
    area: deployment.area,
    region: deployment.region,
    variant: deployment.variant,
    tier: deployment.tier,
    cluster_kind: deployment.cluster,
    public_ip: deployment.public_ip_enabled,
    storage_type: deployment.storage_type,
    storage_size: deployment.storage_size,
    ...(target_network_tput !== null && { target_network_tput }),
    encrypted: deployment.encrypted,
    protected: deployment.protected,
    retention: { telemetry: { logs_days: days, metrics_days: days, heartbeats_days: days } },
    code: deployment.code,
    name: deployment.name,
    ...(domain !== null && { domain }),
  };
}
