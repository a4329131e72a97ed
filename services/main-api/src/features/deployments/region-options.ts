import { wantedOptions, type DeploymentSpec, type RegionOption, type Variant } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Database } from '@sluice/main-store/database';
import { type RegionRow, findRegion } from '../regions/regions.store.ts';

/** Refuses options that a region does not provide. @throws Problem `feature_not_available`, naming the first of them */
export function requireProvided(
  { region, options }: Pick<RegionRow, 'region' | 'options'>,
  variant: Variant,
  wanted: readonly RegionOption[],
): void {
  const missing = wanted.find((option) => !options[variant]?.includes(option));
  if (missing === undefined) return;
  throw problem('feature_not_available', {
    detail: `The region ${region} does not provide ${missing} for ${variant} deployments.`,
    extensions: { feature: missing },
  });
}

/** `requireProvided` for a deployment that exists, by what its region provides now. */
export async function requireStillProvided(
  db: Database,
  deployment: Pick<RegionRow, 'cloud' | 'region'> &
    Pick<DeploymentSpec, 'variant'> &
    Parameters<typeof wantedOptions>[0],
): Promise<void> {
  const region = await findRegion(db, deployment);
  if (region) requireProvided(region, deployment.variant, wantedOptions(deployment));
}
