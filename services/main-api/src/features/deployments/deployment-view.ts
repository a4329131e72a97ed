import { deploymentOptionNames } from '@sluice/contracts';
import { accepted, shown, type Answer } from '@sluice/http';
import type { components } from '../../generated/api.ts';
import type { DeploymentUpgradeRow } from '@sluice/main-store/deployment-upgrades.store';
import type { PlacedDeployment } from '@sluice/main-store/deployments.store';
import { exact, shownCents } from '@sluice/billing/money';

type DeploymentView = components['schemas']['Deployment'];
type DetailView = components['schemas']['DeploymentDetail'];

export function begun(deployment: PlacedDeployment): Answer<202, DetailView> {
  const { id, tenant_id, division_id, environment_id } = deployment;
  const environment = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}`;
  const headers = {
    location: `${environment}/deployments/${id}`,
    'svc-environment': String(environment_id),
    'svc-deployment': String(id),
  };
  return accepted(headers, detailView(deployment));
}

/** @param upgrades the newest ones, newest first */
const detailView = (deployment: PlacedDeployment, upgrades: DeploymentUpgradeRow[] = []): DetailView => ({
  ...deploymentView(deployment),
  ...shown(deployment, 'code', 'protected', 'description', ...deploymentOptionNames),
  spend_limit_usd: deployment.spend_limit === null ? null : shownCents(exact(deployment.spend_limit)),
  storage: { type: deployment.storage_type, size: deployment.storage_size },
  retention: { telemetry_days: deployment.telemetry_days },
  status_reason: deployment.status_reason,
  upgrades: upgrades.map(upgradeView),
});

/** A deployment with the newest of its upgrades, newest first. */
export interface Detail {
  deployment: PlacedDeployment;
  upgrades: DeploymentUpgradeRow[];
}

export const shownDetail = ({ deployment, upgrades }: Detail) => detailView(deployment, upgrades);

function upgradeView(upgrade: DeploymentUpgradeRow): components['schemas']['Upgrade'] {
  const type = upgrade.storage_type;
  return {
    from_tier: upgrade.from_tier,
    to_tier: upgrade.to_tier,
    from_storage: { type, size: upgrade.from_storage_size },
    to_storage: { type, size: upgrade.to_storage_size },
    ...shown(upgrade, 'nodes_before', 'nodes_after', 'status', 'reason', 'requested_at', 'upgraded_at'),
  };
}

export const deploymentView = (deployment: PlacedDeployment): DeploymentView => ({
  ...shown(deployment, 'id', 'name', 'variant', 'domain', 'cloud', 'region', 'area', 'tier', 'cluster'),
  nodes_count: deployment.nodes.length,
  ...shown(deployment, 'labels', 'supervisor_url', 'status', 'created_at', 'updated_at'),
});

/** A deployment among those of other environments. */
export const tenantDeploymentView = (
  deployment: PlacedDeployment,
): components['schemas']['TenantDeployment'] => ({
  ...deploymentView(deployment),
  division: { id: deployment.division_id, name: deployment.division_name },
  environment: { id: deployment.environment_id, name: deployment.environment_name },
  ...shown(deployment, 'code', 'protected', 'status_reason'),
});
