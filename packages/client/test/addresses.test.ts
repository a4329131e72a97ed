import {
  createClient,
  getDeploymentAtSupervisor,
  getTenant,
  getTenantSummary,
  listAuditEntries,
  type ClientOptions,
} from '@sluice/client';
import { answerJson, answerProblem, faultyServer } from './fixtures/faulty-server.ts';

type Server = Awaited<ReturnType<typeof faultyServer>>;
let region: Server;
let main: Server;
/** whether the Main API has GET /context */
let knowsContext = true;
let isDown = false;
beforeEach(async () => {
  [knowsContext, isDown] = [true, false];
  region = await faultyServer((answer) => answerJson(answer, 200, { id: 5, items: [], total_results: 0 }));
  main = await faultyServer((answer, { url }) => {
    if (isDown) return answerProblem(answer, 503, 'unavailable');
    const deployment = {
      id: 5,
      name: 'orders',
      cloud: 'cloud_a',
      region: 'us-east-1',
      supervisor_url: region.url,
    };
    const environments = [{ id: 3, name: 'dev', deployments: [deployment] }];
    if (url === '/tenants/9/structure') return answerProblem(answer, 403, 'forbidden');
    if (url.endsWith('/structure'))
      return answerJson(answer, 200, { id: 1, divisions: [{ id: 2, environments }] });
    if (url !== '/context') return answerJson(answer, 200, { id: 1 });
    if (!knowsContext) return answerProblem(answer, 404, 'unknown_path');
    const regions = [{ cloud: 'cloud_a', region: 'us-east-1', supervisor_url: region.url }];
    answerJson(answer, 200, { tenant: { id: 1 }, audit_url: region.url, regions });
  });
});
afterEach(async () => {
  await main.close();
  await region.close();
});

const client = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: main.url, apiKey: 'key', attempts: 1, ...options });
const asked = ({ requests }: Server) => requests.map(({ url }) => url);
const path = { tenant_id: 1 };
const deployment = { deployment_id: 5 };

test('a deployment is found by the tenant of the key, once for all who ask', async () => {
  const sluice = client();
  await Promise.all([1, 2, 3].map(() => getDeploymentAtSupervisor({ client: sluice, path: deployment })));
  expect(asked(main)).toEqual(['/context', '/tenants/1/structure']);
  expect(asked(region)).toEqual(['/deployments/5', '/deployments/5', '/deployments/5']);
  expect(region.requests[0]?.headers['svc-api-key']).toBe('key');
});

test('a page reaches regions by its own origin, whatever the Main API says', async () => {
  const proxy = await faultyServer((answer) => answerJson(answer, 200, { id: 5 }));
  const page = client({
    apiKey: undefined,
    supervisorUrl: (place) => `${proxy.url}/api/regions/${place.cloud}/${place.region}`,
  });
  await getTenant({ client: page, path });
  await getDeploymentAtSupervisor({ client: page, path: deployment });
  await getTenantSummary({ client: page.at({ cloud: 'cloud_b', region: 'west' }), path });
  expect(asked(proxy)).toEqual([
    '/api/regions/cloud_a/us-east-1/deployments/5',
    '/api/regions/cloud_b/west/tenants/1/summary',
  ]);
  expect(asked(region)).toEqual([]);
  await proxy.close();
});

test('a session goes to addresses that the Main API names, and to no other', async () => {
  const sluice = client({ apiKey: undefined, session: 'svt_x' });
  const other = await faultyServer((answer) => answerJson(answer, 200, {}));
  await expect(getTenantSummary({ client: sluice.at(other.url), path })).rejects.toMatchObject({
    code: 'address_unknown',
  });
  await getTenantSummary({ client: sluice.at(`${region.url}/`), path });
  await other.close();
  expect([other.requests.length, region.requests[0]?.headers['svc-session']]).toEqual([0, 'svt_x']);
});

test('by a tenant that is given, and by those that requests have named where none is', async () => {
  knowsContext = false;
  await getDeploymentAtSupervisor({ client: client({ tenant: 1 }), path: deployment });
  const sluice = client();
  await expect(getDeploymentAtSupervisor({ client: sluice, path: deployment })).rejects.toMatchObject({
    code: 'address_unknown',
  });
  // one that the caller may not see is passed over
  for (const tenant_id of [9, 1]) await getTenant({ client: sluice, path: { tenant_id } });
  expect(await sluice.locate(5)).toEqual({
    tenant_id: 1,
    division_id: 2,
    environment_id: 3,
    deployment_id: 5,
    name: 'orders',
    cloud: 'cloud_a',
    region: 'us-east-1',
    supervisor_url: region.url,
  });
});

test('a known region is reached without the Main API', async () => {
  const sluice = client({ tenant: 1 });
  await sluice.locate(5);
  isDown = true;
  await getDeploymentAtSupervisor({ client: sluice, path: deployment });
  await expect(sluice.locate(6)).rejects.toMatchObject({ code: 'unavailable' });
});

test('an unknown deployment is not_found, also when asked for again', async () => {
  const sluice = client({ tenant: 1 });
  for (const attempt of [1, 2]) {
    await expect(sluice.locate(6)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    expect(asked(main)).toHaveLength(attempt);
  }
});

test('regions by their names or addresses, and the Audit API', async () => {
  const name = { cloud: 'cloud_a', region: 'us-east-1' };
  const sluice = client();
  await getTenantSummary({ client: sluice.at(name), path });
  await getTenantSummary({ client: sluice.at(`${region.url}/`), path });
  await listAuditEntries({ client: sluice, path });
  expect(asked(region)).toEqual(['/tenants/1/summary', '/tenants/1/summary', '/audit/tenants/1']);
  expect(asked(main)).toEqual(['/context']);
  await expect(getTenantSummary({ client: sluice, path })).rejects.toThrow('client.at(region)');
  await expect(getTenantSummary({ client: sluice.at({ ...name, region: 'mars' }), path })).rejects.toThrow(
    'cloud_a/mars',
  );
});

test('an older Main API does not know them: they are configured', async () => {
  knowsContext = false;
  await expect(listAuditEntries({ client: client(), path })).rejects.toThrow('auditUrl');
  await listAuditEntries({ client: client({ auditUrl: region.url }), path });
  const supervisors = [{ cloud: 'cloud_a', region: 'us-east-1', url: region.url }];
  await getTenantSummary({
    client: client({ supervisors }).at({ cloud: 'cloud_a', region: 'us-east-1' }),
    path,
  });
  expect(asked(region)).toEqual(['/audit/tenants/1', '/tenants/1/summary']);
});

test('no credential is sent to a region without HTTPS when the Main API has it', async () => {
  const sluice = createClient({ url: 'https://api.example', apiKey: 'key' }).at(region.url);
  await expect(getTenantSummary({ client: sluice, path })).rejects.toMatchObject({
    code: 'address_insecure',
  });
  expect(region.requests).toEqual([]);
});

test('an address below a path is kept', async () => {
  await getTenant({ client: createClient({ url: `${main.url}/api/`, apiKey: 'key' }), path });
  expect(asked(main)).toEqual(['/api/tenants/1']);
});

test('an aborted caller does not wait for an address, and others get it', async () => {
  const sluice = client({ tenant: 1 });
  const controller = new AbortController();
  const mine = sluice.locate(5, controller.signal);
  const others = sluice.locate(5);
  controller.abort(new Error('enough'));
  await expect(mine).rejects.toThrow('enough');
  expect((await others).deployment_id).toBe(5);
});
