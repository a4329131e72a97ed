import {
  featuresSchema,
  type Features,
  type Plan,
  type PlanCapability,
  type PlanLimit,
  type Tier,
} from '@sluice/contracts';
import { problem } from '@sluice/service-kit';
import type { z } from 'zod';
import type { Catalogue } from './catalogue.ts';

/** What was agreed with a tenant in place of its plan's values. */
export const featureOverridesSchema = featuresSchema.partial();
export type FeatureOverrides = z.infer<typeof featureOverridesSchema>;

/** A tenant's effective limits and capabilities (interface, 2.1 and 8.1). */
export function featuresOf(catalogue: Catalogue, plan: Plan, overrides: FeatureOverrides): Features {
  const ofPlan = catalogue.plans[plan];
  const { deployment_tiers = [], ...others } = overrides;
  const tierLimits = new Map(
    [...ofPlan.deployment_tiers, ...deployment_tiers].map(({ tier, limit }) => [tier, limit]),
  );
  return {
    ...ofPlan,
    ...others,
    deployment_tiers: [...tierLimits].map(([tier, limit]) => ({ tier, limit })),
  };
}

/** How many deployments of `tier` a tenant may have. */
export function tierLimit(features: Features, tier: Tier): number {
  return features.deployment_tiers.find((entry) => entry.tier === tier)?.limit ?? 0;
}

/** Refuses one more where `count` exist. @throws Problem `limit_reached`, naming the limit and its value */
export function requireRoom(
  name: PlanLimit | `deployment_tiers.${Tier}`,
  limit: number,
  count: number,
): void {
  if (count < limit) return;
  throw problem('limit_reached', {
    detail: `The tenant's plan allows ${limit} (${name}).`,
    extensions: { limit: { name, value: limit } },
  });
}

/** @throws Problem `feature_not_available`, naming the capability that the plan lacks */
export function requireCapability(features: Features, name: PlanCapability): void {
  if (features[name]) return;
  throw problem('feature_not_available', {
    detail: `The tenant's plan does not have ${name}.`,
    extensions: { feature: name },
  });
}
