import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { client, eventually, metricsOf, testFolder } from '@sluice/testing';
import { parse, stringify } from 'yaml';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import { catalogueFile } from '#test/settings.ts';
import type { TestTenant } from '#test/tenants.ts';
import type { Catalogue } from '@sluice/catalogue/catalogue';

const on = mainApi({ environment: { CATALOGUE_CHECK_SECONDS: '0.05' } });
on.beforeStart(async () => {
  on.environment['CATALOGUE_FILE'] = join(await testFolder(), 'catalogue.yaml');
  await declare(() => undefined);
});
on.region();
const a = on.tenants();

/** Writes the catalogue that the replicas read: as delivered, with the prices of this file, after `change`. */
async function declare(change: (catalogue: Catalogue) => void): Promise<void> {
  const catalogue = parse(await readFile(catalogueFile, 'utf8')) as Catalogue;
  for (const tier of catalogue.tiers) if (tier.key !== 'free') tier.hourly_usd = hourly[tier.key];
  catalogue.prices = { ...prices };
  change(catalogue);
  await writeFile(file(), stringify(catalogue));
}

const file = () => on.environment['CATALOGUE_FILE'] ?? '';

let acme: TestTenant;
let preview: string;
beforeAll(async () => {
  acme = await a.tenant();
  await on.sql(
    `INSERT INTO regions (cloud, region, supervisor_url, options)
     VALUES ('cloud_b', 'us-central1', 'http://b.test', '{"managed": ["multi_az"]}')`,
  );
  const made = await acme.admin.post(`${acme.divisionPath}/environments`, {
    name: 'live',
  });
  preview = `${made.headers.get('location')}/deployments/preview`;
});

const somewhere = { cloud: 'cloud_a', region: 'us-east-1', tier: 'small' };

// a node for 730 hours:
const hourly = {
  // 30.076                     29.565
  small: { cloud_a: '0.0412', cloud_b: '0.0405' },
  // 60.152                      59.13
  medium: { cloud_a: '0.0824', cloud_b: '0.0810' },
  // 120.304                    118.26
  large: { cloud_a: '0.1648', cloud_b: '0.1620' },
  // 240.608                     236.52
  xlarge: { cloud_a: '0.3296', cloud_b: '0.3240' },
  // 481.216                      473.04
  '2xlarge': { cloud_a: '0.6592', cloud_b: '0.6480' },
  // 962.432                      946.08
  '4xlarge': { cloud_a: '1.3184', cloud_b: '1.2960' },
  // 1924.864                    1892.16
  '8xlarge': { cloud_a: '2.6368', cloud_b: '2.5920' },
  // 3849.728                     3784.32
  '16xlarge': { cloud_a: '5.2736', cloud_b: '5.1840' },
};
const prices = {
  // GB and node
  storage_gb: { local_ssd: '0.14', network_balanced: '0.095' },
  // 1 KB/s for 730 hours is 2.628 GB: 0.03285
  network_gb: '0.0125',
  // and between zones 0.05256
  multi_az_network: '1.6',
  telemetry_day: '0.75',
  // GB, once
  data_retention_gb: '0.023',
};

/**
 * Compute, storage, network, telemetry and data retention, each rounded half up, and their sum. What a row leaves open: 3 nodes;
 * GB of storage 20, 50, 100, 200, 400, 800, 1600, 3200 from small on; KB/s 500, 1000, 2000 and so on, doubled from tier to tier.
 * For example `cloud_b medium, nodes 2, size 33, tput 700, days 1`: 2 × 59.13 = 118.26; 2 × 33 × 0.095 = 6.27;
 * 700 × 0.03285 = 22.995, up to 23.00; 0.75; 33 × 0.023 = 0.759, up to 0.76; together 149.04.
 */
