import {
  featuresSchema,
  type Features,
  type Plan,
  type PlanCapability,
  type PlanLimit,
  type Tier,
} from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { z } from 'zod';
import type { Catalogue } from './catalogue.ts';

/** What was agreed with a tenant in place of its plan's values. */
export type FeatureOverrides = Partial<Features>;

/**
 * What of a stored agreement has an effect. Operators write it, and other releases know other names: unknown
 * ones are ignored.
 */
export function readOverrides(stored: object): FeatureOverrides {
  const shapes = new Map<string, z.ZodType>(Object.entries(featuresSchema.shape));
  const known = Object.entries(stored).filter(([name, value]) => shapes.get(name)?.safeParse(value).success);
  return Object.fromEntries(known);
}

/** A tenant's effective limits and capabilities (interface, 2.1 and 8.1). What was agreed counts on the plan enterprise alone. */
export function featuresOf(
  catalogue: Pick<Catalogue, 'plans'>,
  { plan, feature_overrides: agreed }: { plan: Plan; feature_overrides: FeatureOverrides },
): Features {
  const ofPlan = catalogue.plans[plan];
  const { deployment_tiers = [], ...others } = plan === 'enterprise' ? agreed : {};
  const tierLimits = new Map(
    [...ofPlan.deployment_tiers, ...deployment_tiers].map(({ tier, limit }) => [tier, limit]),
  );
  return {
    ...ofPlan,
    ...others,
    deployment_tiers: [...tierLimits].map(([tier, limit]) => ({ tier, limit })),
  };
}

export const tierLimit = (features: Features, tier: Tier) =>
  features.deployment_tiers.find((entry) => entry.tier === tier)?.limit ?? 0;

/** What a plan limits: a number of things, a capability, or deployments of a tier. */
export type LimitName = PlanLimit | PlanCapability | `deployment_tiers.${Tier}`;

/** How much of something a tenant may have; what a capability is needed for without a limit, or not at all. */
export function allowed(features: Features, name: LimitName): number {
  if (isTierLimit(name)) return tierLimit(features, name.slice('deployment_tiers.'.length) as Tier);
  const value = features[name];
  if (typeof value === 'number') return value;
  return value ? Infinity : 0;
}

const isTierLimit = (name: LimitName): name is `deployment_tiers.${Tier}` =>
  name.startsWith('deployment_tiers.');

export type PlanLimitName = PlanLimit | `deployment_tiers.${Tier}`;
type OtherLimit = 'tenants' | 'memberships' | 'connector_instances_per_deployment' | 'budgets';

/** Refuses one more where `count` exist. @throws Problem `limit_reached`, naming the limit and its value */
export function requireRoom(features: Features, name: PlanLimitName, count: number): void {
  const limit = allowed(features, name);
  requireBelow(name, limit, count, `The tenant's plan allows ${limit} (${name}).`);
}

/** The same for a limit that the plan does not set. */
export function requireBelow(
  name: PlanLimitName | OtherLimit,
  limit: number,
  count: number,
  detail: string,
): void {
  if (count < limit) return;
  throw problem('limit_reached', { detail, extensions: { limit: { name, value: limit } } });
}

/** @throws Problem `feature_not_available`, naming the capability that the plan lacks */
export function requireCapability(features: Features, name: PlanCapability): void {
  if (features[name]) return;
  throw problem('feature_not_available', {
    detail: `The tenant's plan does not have ${name}.`,
    extensions: { feature: name },
  });
}
