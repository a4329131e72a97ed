import { readFile } from 'node:fs/promises';
import { cloudNames, decimalSchema, featuresSchema, plans, pricesSchema, tiers } from '@sluice/contracts';
import { ConfigError } from '@sluice/service';
import { z } from 'zod';
import { readYaml, type YamlText } from './yaml-text.ts';

/** What the installation offers (interface, 2.6, 4.3 and 8.1), as its operator declares it in one file. */

const text = z.string().min(1);
const clusterKey = z.enum(['standalone', 'cluster']);
const storageKey = z.enum(['local_ssd', 'network_balanced']);

const gigabytes = z.int().positive().max(1_000_000);
const days = z.int().positive().max(100_000);

const regionSchema = z.strictObject({ key: text, name: text, area: z.enum(['us', 'eu', 'ap', 'ca', 'sa']) });

const cloudSchema = z.strictObject({
  key: z.enum(cloudNames()),
  name: text,
  image: text,
  /**
   * who this installation is there for deployments in accounts of tenants: the id of an organization, or the domain of service
   * accounts; absent: there are none
   */
  service_identity: text.optional(),
  regions: z.array(regionSchema).min(1),
});

const clusterSchema = z.strictObject({
  key: clusterKey,
  name: text,
  description: text,
  available: z.boolean(),
});

const storageSchema = z.strictObject({
  key: storageKey,
  name: text,
  description: text,
  available: z.boolean(),
  clusters: z.array(clusterKey),
  /** gigabytes; only of storage whose size can be chosen */
  min_size: gigabytes.optional(),
});

const rateUnits = { KB: 1e3, MB: 1e6, GB: 1e9 } as const;
const ratePattern = /^([1-9]\d{0,5}) (KB|MB|GB)\/s$/;

/** Bytes per second of a rate as the catalogue has it, such as `100 KB/s`; null for none. */
export function bytesPerSecond(rate: string | null): number | null {
  const [, number, unit] = (rate && ratePattern.exec(rate)) || [];
  return number === undefined ? null : Number(number) * rateUnits[unit as keyof typeof rateUnits];
}

const tierSchema = z.strictObject({
  key: z.enum(tiers),
  name: text,
  description: text.optional(),
  vcpus: z.int().positive().max(10_000),
  memory_gib: z.int().positive().max(100_000),
  /** the most that may come in to a deployment, and go out of it */
  rate_limit: z.string().regex(ratePattern, 'has to be like 100 KB/s, or null').nullable(),
  /** what each broker may use: clients at the same time, and what it keeps in memory and on its volume */
  broker: z.strictObject({
    connections: z.int().min(1).max(1e9),
    memory_store_mib: z.int().min(1).max(1e6),
    file_store_gb: z.int().min(1).max(1e6),
  }),
  instances: z.record(z.enum(cloudNames()), text),
  /** what a node costs; absent for `free` alone */
  hourly_usd: z.record(z.enum(cloudNames()), decimalSchema).optional(),
  /** KB/s of a cost preview without one */
  target_network_tput: z.int().min(0).max(2_147_483_647),
  clusters: z.array(clusterKey).min(1),
  storages: z.array(storageKey).min(1),
  /** what a deployment gets that does not ask; sizes in gigabytes, of network storage only */
  storage: z.strictObject({ type: storageKey, size: gigabytes, max_size: gigabytes }),
});

export const catalogueSchema = z
  .strictObject({
    clouds: z.array(cloudSchema).min(1),
    clusters: z.array(clusterSchema).min(1),
    storages: z.array(storageSchema).min(1),
    tiers: z.array(tierSchema).min(1),
    telemetry_days: z.strictObject({ default: days, max: days }),
    prices: pricesSchema,
    plans: z.record(z.enum(plans), featuresSchema),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of contradictionsIn(value))
      issues.push({ code: 'custom', input: undefined, path, message });
  });

export type Catalogue = z.infer<typeof catalogueSchema>;
export type CatalogueCloud = Catalogue['clouds'][number];
export type CatalogueRegion = CatalogueCloud['regions'][number];
export type CatalogueTier = Catalogue['tiers'][number];

interface Wrong {
  path: PropertyKey[];
  message: string;
}