test.each([
  ['cloud_a free', '', '0.00 0.00 0.00 0.00 0.00', '0.00'],
  ['cloud_b free', '', '0.00 0.00 0.00 0.00 0.00', '0.00'],
  [
    'cloud_a free',
    'nodes 100, size 10, tput 2147483647, multi_az, days 300',
    '0.00 0.00 0.00 0.00 0.00',
    '0.00',
  ],
  ['cloud_a small', '', '90.23 5.70 16.43 0.00 0.46', '112.82'],
  ['cloud_b small', '', '88.70 5.70 16.43 0.00 0.46', '111.29'],
  ['cloud_a medium', '', '180.46 14.25 32.85 0.00 1.15', '228.71'],
  ['cloud_b medium', '', '177.39 14.25 32.85 0.00 1.15', '225.64'],
  ['cloud_a large', '', '360.91 28.50 65.70 0.00 2.30', '457.41'],
  ['cloud_b large', '', '354.78 28.50 65.70 0.00 2.30', '451.28'],
  ['cloud_a xlarge', '', '721.82 57.00 131.40 0.00 4.60', '914.82'],
  ['cloud_a 2xlarge', '', '1443.65 114.00 262.80 0.00 9.20', '1829.65'],
  ['cloud_a 4xlarge', '', '2887.30 228.00 525.60 0.00 18.40', '3659.30'],
  ['cloud_a 8xlarge', '', '5774.59 456.00 1051.20 0.00 36.80', '7318.59'],
  ['cloud_a 16xlarge', '', '11549.18 912.00 2102.40 0.00 73.60', '14637.18'],
  ['cloud_b 16xlarge', '', '11352.96 912.00 2102.40 0.00 73.60', '14440.96'],
  ['cloud_b small', 'nodes 1', '29.57 1.90 16.43 0.00 0.46', '48.36'],
  ['cloud_a small', 'nodes 1, size 13', '30.08 1.24 16.43 0.00 0.30', '48.05'],
  ['cloud_a small', 'nodes 1, size 15', '30.08 1.43 16.43 0.00 0.35', '48.29'],
  ['cloud_a small', 'nodes 1, tput 100', '30.08 1.90 3.29 0.00 0.46', '35.73'],
  ['cloud_a small', 'nodes 1, tput 300', '30.08 1.90 9.86 0.00 0.46', '42.30'],
  ['cloud_a small', 'nodes 2, tput 100, multi_az', '60.15 3.80 5.26 0.00 0.46', '69.67'],
  ['cloud_b medium', 'nodes 2, size 33, tput 700, days 1', '118.26 6.27 23.00 0.75 0.76', '149.04'],
  ['cloud_a small', 'nodes 1, tput 0', '30.08 1.90 0.00 0.00 0.46', '32.44'],
  ['cloud_a small', 'nodes 1, tput 1', '30.08 1.90 0.03 0.00 0.46', '32.47'],
  ['cloud_a small', 'nodes 1, size 10', '30.08 0.95 16.43 0.00 0.23', '47.69'],
  ['cloud_a small', 'nodes 1, size 1000', '30.08 95.00 16.43 0.00 23.00', '164.51'],
  ['cloud_a small', 'nodes 1, type local_ssd', '30.08 2.80 16.43 0.00 0.46', '49.77'],
  ['cloud_b large', 'type local_ssd', '354.78 42.00 65.70 0.00 2.30', '464.78'],
  [
    'cloud_a 16xlarge',
    'nodes 20, type local_ssd, multi_az',
    '76994.56 8960.00 3363.84 0.00 73.60',
    '89392.00',
  ],
  ['cloud_a medium', 'nodes 1, type network_balanced', '60.15 4.75 32.85 0.00 1.15', '98.90'],
  ['cloud_a medium', 'days 1', '180.46 14.25 32.85 0.75 1.15', '229.46'],
  ['cloud_a medium', 'nodes 1, days 3', '60.15 4.75 32.85 2.25 1.15', '101.15'],
  ['cloud_b xlarge', 'nodes 5, days 358', '1182.60 95.00 131.40 268.50 4.60', '1682.10'],
  ['cloud_a medium', 'multi_az', '180.46 14.25 52.56 0.00 1.15', '248.42'],
  ['cloud_b 2xlarge', 'tput 12345, multi_az', '1419.12 114.00 648.85 0.00 9.20', '2191.17'],
  ['cloud_b 4xlarge', 'nodes 7, size 16000, tput 99999', '6622.56 10640.00 3284.97 0.00 368.00', '20915.53'],
  [
    'cloud_b 8xlarge',
    'nodes 100, size 32000, tput 2147483647, multi_az, days 358',
    '189216.00 304000.00 112871740.49 268.50 736.00',
    '113365960.99',
  ],
  ['cloud_a large', 'nodes 1, size 101, tput 777, days 10', '120.30 9.60 25.52 7.50 2.32', '165.24'],
  ['cloud_b medium', 'nodes 2, size 51, tput 51, multi_az', '118.26 9.69 2.68 0.00 1.17', '131.80'],
  [
    'cloud_a xlarge',
    'nodes 4, type network_balanced, size 8000, days 30',
    '962.43 3040.00 131.40 22.50 184.00',
    '4340.33',
  ],
])('%s, %s: %s, together %s', async (where, more, parts, total) => {
  const [cloud = '', tier] = where.split(' ');
  const region = cloud === 'cloud_a' ? 'us-east-1' : 'us-central1';
  const answer = await acme.admin.post(preview, { cloud, region, tier, ...shapeOf(more) });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ cloud, region, tier, monthly_total_usd: total });
  const order = ['compute', 'storage', 'network', 'telemetry', 'data_retention'];
  const breakdown = answer.body['breakdown'] as Record<string, string>;
  expect(order.map((part) => breakdown[`${part}_usd`]).join(' ')).toBe(parts);
});

