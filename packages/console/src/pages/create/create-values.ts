import type {
  ByocDeploymentInput,
  Cloud,
  ClusterKind,
  Features,
  Limit,
  ManagedDeploymentInput,
  PreviewInput,
  StorageType,
  Tier,
} from '@sluice/client';
import { firstCloud } from '@sluice/console-core/clouds/index.ts';
import { isAmount } from '@sluice/ui/lib/money.ts';
import { labelsIn } from '@sluice/console-core/lib/labels.ts';

/** What a person fills in. Regions are `cloud/region`. */
export interface CreateValues {
  name: string;
  place: string;
  tier: Tier;
  cluster: ClusterKind;
  storage_type: StorageType | '';
  storage_size: string;
  encrypted: boolean;
  protected: boolean;
  dedicated: boolean;
  multi_az: boolean;
  public_ip: boolean;
  telemetry_days: string;
  spend_limit: string;
  labels: string;
  access: Record<string, string | undefined>;
}

export const emptyValues: CreateValues = {
  name: '',
  place: '',
  tier: 'small',
  cluster: 'standalone',
  storage_type: '',
  storage_size: '',
  encrypted: false,
  protected: false,
  dedicated: false,
  multi_az: false,
  public_ip: true,
  telemetry_days: '',
  spend_limit: '',
  labels: '',
  access: {},
};

export function regionOf(place: string): { cloud: Cloud; region: string } | undefined {
  const at = place.indexOf('/');
  return at < 1 ? undefined : { cloud: place.slice(0, at) as Cloud, region: place.slice(at + 1) };
}

/** A place for queries that wait until a region is chosen. */
export const noRegion: NonNullable<ReturnType<typeof regionOf>> = { cloud: firstCloud, region: '' };

const whole = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

const storageOf = ({ storage_type: type, storage_size }: CreateValues) => {
  const size = type === 'local_ssd' ? undefined : whole(storage_size);
  return type === '' && size === undefined
    ? undefined
    : { ...(type !== '' && { type }), ...(size !== undefined && { size }) };
};

/** What is sent; fields that are as the tier has them are left out. */
export function bodyOf(values: CreateValues): ManagedDeploymentInput | undefined {
  const at = regionOf(values.place);
  if (!at) return undefined;
  const storage = storageOf(values);
  const days = whole(values.telemetry_days);
  const { labels } = labelsIn(values.labels);
  return {
    name: values.name.trim(),
    ...at,
    tier: values.tier,
    cluster: values.cluster,
    ...(storage && { storage }),
    ...(values.encrypted && { encrypted: true }),
    ...(values.protected && { protected: true }),
    ...(values.dedicated && { dedicated: true }),
    ...(values.multi_az && { availability_mode: 'multi_az' as const }),
    ...(!values.public_ip && { public_ip_enabled: false }),
    ...(days !== undefined && { retention: { telemetry_days: days } }),
    ...(isAmount(values.spend_limit) && { spend_limit: Number(values.spend_limit) }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}

/** The same in an account of the tenant. What is left empty is that of the saved cloud account. */
export function byocBodyOf(values: CreateValues): ByocDeploymentInput | undefined {
  const body = bodyOf(values);
  if (!body) return undefined;
  const given = Object.fromEntries(
    Object.entries(values.access).filter(([, value]) => (value ?? '').trim() !== ''),
  );
  return { ...body, [body.cloud]: given };
}

/** What its price follows from. */
export function previewOf(values: CreateValues): PreviewInput | undefined {
  const at = regionOf(values.place);
  if (!at) return undefined;
  const storage = storageOf(values);
  return {
    ...at,
    tier: values.tier,
    ...(storage && { storage }),
    nodes: values.cluster === 'cluster' ? 3 : 1,
    encrypted: values.encrypted,
    dedicated: values.dedicated,
    public_ip_enabled: values.public_ip,
    ...(values.multi_az && { availability_mode: 'multi_az' as const }),
  };
}

const capabilities = [
  ['byoc_enabled', 'Deployments in your own account'],
  ['cluster_enabled', 'Clusters of several nodes'],
  ['multi_az_enabled', 'Several zones'],
  ['dedicated_enabled', 'Machines of your own'],
  ['private_networking_enabled', 'Peerings and private links'],
  ['backup_enabled', 'Backups'],
  ['advanced_connectors_enabled', 'Advanced connectors'],
] as const satisfies readonly (readonly [keyof Features, string])[];

/** What deployments cannot have under the plan. */
export const lackingIn = (features: Features): string[] =>
  capabilities.flatMap(([key, name]) => (features[key] ? [] : [name]));

export interface ShownLimit {
  name: string;
  used: number;
  limit: number;
}

/** The limits that a new deployment counts in. */
export function limitsFor(limits: readonly Limit[], tier: Tier, tierName: string): ShownLimit[] {
  const shown = [
    [`deployment_tiers.${tier}`, `Deployments of the tier ${tierName}`],
    ['concurrent_deployments_limit', 'Made at the same time'],
    ['environments_limit', 'Environments'],
  ] as const;
  return shown.flatMap(([key, name]) => {
    const found = limits.find((one) => one.name === key);
    return found && found.used !== null ? [{ name, used: found.used, limit: found.limit }] : [];
  });
}
