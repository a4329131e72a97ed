import { isDeepStrictEqual } from 'node:util';
import type { DeploymentSpec } from '@sluice/contracts';

export const pricesOf = ({ monthly_cents, price, price_changes }: DeploymentSpec['limits']) => ({
  ...{ monthly_cents, price, price_changes },
});

/**
 * Whether two shapes differ in nothing but the names of what the deployment is in, its price and its spend limit. Neither nodes nor drivers
 * read those, so that no agent has to be notified when an environment of many deployments is renamed, or prices change.
 */
export function isAlike(one: DeploymentSpec, other: DeploymentSpec): boolean {
  const rest = ({ limits, ...spec }: DeploymentSpec) => ({
    ...{ ...spec, division: null, environment: null, spend_limit: null },
    limits: { ...limits, monthly_cents: null, price: null, price_changes: null },
  });
  return isDeepStrictEqual(rest(one), rest(other));
}

/** What the meter of a deployment goes by. */
export const meteredBy = ({ limits, tier, nodes, storage, retention, ...spec }: DeploymentSpec) => ({
  ...{ tier, nodes, storage, retention, ...pricesOf(limits) },
  ...{ spend_limit: spec.spend_limit, suspended: spec.suspended },
});

type Storage = DeploymentSpec['storage'];

/** Storage never shrinks: a main-api that asks for less was restored from a copy older than an upgrade, and will learn of it. */
export const largerOf = (wanted: Storage, is: Storage = wanted): Storage =>
  wanted.type === is.type && (wanted.size ?? 0) < (is.size ?? 0) ? is : wanted;
