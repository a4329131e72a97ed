import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { bytesPerSecond, loadCatalogue, parseCatalogue, type Catalogue } from './catalogue.ts';
import { featuresOf, readOverrides, tierLimit } from './features.ts';

const catalogueFile = join(import.meta.dirname, '../../../infra/catalogue.yaml');

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
    /clouds\.0\.regions\.6: has a key twice: us-east-1/,
    (c: Catalogue) => c.clouds[0]?.regions.push(...c.clouds[0].regions),
  ],
  [/tiers\.9: has a key twice: free/, (c: Catalogue) => c.tiers.push(...c.tiers)],
  [/tiers\.0\.storage\.size/, (c: Catalogue) => Object.assign(c.tiers[0]?.storage ?? {}, { size: 11 })],
  [/tiers\.0\.storage\.type/, (c: Catalogue) => Object.assign(c.tiers[0] ?? {}, { storages: ['local_ssd'] })],
  [
    /tiers\.0\.rate_limit: has to be like 100 KB\/s, or null/,
    (c: Catalogue) => Object.assign(c.tiers[0] ?? {}, { rate_limit: '100 kbit' }),
  ],
  [/tiers\.0\.broker/, (c: Catalogue) => Reflect.deleteProperty(c.tiers[0] ?? {}, 'broker')],
  [
    /tiers\.0\.storages\.0: local_ssd is not in the file/,
    (c: Catalogue) => (c.storages = c.storages.filter(({ key }) => key !== 'local_ssd')),
  ],
  [/tiers\.1\.hourly_usd: is missing/, (c: Catalogue) => delete c.tiers[1]?.hourly_usd],
  [
    /tiers\.0\.hourly_usd: is nothing/,
    (c: Catalogue) => Object.assign(c.tiers[0] ?? {}, { hourly_usd: c.tiers[1]?.hourly_usd }),
  ],
  [
    /prices\.network_gb: has to be a decimal in quotes/,
    (c: Catalogue) => Object.assign(c.prices, { network_gb: 0.1 }),
  ],
  [
    /prices\.network_gb: has to be a decimal with/,
    (c: Catalogue) => Object.assign(c.prices, { network_gb: '-1' }),
  ],
  [
    /telemetry_days\.default: is more than max \(365\)/,
    (c: Catalogue) => Object.assign(c.telemetry_days, { default: 366 }),
  ],
  [
    /plans\.pro\.deployment_tiers: says nothing of 16xlarge/,
    (c: Catalogue) => void c.plans.pro.deployment_tiers.pop(),
  ],
  [
    /plans\.pro\.deployment_tiers\.9: has a key twice: free/,
    (c: Catalogue) => c.plans.pro.deployment_tiers.push({ tier: 'free', limit: 2 }),
  ],
])('a catalogue is refused: %s', async (message, change) => {
  await expect(load((catalogue) => void change(catalogue))).rejects.toThrow(message);
});

test('a catalogue that is not there or no YAML is refused with its name', async () => {
  await expect(loadCatalogue(join(folder, 'missing.yaml'))).rejects.toThrow(/missing\.yaml cannot be read/);
  await writeFile(join(folder, 'bad.yaml'), 'clouds: [');
  await expect(loadCatalogue(join(folder, 'bad.yaml'))).rejects.toThrow(
    /bad\.yaml is not usable:\n {2}line 1: /,
  );
});

test.each([
  ['a value', 'name: Cloud B', "name: ''", 'clouds.1.name: '],
  ['a missing key, by what it is missing in', 'min_size: 10', 'least: 10', 'storages.1.least: is not known'],
  ['a key that comes twice', 'telemetry_days:', 'prices:', 'Map keys must be unique'],
  ['an unknown word', 'South America East 1, area: sa', 'Mars, area: mars', 'clouds.0.regions.3.area: '],
  ['an alias of nothing', 'name: Standalone', 'name: *standalone', '*standalone is an alias'],
])('an error names the line of %s', async (_case, from, to, message) => {
  const delivered = await readFile(catalogueFile, 'utf8');
  const changed = delivered.replace(from, to);
  const line = delivered.slice(0, delivered.indexOf(from)).split('\n').length;
  const refused = () => parseCatalogue('offer.yaml', changed);
  const place = message.startsWith('Map') ? '' : `line ${line}: `;
  expect(refused).toThrow(`${place}${message}`);
});

test('what is missing is missed in the line of what it belongs to', async () => {
  const delivered = await readFile(catalogueFile, 'utf8');
  const line = delivered.slice(0, delivered.indexOf('\n  enterprise:') + 1).split('\n').length;
  const at = delivered.lastIndexOf('    members_limit: 1000\n');
  const changed = delivered.slice(0, at) + delivered.slice(at + '    members_limit: 1000\n'.length);
  expect(() => parseCatalogue('offer.yaml', changed)).toThrow(
    `line ${line}: plans.enterprise.members_limit: `,
  );
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
  const feature_overrides = {
    members_limit: 5000,
    deployment_tiers: [{ tier: 'large' as const, limit: 50 }],
  };
  const features = featuresOf(catalogue, { plan: 'enterprise', feature_overrides });
  expect(features).toMatchObject({ members_limit: 5000, roles_limit: 100 });
  expect([tierLimit(features, 'large'), tierLimit(features, 'small')]).toEqual([50, 3]);
});

test('what cannot be agreed has no effect', () => {
  const stored = { members_limit: -1, roles_limit: 3, byoc_enabled: 'yes', next_limit: 1, constructor: 2 };
  expect(readOverrides(stored)).toEqual({ roles_limit: 3 });
});

test('what was agreed counts on the plan enterprise alone', async () => {
  const catalogue = await loadCatalogue(catalogueFile);
  const agreed = { plan: 'pro' as const, feature_overrides: { members_limit: 5000 } };
  expect(featuresOf(catalogue, agreed)).toEqual(catalogue.plans.pro);
});
