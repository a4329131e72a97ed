import type { FieldIssue, Tier } from '@sluice/contracts';
import type { BodyOf } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import type { Catalogue } from '@sluice/catalogue/catalogue';
import type { ValidList } from '@sluice/catalogue/price-book';
import type { Sized } from '@sluice/catalogue/deployment-prices';
import type { operations } from '../../generated/api.ts';
import type { DeploymentRow } from '@sluice/main-store/deployments.store';
import { checkPrice } from './price-limit.ts';

export type UpgradeInput = BodyOf<operations['upgradeDeployment']>;

export interface UpgradePlan {
  tier: Tier;
  /** gigabytes; null for local storage */
  storage_size: number | null;
}

/** @throws Problem `invalid_request` when neither tier nor storage is given (interface, 7) */
export function requireSomething({ tier, storage }: UpgradeInput): void {
  if (tier ?? storage?.type ?? storage?.size) return;
  throw fieldProblem('tier', 'required', 'either tier or storage is required');
}

/**
 * What an upgrade would make of a deployment: storage keeps its type and never shrinks, and the tier has to allow it.
 * @throws Problem `invalid_request` with all that is wrong
 */
export function planUpgrade(
  { tiers }: Pick<Catalogue, 'tiers'>,
  lists: readonly ValidList[],
  deployment: DeploymentRow & Pick<Sized, 'nodes'>,
  { tier, storage }: UpgradeInput,
): UpgradePlan {
  const { tier: tierNow, storage_type: type, storage_size: sizeNow } = deployment;
  const fieldIssues: FieldIssue[] = [];
  const refuse = (field: string, code: string, message: string) =>
    fieldIssues.push({ path: `/body/${field}`, code, message });
  const plan = { tier: tier ?? tierNow, storage_size: storage?.size ?? sizeNow };
  const { storage_size: size } = plan;
  const offered = tiers.find(({ key }) => key === plan.tier);
  if (!offered) refuse('tier', 'unknown', 'is not offered here');
  if (offered && !offered.storages.includes(type))
    refuse('tier', 'not_allowed', `is not offered with ${type}`);
  if (storage?.type && storage.type !== type) refuse('storage/type', 'not_allowed', `has to stay ${type}`);
  if (size !== null && size < (sizeNow ?? 0))
    refuse('storage/size', 'too_small', `has to be at least ${sizeNow}: storage never shrinks`);
  const largest = offered?.storage.max_size ?? Infinity;
  if (size !== null && size > largest)
    if (storage?.size) refuse('storage/size', 'too_large', `has to be at most ${largest} for this tier`);
    else refuse('tier', 'not_allowed', `has no room for ${size} GB, only for ${largest}`);
  if (fieldIssues.length === 0 && plan.tier === tierNow && size === sizeNow)
    refuse(tier ? 'tier' : 'storage', 'not_allowed', 'is what the deployment has already');
  if (fieldIssues.length === 0)
    checkPrice(lists, { ...deployment, ...plan }, tier ? 'tier' : 'storage/size', refuse);
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
  return plan;
}
