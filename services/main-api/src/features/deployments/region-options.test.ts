import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import { offerClusters } from '#test/offered-clusters.ts';
import { deploymentsOf, idOf, small } from '#test/deployments.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
offerClusters(on);
const region = on.region();
const a = on.tenants();

let acme: TestTenant;
let path: string;
beforeAll(async () => {
  acme = await a.tenant({
    plan: 'enterprise',
    overrides: { cluster_enabled: true, deployment_tiers: [{ tier: 'small', limit: 50 }] },
  });
  path = await deploymentsOf(acme);
});
afterEach(() => provide({ managed: ['encrypted', 'private_address', 'multi_az', 'dedicated'] }));

/** Has the region say that it provides these options and no others. */
const provide = (options: { managed?: string[]; byoc?: string[] }) =>
  region.register({ clusters: true, options, plugins: [] });

const asked: [option: string, fields: object][] = [
  ['encrypted', { encrypted: true }],
  ['private_address', { public_ip_enabled: false }],
  ['multi_az', { availability_mode: 'multi_az' }],
  ['dedicated', { dedicated: true }],
];
/** A single node is in one zone. */
const kindFor = (option: string) => ({ cluster: option === 'multi_az' ? 'cluster' : 'standalone' });
const notAvailable = (feature: string) => ({ status: 403, body: { code: 'feature_not_available', feature } });

describe.each(asked)('a deployment that needs %s', (option, fields) => {
  const create = (name: string) =>
    acme.admin.post(`${path}/managed`, { ...small, ...kindFor(option), ...fields, name });
  const preview = () => acme.admin.post(`${path}/preview`, { ...placeOf(small), ...fields });
  const others = () => asked.map(([name]) => name).filter((name) => name !== option);

  test('is refused at creation and preview in a region that provides everything else', async () => {
    await provide({ managed: others(), byoc: [option] });
    expect(await create('refused')).toMatchObject(notAvailable(option));
    expect(await preview()).toMatchObject(notAvailable(option));
  });

  test('is accepted in a region that provides it', async () => {
    await provide({ managed: [option] });
    expect((await preview()).status).toBe(200);
    expect((await create(`with-${option.replace('_', '-')}`)).status).toBe(202);
  });

  test('is not upgraded once its region no longer provides it', async () => {
    const id = idOf(await create(`upgraded-${option.replace('_', '-')}`));
    await region.status(id, 100, 'initialized');
    await provide({ managed: others() });
    const upgraded = await acme.admin.post(`${path}/${id}/upgrade`, { tier: 'medium' });
    expect(upgraded).toMatchObject(notAvailable(option));
  });
});

test('a region that provides none takes deployments without them', async () => {
  await provide({});
  expect(refusal(await acme.admin.post(`${path}/managed`, { ...small, encrypted: true }))).toBe(
    '403 feature_not_available',
  );
  expect((await acme.admin.post(`${path}/managed`, { ...small, name: 'plain' })).status).toBe(202);
});

test('what a newer region provides besides does no harm', async () => {
  await provide({ managed: ['multi_az', 'something_new'] });
  const created = await acme.admin.post(`${path}/managed`, {
    ...{ ...small, ...kindFor('multi_az'), name: 'newer' },
    availability_mode: 'multi_az',
  });
  expect(created.status).toBe(202);
});

test('several zones are refused for a single node', async () => {
  await provide({ managed: ['multi_az'] });
  const zones = { availability_mode: 'multi_az' };
  const created = await acme.admin.post(`${path}/managed`, { ...small, ...zones, name: 'alone' });
  expect(fieldIssues(created)).toEqual(['/body/availability_mode not_together']);
  const preview = (nodes: number) =>
    acme.admin.post(`${path}/preview`, { ...placeOf(small), ...zones, nodes });
  expect(fieldIssues(await preview(1))).toEqual(['/body/availability_mode not_together']);
  expect((await preview(2)).status).toBe(200);
});

function placeOf({ cloud, region: name, tier }: typeof small) {
  return { cloud, region: name, tier };
}
