import { randomUUID } from 'node:crypto';
import { commandSchemas, type RolePermissionsInput } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { client, eventually, say } from '@sluice/testing';
import { deploymentsOf, idOf, place, small, untilOffered } from '#test/deployments.ts';
import { fieldIssues, itemsOf, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const [replica, second] = [on.replica(0), on.replica(1)];
const region = on.region();
const a = on.tenants();
beforeAll(async () => untilOffered(await a.tenant()));

const starterOf = (tenant: TestTenant) => `${tenant.path}/divisions/${tenant.division}/deployments/starter`;

describe('a starter', () => {
  test('is a free deployment in the environment sandbox, which is made for it', async () => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(starterOf(acme), place);
    const environment = Number(answer.headers.get('svc-environment'));
    const path = `${acme.path}/divisions/${acme.division}/environments/${environment}/deployments/${idOf(answer)}`;
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(path);
    expect(answer.body).toMatchObject({
      id: idOf(answer),
      variant: 'managed',
      tier: 'free',
      cluster: 'standalone',
      status: 'creating',
      supervisor_url: region.supervisorUrl,
      nodes_count: 1,
      upgrades: [],
    });
    const { name, code, domain } = answer.body;
    expect(name).toMatch(/^[a-z]+-[a-z]+-[0-9a-z]{2}$/);
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{7}$/);
    expect(domain).toBe(`${String(name)}-${String(code)}.sluice.localhost`);
    expect((await acme.admin.get(path)).body).toEqual(answer.body);
    expect((await region.event('environment_created', answer.headers)).data).toEqual({ name: 'sandbox' });
    const event = await region.event('deployment_created', answer.headers);
    expect(event).toMatchObject({
      environment: { id: environment, name: 'sandbox' },
      deployment: { id: idOf(answer), name },
      data: {
        code,
        tier: 'free',
        area: 'us',
        nodes: [{ image_id: 'sluice-node-a-1', variant: 'a-burst-2x1' }],
      },
    });
  });

  test('goes into the environment of that name or id, whatever its case', async () => {
    const acme = await a.tenant({ overrides: { deployment_tiers: [{ tier: 'free', limit: 3 }] } });
    const environment = (await deploymentsOf(acme, 'Sandbox')).split('/').at(-2);
    const byDefault = await acme.admin.post(starterOf(acme), place);
    const byId = await acme.admin.post(starterOf(acme), {
      ...place,
      environment_id: Number(environment),
      deployment_name: 'second',
    });
    expect([byDefault, byId].map(({ headers }) => headers.get('svc-environment'))).toEqual([
      environment,
      environment,
    ]);
    const other = await acme.admin.post(starterOf(acme), { ...place, environment_name: 'playground' });
    expect(other.headers.get('svc-environment')).not.toBe(environment);
  });

  test('is refused in an environment where the caller may not create, or that is not there', async () => {
    const acme = await a.tenant();
    const environment = Number((await deploymentsOf(acme, 'sandbox')).split('/').at(-2));
    const caller = await acme.with({
      environment: ['deployment:manage'],
      divisions: { [acme.division]: { environments: { [environment]: ['deployment:read'] } } },
    });
    expect(refusal(await caller.post(starterOf(acme), place))).toEqual([403, 'forbidden']);
    expect(refusal(await caller.post(starterOf(acme), { ...place, environment_id: environment }))).toEqual([
      403,
      'forbidden',
    ]);
    const nowhere = await caller.post(starterOf(acme), { ...place, environment_id: 999999 });
    expect([nowhere.status, fieldIssues(nowhere)]).toEqual([400, ['/body/environment_id unknown']]);
    const both = { ...place, environment_id: environment, environment_name: 'sandbox' };
    expect(fieldIssues(await acme.admin.post(starterOf(acme), both))).toEqual([
      '/body/environment_name not_together',
    ]);
  });

  test('is made once when two replicas are asked for the last one at once', async () => {
    const acme = await a.tenant();
    const answers = await a.atOnce(
      acme.id,
      [replica, second].map(
        ({ url }) =>
          () =>
            client(url, acme.key).post(starterOf(acme), place),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'limit_reached',
      limit: { name: 'deployment_tiers.free', value: 1 },
    });
    expect((await acme.admin.get(`${acme.path}/summary`)).body).toMatchObject({
      total_environments: 1,
      total_deployments: 1,
    });
  });
});

