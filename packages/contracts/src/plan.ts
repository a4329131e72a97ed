import { z } from 'zod';

/** Plan limits and capabilities (interface, 2.1 and 8). The values are in the catalogue file; here are the names. */

export const plans = ['basic', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export const planLimits = [
  'invitations_limit',
  'members_limit',
  'roles_limit',
  'divisions_limit',
  'environments_limit',
  'deployment_access_rules_limit',
  'deployment_configs_limit',
  'deployment_backups_limit',
  'deployment_snapshots_limit',
  'private_connections_limit',
  'private_endpoints_limit',
  'audit_retention_days',
  'api_keys_limit',
  'cloud_accounts_limit',
  'notification_channels_limit',
  'notification_subscriptions_limit',
  'custom_domains_limit',
  'backup_regions_limit',
  'nodes_per_deployment_limit',
  'backup_retention_days',
  'snapshot_retention_days',
  'pending_invitations_limit',
  'api_key_allowed_ips_limit',
  'divisions_per_role_limit',
  'environments_per_division_limit',
  'concurrent_deployments_limit',
] as const;
export type PlanLimit = (typeof planLimits)[number];

export const planCapabilities = [
  'byoc_enabled',
  'cluster_enabled',
  'on_premise_enabled',
  'private_networking_enabled',
  'multi_az_enabled',
  'dedicated_enabled',
  'backup_enabled',
  'cross_region_dr_enabled',
  'audit_export_enabled',
  'advanced_connectors_enabled',
  'customer_managed_keys_enabled',
  'advanced_notification_channels_enabled',
] as const;
export type PlanCapability = (typeof planCapabilities)[number];

export const tiers = [
  'free',
  'small',
  'medium',
  'large',
  'xlarge',
  '2xlarge',
  '4xlarge',
  '8xlarge',
  '16xlarge',
] as const;
export type Tier = (typeof tiers)[number];

const limitShape = Object.fromEntries(planLimits.map((name) => [name, z.int().min(0)])) as Record<
  PlanLimit,
  z.ZodInt
>;
const capabilityShape = Object.fromEntries(planCapabilities.map((name) => [name, z.boolean()])) as Record<
  PlanCapability,
  z.ZodBoolean
>;

/** A plan's effective values, as a tenant's `features` show them. */
export const featuresSchema = z.strictObject({
  ...limitShape,
  ...capabilityShape,
  deployment_tiers: z.array(z.strictObject({ tier: z.enum(tiers), limit: z.int().min(0) })),
});
export type Features = z.infer<typeof featuresSchema>;
