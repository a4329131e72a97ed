import { deploymentOptionsOf, wantedOptions, type FieldIssue } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Catalogue } from '@sluice/catalogue/catalogue';
import type { PriceList } from '@sluice/catalogue/price-list';
import { monthlyCost } from '@sluice/catalogue/prices';
import type { Core } from '../../core.ts';
import type { components, operations } from '../../generated/api.ts';
import type { EnvironmentPath } from '@sluice/main-store/environments.store';
import { type RegionRow, findRegisteredRegions } from '../regions/regions.store.ts';
import { getVisibleEnvironment } from '../access/visibility.ts';
import { planStorage } from '../deployments/deployment-plan.ts';
import { requireProvided } from '../deployments/region-options.ts';

type PreviewInput = BodyOf<operations['previewDeployment']>;
type CostPreview = components['schemas']['CostPreview'];
export type PreviewService = ReturnType<typeof previewService>;

/** What a deployment would cost (interface, 2.7 and 4.4). */
export function previewService({
  database,
  catalogue,
  prices,
}: Pick<Core, 'database' | 'catalogue' | 'prices'>) {
  return {
    async preview(caller: Caller, path: EnvironmentPath, input: PreviewInput): Promise<CostPreview> {
      const registered = await findRegisteredRegions(database, input.cloud);
      const preview = priced(catalogue, prices.at(path.tenant_id), registered, input);
      await getVisibleEnvironment(database, caller, path);
      return preview;
    },
  };
}

/** nodes that are reckoned with unless the request says (interface, 8.2) */
const usualNodes = 3;

function priced(
  catalogue: Catalogue,
  list: PriceList,
  registered: ReadonlyMap<string, RegionRow>,
  input: PreviewInput,
): CostPreview {
  const issues: FieldIssue[] = [];
  const refuse = (field: string, code: string, message: string) =>
    issues.push({ path: `/body/${field}`, code, message });
  const cloud = catalogue.clouds.find(({ key }) => key === input.cloud);
  const region = cloud?.regions.find(({ key }) => key === input.region && registered.has(key));
  const options = deploymentOptionsOf(input);
  const offering = region && registered.get(region.key);
  if (offering) requireProvided(offering, 'managed', wantedOptions(options));
  if (!region) refuse('region', 'unknown', 'is not a region of this cloud that takes deployments');
  const nodes = input.nodes ?? usualNodes;
  if (options.availability_mode === 'multi_az' && nodes < 2)
    refuse('availability_mode', 'not_together', 'needs several nodes');
  const tier = catalogue.tiers.find(({ key }) => key === input.tier);
  if (!tier) refuse('tier', 'unknown', 'is not offered here');
  const storage = tier && planStorage(catalogue, tier, input.storage ?? {}, refuse);
  const extraDays = input.telemetry_extra_days ?? 0;
  const mostExtraDays = catalogue.telemetry_days.max - catalogue.telemetry_days.default;
  if (extraDays > mostExtraDays)
    refuse('telemetry_extra_days', 'too_large', `has to be at most ${mostExtraDays}`);
  const cost =
    cloud &&
    tier &&
    storage &&
    monthlyCost(list, {
      ...{ tier: tier.key, cloud: cloud.key, nodes, storage },
      target_network_tput: options.target_network_tput,
      availability_mode: options.availability_mode,
      telemetry_days: list.terms.telemetry_days + extraDays,
    });
  if (tier && !cost) refuse('tier', 'unknown', 'has no price here');
  if (!cloud || !region || !tier || !cost || issues.length > 0)
    throw problem('invalid_request', { fieldIssues: issues });
  return {
    cloud: cloud.key,
    region: region.key,
    tier: tier.key,
    nodes,
    instance: tier.instances[cloud.key],
    ...cost,
  };
}
