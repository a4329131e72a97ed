import { deploymentOptionsOf, wantedOptions, type Features, type FieldIssue } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Catalogue, CatalogueTier } from '@sluice/catalogue/catalogue';
import { requireCapability } from '@sluice/catalogue/features';
import type { ValidList } from '@sluice/catalogue/price-book';
import type { components } from '../../generated/api.ts';
import type { DeploymentNodeRow, NewDeployment } from '@sluice/main-store/deployments.store';
import type { RegionRow } from '../regions/regions.store.ts';
import type { PlannedAccess } from './byoc-access.ts';
import { initialNodes } from './clusters.ts';
import { checkPrice } from './price-limit.ts';
import { requireProvided } from './region-options.ts';

export type ManagedDeploymentInput = components['schemas']['ManagedDeploymentInput'];
type Required = 'cloud' | 'region' | 'tier' | 'cluster';
export type DeploymentRequest = Pick<ManagedDeploymentInput, Required> &
  Partial<Omit<ManagedDeploymentInput, Required | 'name'>>;

export interface DeploymentPlan {
  values: Omit<
    NewDeployment,
    'tenant_id' | 'division_id' | 'environment_id' | 'name' | 'code' | 'domain' | 'price_revision'
  >;
  node: Pick<DeploymentNodeRow, 'image_id' | 'instance' | 'storage_type'>;
  /** the address of its region's supervisor */
  supervisor_url: string;
}

/**
 * Fills in what a request leaves open and checks what the OpenAPI document cannot say (interface, 4.4).
 * @param registered the regions of the cloud that take deployments
 * @param lists that are valid now and from then on
 * @param own the account that it shall be in, with what is wrong with that; the platform's unless given
 * @throws Problem `feature_not_available`, or `invalid_request` with all that is wrong
 */
export function planDeployment(
  catalogue: Catalogue,
  features: Features,
  registered: ReadonlyMap<string, RegionRow>,
  lists: readonly ValidList[],
  input: DeploymentRequest,
  own?: PlannedAccess,
): DeploymentPlan {
  if (input.dedicated) requireCapability(features, 'dedicated_enabled');
  if (input.availability_mode === 'multi_az') requireCapability(features, 'multi_az_enabled');
  const cloud = catalogue.clouds.find(({ key }) => key === input.cloud);
  const region = cloud?.regions.find(({ key }) => key === input.region);
  const offering = region && registered.get(region.key);
  const variant = own ? 'byoc' : 'managed';
  const options = deploymentOptionsOf(input);
  if (offering) requireProvided(offering, variant, wantedOptions(options));
  const tier = catalogue.tiers.find(({ key }) => key === input.tier);
  const issues: FieldIssue[] = [...(own?.issues ?? [])];
  const refuse = (field: string, code: string, message: string) =>
    issues.push({ path: `/body/${field}`, code, message });
  if (!offering) refuse('region', 'unknown', 'is not a region of this cloud that takes deployments');
  if (offering?.drained_at) refuse('region', 'not_allowed', drainedMessage(offering));
  if (!tier) refuse('tier', 'unknown', 'is not offered here');
  if (tier && !tier.clusters.includes(input.cluster))
    refuse('tier', 'not_allowed', `is not offered as a ${input.cluster}`);
  if (input.subdomain_enabled && !options.public_ip_enabled)
    refuse('subdomain_enabled', 'not_together', 'needs public_ip_enabled');
  if (options.availability_mode === 'multi_az' && initialNodes[input.cluster] < 2)
    refuse('availability_mode', 'not_together', `needs several nodes, and a ${input.cluster} has one`);
  const telemetryDays = input.retention?.telemetry_days ?? catalogue.telemetry_days.default;
  if (telemetryDays > catalogue.telemetry_days.max)
    refuse('retention/telemetry_days', 'too_large', `has to be at most ${catalogue.telemetry_days.max}`);
  if (!isWholeCents(options.spend_limit)) refuse('spend_limit', 'not_a_multiple', 'has to be whole cents');
  const storage = tier && planStorage(catalogue, tier, input.storage ?? {}, refuse);
  const stored = catalogue.storages.find(({ key }) => key === storage?.type);
  if (stored && !stored.clusters.includes(input.cluster))
    refuse('storage/type', 'not_allowed', `is not offered for a ${input.cluster}`);
  if (!cloud || !region || !offering || !tier || !storage || issues.length > 0)
    throw problem('invalid_request', { fieldIssues: issues });
  const values: DeploymentPlan['values'] = {
    protected: input.protected ?? false,
    labels: input.labels ?? {},
    ...options,
    variant,
    cloud_access: own?.access ?? null,
    cloud: cloud.key,
    region: region.key,
    area: region.area,
    tier: tier.key,
    cluster: input.cluster,
    storage_type: storage.type,
    storage_size: storage.size,
    telemetry_days: telemetryDays,
    subdomain_enabled: input.subdomain_enabled ?? options.public_ip_enabled,
  };
  const nodes = Array.from({ length: initialNodes[input.cluster] });
  checkPrice(lists, { ...values, nodes }, 'target_network_tput', refuse);
  if (issues.length > 0) throw problem('invalid_request', { fieldIssues: issues });
  return {
    values,
    node: { image_id: cloud.image, instance: tier.instances[cloud.key], storage_type: storage.type },
    supervisor_url: offering.supervisor_url,
  };
}

/** What a request for a drained region is answered. */
const drainedMessage = ({ drain_reason: reason }: Pick<RegionRow, 'drain_reason'>) =>
  `takes no new deployments${reason === null ? '' : `: ${reason}`}`;

/** Whether an amount can be kept as it is: what is stored has two digits after the point. */
export const isWholeCents = (amount: number | null) =>
  amount === null || Math.round(amount * 100) / 100 === amount;

/** The storage of a deployment that asks for `input`; `refuse` collects what is wrong with that. */
export function planStorage(
  catalogue: Catalogue,
  tier: CatalogueTier,
  input: NonNullable<ManagedDeploymentInput['storage']>,
  refuse: (field: string, code: string, message: string) => void,
): { type: NewDeployment['storage_type']; size: number | null } {
  const type = input.type ?? tier.storage.type;
  const size = input.size ?? null;
  const offered = catalogue.storages.find(({ key }) => key === type);
  if (!offered?.available || !tier.storages.includes(type))
    refuse('storage/type', 'not_allowed', 'is not offered for this tier');
  if (type === 'local_ssd') {
    if (size !== null) refuse('storage/size', 'not_together', 'can be chosen for network_balanced only');
    return { type, size: null };
  }
  const smallest = offered?.min_size ?? 1;
  const largest = tier.storage.max_size;
  if (size !== null && size < smallest) refuse('storage/size', 'too_small', `has to be at least ${smallest}`);
  if (size !== null && size > largest)
    refuse('storage/size', 'too_large', `has to be at most ${largest} for this tier`);
  return { type, size: size ?? tier.storage.size };
}