/** What no part of the file can know of the others. */
function* contradictionsIn({ clouds, clusters, storages, tiers, ...rest }: Catalogue): Generator<Wrong> {
  for (const [list, entries] of Object.entries({ clouds, clusters, storages, tiers }))
    yield* twiceIn(entries, [list]);
  for (const [position, cloud] of clouds.entries())
    yield* twiceIn(cloud.regions, ['clouds', position, 'regions']);
  const { telemetry_days: days, plans } = rest;
  if (days.default > days.max)
    yield { path: ['telemetry_days', 'default'], message: `is more than max (${days.max})` };
  const smallest = storages.find(({ key }) => key === 'network_balanced')?.min_size ?? 1;
  for (const [position, tier] of tiers.entries())
    for (const { path, message } of wrongWithTier(tier, smallest, { clusters, storages }))
      yield { path: ['tiers', position, ...path], message };
  for (const [plan, { deployment_tiers }] of Object.entries(plans)) {
    const keyed = deployment_tiers.map(({ tier }) => ({ key: tier }));
    const path = ['plans', plan, 'deployment_tiers'];
    yield* twiceIn(keyed, path);
    for (const { key } of tiers)
      if (!keyed.some((entry) => entry.key === key)) yield { path, message: `says nothing of ${key}` };
  }
}

function* wrongWithTier(
  tier: CatalogueTier,
  smallest: number,
  { clusters, storages }: Pick<Catalogue, 'clusters' | 'storages'>,
): Generator<Wrong> {
  yield* unknownIn(tier.clusters, clusters, ['clusters']);
  yield* unknownIn(tier.storages, storages, ['storages']);
  const { type, size, max_size } = tier.storage;
  if (!tier.storages.includes(type))
    yield { path: ['storage', 'type'], message: "is not one of the tier's storages" };
  if (size < smallest || size > max_size)
    yield { path: ['storage', 'size'], message: `has to be from ${smallest} to the tier's max_size` };
  if (tier.key === 'free' && tier.hourly_usd)
    yield { path: ['hourly_usd'], message: 'is nothing that the tier free can have: it costs nothing' };
  if (tier.key !== 'free' && !tier.hourly_usd)
    yield { path: ['hourly_usd'], message: 'is missing: only the tier free costs nothing' };
}

function* twiceIn(entries: { key: string }[], path: PropertyKey[]): Generator<Wrong> {
  const seen = new Set<string>();
  for (const [position, { key }] of entries.entries()) {
    if (seen.has(key)) yield { path: [...path, position], message: `has a key twice: ${key}` };
    seen.add(key);
  }
}

function* unknownIn(keys: string[], entries: { key: string }[], path: PropertyKey[]): Generator<Wrong> {
  for (const [position, key] of keys.entries())
    if (!entries.some((entry) => entry.key === key))
      yield { path: [...path, position], message: `${key} is not in the file` };
}

/** Reads and checks the catalogue file. @throws ConfigError as `parseCatalogue` does, or when the file cannot be read */
export const loadCatalogue = async (file: string) => parseCatalogue(file, await readCatalogue(file));

/** far more than any installation has to say */
const longestText = 1024 * 1024;

/** The text of the catalogue file. @throws ConfigError */
export async function readCatalogue(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`The catalogue ${file} cannot be read: ${String(error)}`);
  });
  if (content.length > longestText)
    throw new ConfigError(`The catalogue ${file} cannot be read: it is larger than ${longestText} bytes`);
  return content;
}

/**
 * What the text of the catalogue file says.
 * @throws ConfigError that names everything that is wrong with it, with its lines
 */
export function parseCatalogue(file: string, content: string): Catalogue {
  const yaml = readYaml(content);
  const result = 'value' in yaml ? catalogueSchema.safeParse(yaml.value) : undefined;
  if (result?.success) return result.data;
  const wrong = 'value' in yaml ? whatIsWrong(yaml, result?.error.issues ?? []) : yaml.problems;
  const lines = wrong.map(({ line, message }) => `  line ${line}: ${message}`);
  throw new ConfigError(`The catalogue ${file} is not usable:\n${lines.join('\n')}`);
}

function whatIsWrong(yaml: YamlText, issues: z.core.$ZodIssue[]) {
  const places = issues.flatMap((issue): Wrong[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not known here' }))
      : [issue],
  );
  return places
    .map(({ path, message }) => ({
      line: yaml.lineOf(path),
      message: `${path.join('.') || 'the file'}: ${message}`,
    }))
    .sort((one, other) => one.line - other.line);
}