describe('a managed deployment', () => {
  test('is made in the shape that was asked for', async () => {
    const acme = await a.tenant({ plan: 'enterprise' });
    const answer = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, {
      ...small,
      ...{ protected: true, encrypted: true, dedicated: true },
      storage: { type: 'network_balanced', size: 30 },
      retention: { telemetry_days: 14 },
      target_network_tput: 500,
      spend_limit: 99.99,
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ name: 'orders', protected: true });
    const { generation, deployment } = await region.shape(idOf(answer));
    expect(generation).toBe(1);
    expect(deployment).toMatchObject({
      id: idOf(answer),
      tenant_id: acme.id,
      division: { id: acme.division, name: 'default' },
      environment: { name: 'production' },
      tier: 'small',
      encrypted: true,
      dedicated: true,
      availability_mode: 'single_az',
      storage: { type: 'network_balanced', size: 30 },
      retention: { telemetry_days: 14 },
      target_network_tput: 500,
      spend_limit: 99.99,
      public_ip_enabled: true,
      subdomain_enabled: true,
      nodes: [{ name: 'node-1' }],
      limits: {
        access_rules: 100,
        configs: 100,
        backups: 20,
        backup_days: 365,
        private_networking: true,
        private_connections: 10,
        private_endpoints: 5,
        broker_disk: 27e9,
        broker_memory: 2 ** 30,
        broker_connections: 1_000,
        broker_rate: null,
      },
    });
    const command = region.commands.find(
      ({ data }) => commandSchemas.deployment_apply.safeParse(data).data?.deployment.id === idOf(answer),
    );
    expect(command?.correlation_id?.replaceAll('-', '')).toBe(answer.headers.get('svc-request'));
  });

  test('has no domain without a public address, and local storage without a size', async () => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, {
      ...small,
      ...{ public_ip_enabled: false, storage: { type: 'local_ssd' } },
    });
    expect(answer.body).toMatchObject({ domain: null });
    const { deployment } = await region.shape(idOf(answer));
    expect(deployment).toMatchObject({
      subdomain_enabled: false,
      storage: { type: 'local_ssd', size: null },
    });
  });

  test('has no domain where none is wanted', async () => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, {
      ...small,
      subdomain_enabled: false,
    });
    expect(answer.body).toMatchObject({ domain: null });
    const { deployment } = await region.shape(idOf(answer));
    expect(deployment).toMatchObject({ public_ip_enabled: true, subdomain_enabled: false });
  });

  test.each([
    ['a name in capitals', { name: 'Orders' }, '/body/name wrong_format'],
    ['a name that ends with a hyphen', { name: 'orders-' }, '/body/name wrong_format'],
    ['a name of 41 characters', { name: 'x'.repeat(41) }, '/body/name too_long'],
    ['an unknown tier', { tier: 'huge' }, '/body/tier not_allowed'],
    ['an unknown region', { region: 'nowhere' }, '/body/region unknown'],
    ['a region that has not registered', { region: 'us-west-2' }, '/body/region unknown'],
    ["another cloud's region", { cloud: 'cloud_b' }, '/body/region unknown'],
    [
      'a size of local storage',
      { storage: { type: 'local_ssd', size: 10 } },
      '/body/storage/size not_together',
    ],
    ['too little storage', { storage: { size: 9 } }, '/body/storage/size too_small'],
    ['too much storage', { storage: { size: 1001 } }, '/body/storage/size too_large'],
    [
      'more storage than its tier may have',
      { tier: 'free', storage: { size: 50 } },
      '/body/storage/size too_large',
    ],
    [
      'a subdomain without a public address',
      { public_ip_enabled: false, subdomain_enabled: true },
      '/body/subdomain_enabled not_together',
    ],
    [
      'telemetry for too long',
      { retention: { telemetry_days: 366 } },
      '/body/retention/telemetry_days too_large',
    ],
    ['a spend limit below nothing', { spend_limit: -1 }, '/body/spend_limit too_small'],
    ['a spend limit with parts of a cent', { spend_limit: 0.001 }, '/body/spend_limit not_a_multiple'],
    ['an unknown field of the storage', { storage: { sice: 10 } }, '/body/storage/sice unknown_field'],
  ])('is refused with %s', async (_case, fields, issue) => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, { ...small, ...fields });
    expect(answer.status).toBe(400);
    expect(fieldIssues(answer)).toContain(issue);
  });

  test('is refused as a cluster, which is not available', async () => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, {
      ...small,
      cluster: 'cluster',
    });
    expect(refusal(answer)).toEqual([400, 'cluster_not_available']);
  });

  test('is refused what the plan does not have', async () => {
    const acme = await a.tenant({ plan: 'basic' });
    const path = `${await deploymentsOf(acme)}/managed`;
    expect((await acme.admin.post(path, { ...small, availability_mode: 'multi_az' })).body).toMatchObject({
      status: 403,
      code: 'feature_not_available',
      feature: 'multi_az_enabled',
    });
    expect((await acme.admin.post(path, { ...small, dedicated: true })).body).toMatchObject({
      feature: 'dedicated_enabled',
    });
    expect((await acme.admin.post(path, { ...small, tier: 'large' })).body).toMatchObject({
      status: 409,
      limit: { name: 'deployment_tiers.large', value: 0 },
    });
  });

  test('waits its turn while as many as the plan allows are being provisioned', async () => {
    const acme = await a.tenant({ plan: 'basic' });
    const path = await deploymentsOf(acme);
    const first = await acme.admin.post(`${path}/managed`, small);
    const next = () => acme.admin.post(`${path}/managed`, { ...small, tier: 'medium', name: 'next' });
    expect((await next()).body).toMatchObject({ limit: { name: 'concurrent_deployments_limit', value: 1 } });
    await region.status(idOf(first), 1, 'initialized');
    await eventually(async () => expect((await next()).status).toBe(202));
  });

  test.each([
    ['deployment_tiers.small', 3, {}],
    [
      'concurrent_deployments_limit',
      4,
      { concurrent_deployments_limit: 4, deployment_tiers: [{ tier: 'small' as const, limit: 50 }] },
    ],
  ])('is limited by %s to %i, also when fifty are asked for at once', async (name, value, overrides) => {
    const acme = await a.tenant({ plan: 'enterprise', overrides });
    const path = await deploymentsOf(acme);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        client((i % 2 ? second : replica).url, acme.key).post(`${path}/managed`, {
          ...small,
          name: `n-${i}`,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(value);
    for (const { status, body } of answers)
      if (status !== 202) expect(body).toMatchObject({ code: 'limit_reached', limit: { name, value } });
  });

  test.each([
    ['managed', async (acme: TestTenant) => [`${await deploymentsOf(acme)}/managed`, small] as const],
    ['a starter', (acme: TestTenant) => [starterOf(acme), place] as const],
  ])('(%s) is made once by requests with one idempotency key, also at once', async (_kind, what) => {
    const acme = await a.tenant();
    const [path, body] = await what(acme);
    const send = ({ url }: typeof replica) =>
      client(url, acme.key).request('POST', path, body, { 'idempotency-key': 'once' });
    const first = await Promise.all([replica, second].map(send));
    const last = await send(second);
    expect([last.status, last.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    for (const answer of first)
      if (answer.status === 202) expect(idOf(answer)).toBe(idOf(last));
      else expect(refusal(answer)).toEqual([409, 'idempotent_request_in_progress']);
    expect((await acme.admin.get(`${acme.path}/summary`)).body).toMatchObject({ total_deployments: 1 });
  });

  test('has a name of its own in its environment, also when two are made at once', async () => {
    const acme = await a.tenant();
    const path = await deploymentsOf(acme);
    const answers = await a.atOnce(
      acme.id,
      [replica, second].map(
        ({ url }) =>
          () =>
            client(url, acme.key).post(`${path}/managed`, small),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.map(({ body }) => body['title'])).toContain('Name taken');
    const elsewhere = await acme.admin.post(`${await deploymentsOf(acme, 'staging')}/managed`, small);
    expect(elsewhere.status).toBe(202);
  });

  test('needs an environment of that division', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}/environments/999999/deployments`;
    expect((await acme.admin.post(`${path}/managed`, small)).status).toBe(404);
    expect((await acme.admin.get(path)).status).toBe(404);
  });
});

describe('the status of a deployment', () => {
  test('follows the newest report of its region', async () => {
    const acme = await a.tenant();
    const created = await acme.admin.post(starterOf(acme), place);
    const path = String(created.headers.get('location'));
    await region.status(idOf(created), 3, 'failed', 'no room');
    await region.status(idOf(created), 2, 'deploying_nodes');
    await region.reportsTaken();
    expect((await acme.admin.get(path)).body).toMatchObject({ status: 'failed', status_reason: 'no room' });
    await region.status(idOf(created), 4, 'initialized');
    await region.reportsTaken();
    expect((await acme.admin.get(path)).body).toMatchObject({ status: 'initialized', status_reason: null });
    const { items } = (await acme.admin.get(path.slice(0, path.lastIndexOf('/')))).body as {
      items: { status: string }[];
    };
    expect(items.map(({ status }) => status)).toEqual(['initialized']);
  });
});

describe('a region is not believed', () => {
  const stranger = 'supervisor/cloud_b/us-central1';
  const deadLetters = async () => {
    const { streams } = await jetstreamManager(on.nats);
    const { name } = on.topology.streams.deadLetters;
    const { state } = await streams.info(name);
    const all = Array.from({ length: state.last_seq }, (_, before) =>
      streams.getMessage(name, { seq: before + 1 }),
    );
    return (await Promise.all(all)).map((message) => message?.header.get('Sluice-Reason'));
  };
  const message = (type: string, data: object) => ({ id: randomUUID(), type, correlation_id: null, data });

  test('what it says of a deployment of another one', async () => {
    const acme = await a.tenant();
    const created = await acme.admin.post(starterOf(acme), place);
    const id = idOf(created);
    const data = { deployment_id: id, uid: await region.uid(id), removed_at: new Date().toISOString() };
    const subject = on.topology.subjects.report(stranger, 'deployment_removed');
    await say(on, stranger, subject, message('deployment_removed', data));
    const reason = `${stranger} speaks of cloud_a us-east-1`;
    await eventually(async () => expect(await deadLetters()).toContain(reason));
    expect((await acme.admin.get(String(created.headers.get('location')))).status).toBe(200);
  });

  test('where it says that another one is', async () => {
    const provided = { clusters: false, options: { managed: [], byoc: [] }, plugins: [] };
    const data = { cloud: 'cloud_a', region: 'us-east-1', supervisor_url: 'http://thief.test', ...provided };
    const subject = on.topology.subjects.report(stranger, 'region_registered');
    await say(on, stranger, subject, message('region_registered', data));
    await region.reportsTaken();
    const addresses = await on.sql<{ supervisor_url: string }>('SELECT supervisor_url FROM regions');
    expect(addresses).toEqual([{ supervisor_url: region.supervisorUrl }]);
  });
});

describe('a deployment is deleted', () => {
  test('by its region; until then it stays deleting, and keeps its name and its place in the limits', async () => {
    const acme = await a.tenant();
    const created = await acme.admin.post(starterOf(acme), { ...place, deployment_name: 'first' });
    const path = String(created.headers.get('location'));
    const deleted = await acme.admin.delete(path);
    expect(deleted.status).toBe(202);
    await region.status(idOf(created), 1, 'initialized');
    const deletions = () =>
      region.commands
        .filter(({ type }) => type === 'deployment_delete')
        .map(({ data }) => commandSchemas.deployment_delete.parse(data).deployment_id);
    await eventually(() => expect(deletions()).toContain(idOf(created)));
    expect((await region.event('deployment_deleted', deleted.headers)).data).toEqual({
      name: 'first',
      code: created.body['code'],
    });
    await region.reportsTaken();
    expect((await acme.admin.get(path)).body).toMatchObject({ status: 'deleting' });
    expect(refusal(await acme.admin.post(starterOf(acme), place))).toEqual([409, 'limit_reached']);

    await region.removed(idOf(created));
    await eventually(async () => expect((await acme.admin.get(path)).status).toBe(404));
    expect((await acme.admin.post(starterOf(acme), { ...place, deployment_name: 'first' })).status).toBe(202);
  });

  test('once: asking again changes nothing', async () => {
    const acme = await a.tenant();
    const created = await acme.admin.post(starterOf(acme), place);
    const path = String(created.headers.get('location'));
    const answers = await Promise.all([replica, second].map(({ url }) => client(url, acme.key).delete(path)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const last = await acme.admin.post(`${acme.path}/divisions`, { name: 'later' });
    await region.event('division_created', last.headers);
    const ofThis = (type: string) =>
      region.events.filter((event) => event.type === type && event.deployment?.id === idOf(created));
    expect([ofThis('deployment_created').length, ofThis('deployment_deleted').length]).toEqual([1, 1]);
  });

  test('with a code only when it is protected', async () => {
    const acme = await a.tenant();
    const created = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, {
      ...small,
      protected: true,
    });
    const path = String(created.headers.get('location'));
    expect(refusal(await acme.admin.delete(path))).toEqual([400, 'protection_code_required']);
    expect(refusal(await acme.admin.delete(`${path}?code=1`))).toEqual([400, 'protection_code_invalid']);
    expect((await acme.admin.get(path)).body).toMatchObject({ status: 'creating' });
  });

  test('where it stands: it is found in its own environment only', async () => {
    const acme = await a.tenant();
    const created = await acme.admin.post(starterOf(acme), place);
    const elsewhere = `${await deploymentsOf(acme)}/${idOf(created)}`;
    expect((await acme.admin.get(elsewhere)).status).toBe(404);
    expect((await acme.admin.delete(elsewhere)).status).toBe(404);
    expect((await acme.admin.delete(`${await deploymentsOf(acme, 'x')}/999999`)).status).toBe(404);
  });
});

test('a deployment where an override closes the environment is not found, and refused to who holds something there', async () => {
  const acme = await a.tenant();
  const created = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, small);
  const path = String(created.headers.get('location'));
  const [environment] = /(?<=environments\/)\d+/.exec(path) ?? [''];
  const everywhere = { environment: ['deployment:manage'] };
  const answers = async (permissions: RolePermissionsInput, at = path) => {
    const key = await acme.with(permissions);
    const change = { description: 'x' };
    const asked = [await key.get(at), await key.put(at, change), await key.delete(at)];
    return [...asked, await key.post(`${at}/upgrade`, { tier: 'medium' })].map(refusal);
  };
  const all = (answer: unknown) => Array(4).fill(answer) as unknown[];
  const notFound = all([404, 'not_found']);
  const inDivision = (override: object) => ({ ...everywhere, divisions: { [acme.division]: override } });
  expect(await answers(inDivision({ environments: { [environment]: [] } }))).toEqual(notFound);
  expect(await answers(inDivision({ environment: [] }))).toEqual(notFound);
  expect(await answers(everywhere, path.replace(/\d+$/, '999999'))).toEqual(notFound);
  const forbidden = all([403, 'forbidden']);
  expect(await answers(inDivision({ environments: { [environment]: ['info:read'] } }))).toEqual(forbidden);
  expect(await answers({ tenant: ['info:read'] })).toEqual(forbidden);
  expect((await acme.admin.get(path)).body).toMatchObject({ description: null, status: 'creating' });
});

test('deployments are listed newest first, page by page', async () => {
  const acme = await a.tenant();
  const path = await deploymentsOf(acme);
  for (const name of ['one', 'two', 'three']) await acme.admin.post(`${path}/managed`, { ...small, name });
  const names = async (query: string) =>
    itemsOf(await acme.admin.get(`${path}?${query}`)).map(({ name }) => name);
  expect(await names('results=2')).toEqual(['three', 'two']);
  expect(await names('results=2&page=2')).toEqual(['one']);
});
