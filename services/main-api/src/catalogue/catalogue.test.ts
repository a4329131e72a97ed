import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { catalogueFile } from '#test/settings.ts';
import { bytesPerSecond, loadCatalogue, type Catalogue } from './catalogue.ts';
import { featuresOf, tierLimit } from './features.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Loads the catalogue as it is delivered, after `change`. */
async function load(change: (catalogue: Catalogue) => void): Promise<Catalogue> {
  const catalogue = parse(await readFile(catalogueFile, 'utf8')) as Catalogue;
  change(catalogue);
  const file = join(folder, 'catalogue.yaml');
  await writeFile(file, stringify(catalogue));
  return await loadCatalogue(file);
}

test('the catalogue that is delivered is usable', async () => {
  const { clouds, tiers } = await loadCatalogue(catalogueFile);
  expect(clouds.map(({ key }) => key)).toEqual(['cloud_a', 'cloud_b']);
  expect(tiers).toHaveLength(9);
});

test('all problems of a catalogue are named at once', async () => {
  const broken = load((catalogue) => {
    Object.assign(catalogue.plans.basic, { divisions_limit: -1 });
    Reflect.deleteProperty(catalogue.plans.pro, 'api_keys_limit');
    Object.assign(catalogue, { colours: [] });
  });
  await expect(broken).rejects.toThrow(
    /plans\.basic\.divisions_limit[^]*plans\.pro\.api_keys_limit[^]*colours/,
  );
});

test.each([
  [
    'a region twice',
    (c: Catalogue) => c.clouds[0]?.regions.push(...c.clouds[0].regions),
    /clouds\.0\.regions: has a key twice/,
  ],
  ['a tier twice', (c: Catalogue) => c.tiers.push(...c.tiers), /tiers: has a key twice/],
  [
    'a default size that is too large',
    (c: Catalogue) => Object.assign(c.tiers[0]?.storage ?? {}, { size: 11 }),
    /tiers\.0\.storage\.size/,
  ],
  [
    'a default storage that the tier does not have',
    (c: Catalogue) => Object.assign(c.tiers[0] ?? {}, { storages: ['local_ssd'] }),
    /tiers\.0\.storage\.type/,
  ],
  [
    'a rate limit that nobody can read',
    (c: Catalogue) => Object.assign(c.tiers[0] ?? {}, { rate_limit: '100 kbit' }),
    /tiers\.0\.rate_limit: has to be like 100 KB\/s, or null/,
  ],
  [
    'a tier that does not say what its brokers may use',
    (c: Catalogue) => Reflect.deleteProperty(c.tiers[0] ?? {}, 'broker'),
    /tiers\.0\.broker/,
  ],
])('a catalogue with %s is refused', async (_case, change, message) => {
  await expect(load((catalogue) => void change(catalogue))).rejects.toThrow(message);
});

test('a catalogue that is not there or no YAML is refused with its name', async () => {
  await expect(loadCatalogue(join(folder, 'missing.yaml'))).rejects.toThrow(/missing\.yaml cannot be read/);
  await writeFile(join(folder, 'bad.yaml'), 'clouds: [');
  await expect(loadCatalogue(join(folder, 'bad.yaml'))).rejects.toThrow(/bad\.yaml cannot be read/);
});

test.each([
  [null, null],
  ['100 KB/s', 100_000],
  ['2 MB/s', 2e6],
  ['1 GB/s', 1e9],
])('the rate limit %s is %s bytes a second', (rate, bytes) => {
  expect(bytesPerSecond(rate)).toBe(bytes);
});

test("a tenant's own values stand in place of its plan's", async () => {
  const catalogue = await loadCatalogue(catalogueFile);
  const features = featuresOf(catalogue, 'enterprise', {
    members_limit: 5000,
    deployment_tiers: [{ tier: 'large', limit: 50 }],
  });
  expect(features).toMatchObject({ members_limit: 5000, roles_limit: 100 });
  expect([tierLimit(features, 'large'), tierLimit(features, 'small')]).toEqual([50, 3]);
});
