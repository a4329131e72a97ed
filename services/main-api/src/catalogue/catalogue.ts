import { readFile } from 'node:fs/promises';
import { clouds, featuresSchema, plans, tiers } from '@sluice/contracts';
import { ConfigError } from '@sluice/service-kit';
import { parse } from 'yaml';
import { z } from 'zod';

/** What the installation offers (interface, 2.6, 4.3 and 8.1), as its operator declares it in one file. */

const text = z.string().min(1);
const clusterKey = z.enum(['standalone', 'cluster']);
const storageKey = z.enum(['local_ssd', 'network_balanced']);

const regionSchema = z.strictObject({ key: text, name: text, area: z.enum(['us', 'eu', 'ap', 'ca', 'sa']) });

const cloudSchema = z.strictObject({
  key: z.enum(clouds),
  name: text,
  image: text,
  /**
   * who this installation is there for deployments in accounts of tenants: the id of an organization (cloud_a), the domain of service
   * accounts (cloud_b); absent: there are none
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
  min_size: z.int().positive().optional(),
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
  vcpus: z.int().positive(),
  memory_gib: z.int().positive(),
  /** the most that may come in to a deployment, and go out of it */
  rate_limit: z.string().regex(ratePattern, 'has to be like 100 KB/s, or null').nullable(),
  /** what each broker may use: clients at the same time, and what it keeps in memory and on its volume */
  broker: z.strictObject({
    connections: z.int().min(1).max(1e9),
    memory_store_mib: z.int().min(1).max(1e6),
    file_store_gb: z.int().min(1).max(1e6),
  }),
  instances: z.record(z.enum(clouds), text),
  clusters: z.array(clusterKey).min(1),
  storages: z.array(storageKey).min(1),
  /** what a deployment gets that does not ask; sizes in gigabytes, of network storage only */
  storage: z.strictObject({ type: storageKey, size: z.int().positive(), max_size: z.int().positive() }),
});

const uniqueKeys = <Item extends { key: string }>(items: Item[]) =>
  new Set(items.map(({ key }) => key)).size === items.length;
const twice = 'has a key twice';

const catalogueSchema = z
  .strictObject({
    clouds: z.array(cloudSchema).min(1).refine(uniqueKeys, twice),
    clusters: z.array(clusterSchema).min(1).refine(uniqueKeys, twice),
    storages: z.array(storageSchema).min(1).refine(uniqueKeys, twice),
    tiers: z.array(tierSchema).min(1).refine(uniqueKeys, twice),
    telemetry_days: z.strictObject({ default: z.int().positive(), max: z.int().positive() }),
    plans: z.record(z.enum(plans), featuresSchema),
  })
  .check(({ value: { clouds, storages, tiers }, issues }) => {
    const refuse = (input: unknown, path: PropertyKey[], message: string) =>
      issues.push({ code: 'custom', input, path, message });
    clouds.forEach((cloud, position) => {
      if (!uniqueKeys(cloud.regions)) refuse(cloud.regions, ['clouds', position, 'regions'], twice);
    });
    tiers.forEach((tier, position) => {
      const place = ['tiers', position, 'storage'];
      const smallest = storages.find(({ key }) => key === 'network_balanced')?.min_size ?? 1;
      if (!tier.storages.includes(tier.storage.type))
        refuse(tier.storage, [...place, 'type'], "is not one of the tier's storages");
      if (tier.storage.size < smallest || tier.storage.size > tier.storage.max_size)
        refuse(tier.storage, [...place, 'size'], `has to be from ${smallest} to the tier's max_size`);
    });
  });

export type Catalogue = z.infer<typeof catalogueSchema>;
export type CatalogueCloud = Catalogue['clouds'][number];
export type CatalogueRegion = CatalogueCloud['regions'][number];
export type CatalogueTier = Catalogue['tiers'][number];

/**
 * Reads and checks the catalogue file.
 * @throws ConfigError that names every problem, a line each
 */
export async function loadCatalogue(file: string): Promise<Catalogue> {
  const result = catalogueSchema.safeParse(await readYaml(file));
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`,
  );
  throw new ConfigError(`The catalogue ${file} is not usable:\n${lines.join('\n')}`);
}

async function readYaml(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The catalogue ${file} cannot be read: ${String(error)}`);
  }
}
