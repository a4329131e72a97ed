import { connectors, rolePermissionsSchema, type TenantId } from '@sluice/contracts';
import type { LimitName } from '@sluice/catalogue/features';
import type { Database } from '@sluice/main-store/database';
import { countLiveKeys, mostAllowedAddresses } from '@sluice/main-store/api-keys.store';
import { mostSubscriptions } from '../../notifications/channel-subscriptions.store.ts';
import { countChannels } from '../../notifications/channels.store.ts';
import { countCloudAccounts } from '../cloud-accounts/cloud-accounts.store.ts';
import { countInstancesOf } from '@sluice/main-store/connector-instances.store';
import { countByTier, countNeeds, countProvisioning } from '@sluice/main-store/deployments.store';
import { countDivisions } from '@sluice/main-store/divisions.store';
import { countEnvironments, mostEnvironments } from '@sluice/main-store/environments.store';
import { countMembers } from '@sluice/main-store/members.store';
import { countCustomRoles, listRolePermissions } from '@sluice/main-store/roles.store';
import { countRecentInvitations } from '@sluice/main-store/invitations.store';

const advancedConnectors = connectors.filter(({ advanced }) => advanced);

/**
 * How much a tenant has of what plans limit, as far as main-api knows, as the refusals count it; of what is limited in each of several, the
 * most that one of them has. Limits per time are left out: what was done in the last days cannot be undone.
 */
export async function usedBy(db: Database, tenantId: TenantId, now: Date): Promise<Map<LimitName, number>> {
  const { pending } = await countRecentInvitations(db, tenantId, now);
  const overrides = await mostOverrides(db, tenantId);
  const { nodes, ...needs } = await countNeeds(db, tenantId);
  const uses: [LimitName, number][] = [
    ['divisions_limit', await countDivisions(db, tenantId)],
    ['environments_limit', await countEnvironments(db, { tenant_id: tenantId })],
    [
      'environments_per_division_limit',
      Math.max(overrides.environments, await mostEnvironments(db, tenantId)),
    ],
    ['members_limit', await countMembers(db, tenantId)],
    ['pending_invitations_limit', pending],
    ['roles_limit', await countCustomRoles(db, tenantId)],
    ['divisions_per_role_limit', overrides.divisions],
    ['api_keys_limit', await countLiveKeys(db, tenantId, now)],
    ['api_key_allowed_ips_limit', await mostAllowedAddresses(db, tenantId, now)],
    ['cloud_accounts_limit', await countCloudAccounts(db, tenantId)],
    ['notification_channels_limit', await countChannels(db, tenantId)],
    ['notification_subscriptions_limit', await mostSubscriptions(db, tenantId)],
    ['nodes_per_deployment_limit', nodes],
    ['concurrent_deployments_limit', await countProvisioning(db, tenantId)],
    ['byoc_enabled', needs.byoc],
    ['cluster_enabled', needs.cluster],
    ['multi_az_enabled', needs.multi_az],
    ['dedicated_enabled', needs.dedicated],
    ['advanced_connectors_enabled', await countInstancesOf(db, tenantId, advancedConnectors)],
  ];
  for (const [tier, count] of await countByTier(db, tenantId)) uses.push([`deployment_tiers.${tier}`, count]);
  return new Map(uses);
}

/** The most divisions that a role has overrides for, and the most environments of one of them. */
async function mostOverrides(db: Database, tenantId: TenantId) {
  const most = { divisions: 0, environments: 0 };
  for (const permissions of await listRolePermissions(db, tenantId)) {
    const overrides = Object.values(rolePermissionsSchema.parse(permissions).divisions);
    most.divisions = Math.max(most.divisions, overrides.length);
    for (const { environments = {} } of overrides)
      most.environments = Math.max(most.environments, Object.keys(environments).length);
  }
  return most;
}