/** What a row of the table asks for. */
function shapeOf(more: string) {
  const said = new Map(more.split(', ').map((word): [string, string] => [...word.split(' '), ''] as never));
  const number = (name: string) => (said.has(name) ? Number(said.get(name)) : undefined);
  const type = said.get('type');
  const storage = { type, size: number('size') };
  return {
    nodes: number('nodes'),
    storage: (type ?? storage.size) ? storage : undefined,
    target_network_tput: number('tput'),
    availability_mode: said.has('multi_az') ? 'multi_az' : undefined,
    telemetry_extra_days: number('days'),
  };
}

test('a preview names what it is for', async () => {
  const { status, body } = await acme.admin.post(preview, somewhere);
  expect(status).toBe(200);
  expect(body).toEqual({
    cloud: 'cloud_a',
    region: 'us-east-1',
    tier: 'small',
    nodes: 3,
    instance: 'a-general-2x2',
    monthly_total_usd: '112.82',
    breakdown: {
      compute_usd: '90.23',
      storage_usd: '5.70',
      network_usd: '16.43',
      telemetry_usd: '0.00',
      data_retention_usd: '0.46',
    },
  });
  // null is the same as nothing
  const nothing = { storage: null, nodes: null, target_network_tput: null, availability_mode: null };
  expect((await acme.admin.post(preview, { ...somewhere, ...nothing })).body).toEqual(body);
});

test('it is sent again with the same Idempotency-Key, and changes nothing', async () => {
  const ask = (body: object) => acme.admin.request('POST', preview, body, { 'idempotency-key': 'once' });
  const [first, again] = [await ask(somewhere), await ask(somewhere)];
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect(refusal(await ask({ ...somewhere, nodes: 1 }))).toBe('409 idempotency_key_reused');
});

test.each([
  [{ region: 'us-west-2' }, ['/body/region unknown']],
  [{ cloud: 'cloud_b' }, ['/body/region unknown']],
  [{ storage: { type: 'local_ssd', size: 20 } }, ['/body/storage/size not_together']],
  [{ storage: { size: 1001 } }, ['/body/storage/size too_large']],
  [{ storage: { size: 9 } }, ['/body/storage/size too_small']],
  [{ telemetry_extra_days: 359 }, ['/body/telemetry_extra_days too_large']],
  [{ nodes: 0 }, ['/body/nodes too_small']],
  [{ nodes: 101 }, ['/body/nodes too_large']],
  [{ target_network_tput: -1 }, ['/body/target_network_tput too_small']],
])('%j is refused', async (more, issues) => {
  const answer = await acme.admin.post(preview, { ...somewhere, ...more });
  expect(fieldIssues(answer)).toEqual(issues);
});

test('it needs an environment, and the permission to read its deployments', async () => {
  const elsewhere = preview.replace(/environments\/\d+/, 'environments/1234567');
  expect(refusal(await acme.admin.post(elsewhere, somewhere))).toBe('404 not_found');
  const reader = await acme.with({ environment: ['deployment:read'] });
  expect((await reader.post(preview, somewhere)).status).toBe(200);
  const other = await acme.with({ environment: ['info:read'] });
  expect(refusal(await other.post(preview, somewhere))).toBe('403 forbidden');
});

test('a preview has the price of several zones also on a plan without them', async () => {
  const basic = await a.tenant({ plan: 'basic' });
  const made = await basic.admin.post(`${basic.divisionPath}/environments`, {
    name: 'e',
  });
  const answer = await basic.admin.post(`${made.headers.get('location')}/deployments/preview`, {
    ...somewhere,
    availability_mode: 'multi_az',
  });
  expect(answer.body['breakdown']).toMatchObject({ network_usd: '26.28' });
});

test('all replicas take a changed catalogue over, but for its prices, and keep the old one instead of a broken one', async () => {
  const shown = () =>
    Promise.all(
      on.replicas.map(async ({ url }) => {
        const { body } = await client(url, acme.key).post(preview, somewhere);
        return [body['instance'], body['monthly_total_usd']];
      }),
    );
  const both = (instance: string) => [instance, instance].map((one) => [one, '112.82']);
  const refused = () => Promise.all(on.replicas.map(async ({ url }) => gauge(await metricsOf(url))));
  await declare(({ tiers, prices }) => {
    for (const { key, instances } of tiers) if (key === 'small') instances.cloud_a = 'a-other';
    prices.network_gb = '0';
  });
  await eventually(async () => expect(await shown()).toEqual(both('a-other')));

  await writeFile(file(), 'clouds: [');
  await eventually(async () => expect(await refused()).toEqual(['1', '1']));
  expect(await shown()).toEqual(both('a-other'));

  await declare(() => undefined);
  await eventually(async () => expect(await shown()).toEqual(both('a-general-2x2')));
  expect(await refused()).toEqual(['0', '0']);
});

const gauge = (metrics: string) => /^sluice_catalogue_refused (\d)$/m.exec(metrics)?.[1];
