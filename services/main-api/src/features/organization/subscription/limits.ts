import { mostConnectorInstances, tiers, type PlanLimit, type TenantId } from '@sluice/contracts';
import { allowed, featuresOf, type PlanLimitName } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { components } from '../../../generated/api.ts';
import { mostInstances } from '@sluice/main-store/connector-instances.store';
import { countRecentInvitations } from '@sluice/main-store/invitations.store';
import { getTerms } from '@sluice/main-store/tenants.store';
import { usedBy } from './plan-use.ts';

type Limit = components['schemas']['Limit'];

/** What the limits of plans count, of which each one may have so many. Those in days, and of what does not exist yet, count nothing. */
const scopes: Partial<Record<PlanLimit, Limit['scope']>> = {
  divisions_limit: 'tenant',
  environments_limit: 'tenant',
  environments_per_division_limit: 'division',
  members_limit: 'tenant',
  invitations_limit: 'tenant',
  pending_invitations_limit: 'tenant',
  roles_limit: 'tenant',
  divisions_per_role_limit: 'role',
  api_keys_limit: 'tenant',
  api_key_allowed_ips_limit: 'api_key',
  cloud_accounts_limit: 'tenant',
  notification_channels_limit: 'tenant',
  notification_subscriptions_limit: 'channel',
  concurrent_deployments_limit: 'tenant',
  nodes_per_deployment_limit: 'deployment',
  deployment_access_rules_limit: 'deployment',
  deployment_configs_limit: 'deployment',
  deployment_backups_limit: 'deployment',
  deployment_snapshots_limit: 'deployment',
  private_connections_limit: 'deployment',
  private_endpoints_limit: 'deployment',
};

/** The limits of a tenant with what is used of them; null where only regions know. */
export async function limitsOf(
  { database, catalogue, now }: Pick<Core, 'database' | 'catalogue' | 'now'>,
  tenantId: TenantId,
): Promise<Limit[]> {
  const features = featuresOf(catalogue, await getTerms(database, tenantId));
  const used = await usedBy(database, tenantId, now());
  const { made } = await countRecentInvitations(database, tenantId, now());
  const limit = (name: PlanLimitName, scope: Limit['scope'], count = used.get(name) ?? null): Limit => ({
    ...{ name, scope },
    limit: allowed(features, name),
    used: count,
  });
  return [
    ...Object.entries(scopes).map(([name, scope]) =>
      limit(name as PlanLimit, scope, name === 'invitations_limit' ? made : undefined),
    ),
    ...tiers.map((tier) =>
      limit(`deployment_tiers.${tier}`, 'tenant', used.get(`deployment_tiers.${tier}`) ?? 0),
    ),
    {
      ...{ name: 'connector_instances_per_deployment', scope: 'deployment', limit: mostConnectorInstances },
      used: await mostInstances(database, tenantId),
    },
  ];
}
