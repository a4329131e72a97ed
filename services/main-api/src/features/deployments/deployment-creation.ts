import type { DeploymentId, DivisionId, EnvironmentId, Ref } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import { labelsOf } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  aboutOf,
  type DeploymentNodeRow,
  type DeploymentRow,
  countByTier,
  countProvisioning,
  insertDeployment,
  insertNode,
  nameIsTaken,
  type NewDeployment,
  type PlacedDeployment,
} from '@sluice/main-store/deployments.store';
import { pick } from '@sluice/main-store/rows';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { requireGoodStanding, requirePaymentMethod } from '../payments/standing.ts';
import { sendShape } from '../regions/shapes.ts';
import { initialNodes, requireSize } from './clusters.ts';
import type { DeploymentPlan } from './deployment-plan.ts';
import { newCode, readableName } from './names.ts';

export interface Place {
  division: Ref<DivisionId>;
  environment: Ref<EnvironmentId>;
}

export async function freeName(tx: Transaction, environmentId: EnvironmentId): Promise<string> {
  for (;;) {
    const name = readableName();
    if (!(await nameIsTaken(tx, environmentId, name))) return name;
  }
}

/**
 * Adds a deployment to a locked tenant and sends its shape to its region.
 * @throws Problem `tenant_suspended`, `payment_overdue`, `payment_method_required`, `limit_reached`, `name_taken`
 */
export async function addDeployment(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'prices' | 'baseDomain' | 'paymentRequired' | 'now'>,
  { cause }: Caller,
  tenant: TenantTerms,
  { division, environment }: Place,
  plan: DeploymentPlan,
  name: string,
): Promise<PlacedDeployment> {
  const features = featuresOf(core.catalogue, tenant);
  const { tier } = plan.values;
  await requireGoodStanding(tx, tenant);
  if (tier !== 'free') await requirePaymentMethod(tx, core, tenant.id);
  const ofTier = (await countByTier(tx, tenant.id)).get(tier) ?? 0;
  requireRoom(features, `deployment_tiers.${tier}`, ofTier);
  const provisioning = await countProvisioning(tx, tenant.id);
  requireRoom(features, 'concurrent_deployments_limit', provisioning);
  const { cluster } = plan.values;
  if (cluster === 'cluster') requireSize(features, 0, initialNodes[cluster]);
  if (await nameIsTaken(tx, environment.id, name)) throw problem('name_taken');

  const path = { tenant_id: tenant.id, division_id: division.id, environment_id: environment.id };
  const values = { ...path, ...plan.values, name, price_revision: core.prices.revision };
  const row = await insertWithCode(tx, core.baseDomain, values);
  const nodes = await addNodes(tx, row.id, plan.node, 0, initialNodes[row.cluster]);
  const deployment = {
    ...row,
    division_name: division.name,
    environment_name: environment.name,
    supervisor_url: plan.supervisor_url,
    nodes: nodes.map((node) => pick(node, 'id', 'name')),
    upgrade: null,
  };
  tx.emit('deployment_created', aboutOf(deployment), createdData(row, nodes));
  sendShape(tx, cause, { ...core, features, tenant }, deployment);
  return deployment;
}

/** Adds `count` nodes to those that a deployment has, named by their number. */
export async function addNodes(
  tx: Transaction,
  deploymentId: DeploymentId,
  node: DeploymentPlan['node'],
  before: number,
  count: number,
): Promise<DeploymentNodeRow[]> {
  const added: DeploymentNodeRow[] = [];
  for (let number = before + 1; number <= before + count; number++)
    added.push(await insertNode(tx, { deployment_id: deploymentId, name: `node-${number}`, ...node }));
  return added;
}

/** Stores a deployment under a code that no other has; its domain is made of both. */
async function insertWithCode(
  tx: Transaction,
  baseDomain: string,
  deployment: Omit<NewDeployment, 'code' | 'domain'>,
): Promise<DeploymentRow> {
  for (;;) {
    const code = newCode();
    const domain = deployment.subdomain_enabled ? `${deployment.name}-${code}.${baseDomain}` : null;
    const row = await insertDeployment(tx, { ...deployment, code, domain });
    if (row) return row;
  }
}

function createdData(deployment: DeploymentRow, nodes: readonly DeploymentNodeRow[]) {
  const { telemetry_days: days, target_network_tput, domain } = deployment;
  return {
    ...pick(deployment, 'cloud', 'area', 'region', 'variant', 'tier', 'code', 'name', 'encrypted'),
    ...pick(deployment, 'protected', 'storage_type', 'storage_size'),
    cluster_kind: deployment.cluster,
    public_ip: deployment.public_ip_enabled,
    ...(target_network_tput !== null && { target_network_tput }),
    retention: { telemetry: { logs_days: days, metrics_days: days, heartbeats_days: days } },
    ...(domain !== null && { domain }),
    ...labelsOf(deployment),
    nodes: nodes.map(({ id, name, image_id, instance, storage_type }) => ({
      ...{ id, name, image_id, storage_type },
      variant: instance,
    })),
  };
}
