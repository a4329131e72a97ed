import { accepted, type Answer } from '@sluice/http';
import type { components } from '../../generated/api.ts';
import type { DeploymentUpgradeRow } from '../../stores/deployment-upgrades.entity.ts';
import type { PlacedDeployment } from '../../stores/deployments.store.ts';

type DeploymentView = components['schemas']['Deployment'];
type DetailView = components['schemas']['DeploymentDetail'];

/** What the creation of a deployment answers. */
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
export function detailView(deployment: PlacedDeployment, upgrades: DeploymentUpgradeRow[] = []): DetailView {
  return {
    ...deploymentView(deployment),
    code: deployment.code,
    protected: deployment.protected,
    description: deployment.description,
    encrypted: deployment.encrypted,
    storage: { type: deployment.storage_type, size: deployment.storage_size },
    retention: { telemetry_days: deployment.telemetry_days },
    target_network_tput: deployment.target_network_tput,
    availability_mode: deployment.availability_mode,
    dedicated: deployment.dedicated,
    public_ip_enabled: deployment.public_ip_enabled,
    spend_limit: deployment.spend_limit,
    status_reason: deployment.status_reason,
    upgrades: upgrades.map(upgradeView),
  };
}

function upgradeView(upgrade: DeploymentUpgradeRow): components['schemas']['Upgrade'] {
  const type = upgrade.storage_type;
  return {
    from_tier: upgrade.from_tier,
    to_tier: upgrade.to_tier,
    from_storage: { type, size: upgrade.from_storage_size },
    to_storage: { type, size: upgrade.to_storage_size },
    nodes_before: upgrade.nodes_before,
    nodes_after: upgrade.nodes_after,
    status: upgrade.status,
    reason: upgrade.reason,
    requested_at: upgrade.requested_at.toISOString(),
    upgraded_at: upgrade.upgraded_at?.toISOString() ?? null,
  };
}

export function deploymentView(deployment: PlacedDeployment): DeploymentView {
  return {
    id: deployment.id,
    name: deployment.name,
    variant: deployment.variant,
    domain: deployment.domain,
    cloud: deployment.cloud,
    region: deployment.region,
    area: deployment.area,
    tier: deployment.tier,
    cluster: deployment.cluster,
    nodes_count: deployment.nodes.length,
    supervisor_url: deployment.supervisor_url,
    status: deployment.status,
    created_at: deployment.created_at.toISOString(),
    updated_at: deployment.updated_at.toISOString(),
  };
}
