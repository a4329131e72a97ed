import { fieldIssues, listOf, mainApi, refusal } from '#test/main-api.ts';

const on = mainApi({ replicas: 1 });
const region = on.region({ register: false });
const a = on.tenants();

test('a region is offered once its supervisor has registered', async () => {
  const acme = await a.tenant();
  const regions = `${acme.path}/clouds/cloud_a/regions`;
  expect((await acme.admin.get(`${acme.path}/clouds`)).body).toEqual([
    { key: 'cloud_a', name: 'Cloud A' },
    { key: 'cloud_b', name: 'Cloud B' },
  ]);
  expect((await acme.admin.get(regions)).body).toEqual([]);
  expect(refusal(await acme.admin.get(`${regions}/us-east-1/tiers`))).toBe('404 not_found');
  expect(fieldIssues(await acme.starter())).toEqual(['/body/region unknown']);

  await region.register();
  expect((await acme.admin.get(regions)).body).toEqual([
    { key: 'us-east-1', name: 'US East 1', area: 'us', available: true },
  ]);
  // to every key of the tenant, and to none of another
  const without = await acme.with({});
  for (const path of ['', '/cloud_a/regions', '/cloud_a/regions/us-east-1/tiers'])
    expect((await without.get(`${acme.path}/clouds${path}`)).status).toBe(200);
  expect((await (await a.tenant()).admin.get(`${acme.path}/clouds`)).status).toBe(403);
  expect((await acme.admin.get(`${regions}/us-west-2/tiers`)).status).toBe(404);
  expect((await acme.admin.get(`${acme.path}/clouds/cloud_z/regions`)).status).toBe(404);
  expect((await acme.admin.get(`${acme.path}/clouds/cloud_z/regions/us-east-1/storages`)).status).toBe(404);
});

test('tiers say what they are and what the plan leaves of them', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  await region.register();
  const tiers = `${acme.path}/clouds/cloud_a/regions/us-east-1/tiers`;
  const tier = async (key: string) =>
    listOf(await acme.admin.get(tiers)).find((entry) => entry['key'] === key);
  expect(await tier('free')).toEqual({
    key: 'free',
    name: 'Free',
    description: 'To try things out',
    instance: 'a-burst-2x1',
    available: true,
    limit: 1,
    vcpus: 2,
    memory_gib: 1,
    clusters: ['standalone'],
    storages: ['local_ssd', 'network_balanced'],
    rate_limit: '100 KB/s',
  });
  expect(await tier('large')).toMatchObject({
    available: false,
    limit: 0,
    rate_limit: null,
    clusters: ['standalone'],
  });
  await acme.starter();
  expect(await tier('free')).toMatchObject({ available: false, limit: 1 });
});

test('storages and clusters say whether they can be had', async () => {
  const acme = await a.tenant();
  await region.register();
  const base = `${acme.path}/clouds/cloud_a/regions/us-east-1`;
  expect((await acme.admin.get(`${base}/storages`)).body).toMatchObject([
    { key: 'local_ssd', available: true, clusters: ['standalone'] },
    { key: 'network_balanced', available: true, clusters: ['standalone'] },
  ]);
  expect((await acme.admin.get(`${base}/clusters`)).body).toMatchObject([
    { key: 'standalone', available: true },
    { key: 'cluster', available: false },
  ]);
});
