import type { Answer } from '@sluice/testing';
import { fieldIssues, itemsOf, mainApi, refusal, sendTwice } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

const externalId = 'external-5f0c3a52';
const settings = {
  cloud_a: {
    identity_arn: 'arn:cloud_a:iam::123456789012:role/sluice',
    external_id: externalId,
    vpc_id: 'vpc-0a1b2c3d',
    vpc_cidr: '10.20.0.0/16',
  },
};
const production = { cloud: 'cloud_a', name: 'Production', account_id: '123456789012' };
const project = { cloud: 'cloud_b', name: 'Project', account_id: 'acme-production' };

const accountsOf = (tenant: TestTenant) => `${tenant.path}/cloud_accounts`;
const create = (tenant: TestTenant, input: object = production) =>
  tenant.admin.post(accountsOf(tenant), input);
const pathOf = ({ headers }: Answer) => headers.get('location') ?? '';

describe('a cloud account', () => {
  let refusing: TestTenant;
  beforeAll(async () => {
    refusing = await a.tenant();
  });

  test('is created, read, changed and deleted, each with its event, which shows no settings', async () => {
    const acme = await a.tenant();
    const input = { ...production, region: 'us-east-1', settings, remarks: 'Ask Ada' };
    const created = await create(acme, input);
    const id = Number(created.body['id']);
    expect(created.status).toBe(201);
    expect([pathOf(created), created.headers.get('svc-cloud-account')]).toEqual([
      `${accountsOf(acme)}/${id}`,
      String(id),
    ]);
    expect(created.body).toEqual({
      ...{ id, ...input, status: 'active' },
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    expect((await acme.admin.get(pathOf(created))).body).toEqual(created.body);
    expect((await region.event('cloud_account_created', created.headers)).data).toEqual(production);

    const other = { cloud_a: { ...settings.cloud_a, external_id: 'another-external-id' } };
    const changed = await acme.admin.put(pathOf(created), {
      name: 'Live',
      settings: other,
      status: 'locked',
    });
    expect(changed.status).toBe(204);
    expect((await region.event('cloud_account_updated', changed.headers)).data).toEqual({
      name: 'Live',
      changes: { name: 'Live', status: 'locked', settings: '***' },
      former: { name: 'Production', status: 'active', settings: '***' },
    });
    const now = { name: 'Live', settings: other, status: 'locked', region: 'us-east-1', remarks: 'Ask Ada' };
    expect((await acme.admin.get(pathOf(created))).body).toMatchObject(now);

    const deleted = await acme.admin.delete(pathOf(created));
    expect(deleted.status).toBe(204);
    const { data } = await region.event('cloud_account_deleted', deleted.headers);
    expect(data).toEqual({ ...production, name: 'Live' });
    expect(refusal(await acme.admin.get(pathOf(created)))).toBe('404 not_found');
    expect(refusal(await acme.admin.delete(pathOf(created)))).toBe('404 not_found');
  });

  test('needs its cloud, name and account alone; null means absent', async () => {
    const acme = await a.tenant();
    const optional = { region: null, settings: null, remarks: null };
    expect((await create(acme)).body).toMatchObject(optional);
    expect((await create(acme, { ...project, ...optional })).body).toMatchObject(optional);
    const sparse = { cloud_b: { vpc_network: null, vpc_cidr: '10.0.0.0/8' }, cloud_a: null };
    const third = await create(acme, { ...project, name: 'third', settings: sparse });
    expect(third.body['settings']).toEqual({ cloud_b: { vpc_cidr: '10.0.0.0/8' } });
    expect(fieldIssues(await create(acme, {}))).toEqual(
      expect.arrayContaining(['/body/cloud required', '/body/name required', '/body/account_id required']),
    );
  });

  test.each([
    [{ cloud: 'cloud_c' }, '/body/cloud not_allowed'],
    [{ name: ' ' }, '/body/name wrong_format'],
    [{ name: 'x'.repeat(101) }, '/body/name too_long'],
    [{ remarks: 'x'.repeat(501) }, '/body/remarks too_long'],
    [{ account_id: '12345678901' }, '/body/account_id wrong_format'],
    [{ account_id: 'acme-production' }, '/body/account_id wrong_format'],
    [{ cloud: 'cloud_b' }, '/body/account_id wrong_format'],
    [{ ...project, account_id: 'acme1' }, '/body/account_id too_short'],
    [{ ...project, account_id: 'acme-x-' }, '/body/account_id wrong_format'],
    [{ region: 'US' }, '/body/region wrong_format'],
    [{ settings: {} }, '/body/settings/cloud_a required'],
    [{ settings: { ...settings, cloud_b: {} } }, '/body/settings/cloud_b not_allowed'],
    [
      { settings: { cloud_a: { ...settings.cloud_a, vpc_cidr: '10.0.0.0' } } },
      '/body/settings/cloud_a/vpc_cidr wrong_format',
    ],
    [
      { settings: { cloud_a: { ...settings.cloud_a, vpc_cidr: '10.0.0.1/8' } } },
      '/body/settings/cloud_a/vpc_cidr wrong_format',
    ],
  ])('is not made with %j', async (input, issue) => {
    const answer = await create(refusing, { ...production, ...input });
    expect(fieldIssues(answer)).toEqual([issue]);
  });
  test('is not made with settings that lack what they need', async () => {
    const acme = await a.tenant();
    const answer = await create(acme, { ...production, settings: { cloud_a: { vpc_id: 'vpc-1' } } });
    expect(answer.status).toBe(400);
    expect(itemsOf(await acme.admin.get(accountsOf(acme)))).toEqual([]);
  });

  test('has a name that no other of the tenant has, in any case of its letters', async () => {
    const acme = await a.tenant();
    const [first, second] = [await create(acme), await create(acme, project)];
    const again = { ...project, name: 'PRODUCTION' };
    expect(refusal(await create(acme, again))).toBe('409 name_taken');
    const renamed = await acme.admin.put(pathOf(second), { name: 'production' });
    expect(refusal(renamed)).toBe('409 name_taken');
    await acme.admin.delete(pathOf(first));
    expect((await create(acme, again)).status).toBe(201);
    expect((await create(await a.tenant(), production)).status).toBe(201);
  });

  test('is found in its own tenant only', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const path = pathOf(await create(acme)).replace(acme.path, other.path);
    const answers = [
      await other.admin.get(path),
      await other.admin.put(path, { name: 'x' }),
      await other.admin.delete(path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('is read with settings:read and changed with settings:manage', async () => {
    const acme = await a.tenant();
    const path = pathOf(await create(acme));
    const reader = await acme.with({ tenant: ['settings:read'] });
    expect([(await reader.get(path)).status, (await reader.get(accountsOf(acme))).status]).toEqual([
      200, 200,
    ]);
    const refused = [
      await reader.post(accountsOf(acme), project),
      await reader.put(path, {}),
      await reader.delete(path),
    ];
    expect(refused.map(refusal)).toEqual(Array(3).fill('403 forbidden'));
  });

  test('can take on any status from any other, and counts in all of them', async () => {
    const acme = await a.tenant({ plan: 'enterprise', overrides: { cloud_accounts_limit: 1 } });
    const path = pathOf(await create(acme));
    for (const status of ['deleted', 'inactive', 'locked', 'active', 'deleted']) {
      expect((await acme.admin.put(path, { status })).status).toBe(204);
      expect((await acme.admin.get(path)).body['status']).toBe(status);
    }
    expect(refusal(await create(acme, project))).toBe('409 limit_reached');
    expect(fieldIssues(await acme.admin.put(path, { status: 'gone' }))).toEqual(['/body/status not_allowed']);
  });
});

describe('an update', () => {
  test('clears region, settings and remarks by null, and nothing else', async () => {
    const acme = await a.tenant();
    const created = await create(acme, { ...production, region: 'us-east-1', settings, remarks: 'r' });
    const kept = { name: null, account_id: null, status: null };
    const answer = await acme.admin.put(pathOf(created), {
      ...kept,
      region: null,
      settings: null,
      remarks: null,
    });
    expect(answer.status).toBe(204);
    expect((await acme.admin.get(pathOf(created))).body).toMatchObject({
      ...{ ...production, status: 'active' },
      ...{ region: null, settings: null, remarks: null },
    });
    expect((await region.event('cloud_account_updated', answer.headers)).data).toEqual({
      name: 'Production',
      changes: { region: null, settings: null, remarks: null },
      former: { region: 'us-east-1', settings: '***', remarks: 'r' },
    });
  });

  test('that changes nothing is no event, in any order of its fields', async () => {
    const acme = await a.tenant();
    const path = pathOf(await create(acme, { ...production, settings }));
    const turned = { cloud_a: Object.fromEntries(Object.entries(settings.cloud_a).reverse()) };
    const same = [
      await acme.admin.put(path, {}),
      await acme.admin.put(path, { name: 'Production', settings: turned }),
    ];
    const next = await acme.admin.put(path, { remarks: 'new' });
    // events of a tenant come in order: the second is here, so the first would be
    await region.event('cloud_account_updated', next.headers);
    expect(region.eventsOfRequests(...same.map(({ headers }) => headers))).toEqual([]);
  });

  test('is held to the form of its cloud, which cannot change', async () => {
    const acme = await a.tenant();
    const path = pathOf(await create(acme, project));
    expect(fieldIssues(await acme.admin.put(path, { settings, account_id: '123456789012' }))).toEqual([
      '/body/account_id wrong_format',
      '/body/settings/cloud_a not_allowed',
      '/body/settings/cloud_b required',
    ]);
    expect(refusal(await acme.admin.put(path, { cloud: 'cloud_a' }))).toBe('400 unknown_field');
    expect((await acme.admin.get(path)).body).toMatchObject({ ...project, settings: null });
  });
});

describe('the list', () => {
  test('has pages, newest first, without settings and remarks, and filters that all have to match', async () => {
    const acme = await a.tenant();
    await create(acme, { ...production, region: 'us-east-1', settings, remarks: 'r' });
    await create(acme, { ...production, name: '100%_sure', region: 'eu-west-1' });
    await create(acme, { ...project, name: 'Product B', region: 'us-central1' });
    const names = async (query: string) =>
      itemsOf(await acme.admin.get(`${accountsOf(acme)}?${query}`)).map(({ name }) => name);
    expect(await names('')).toEqual(['Product B', '100%_sure', 'Production']);
    expect(await names('name=PRODUCT')).toEqual(['Product B', 'Production']);
    expect(await names('name=%25_')).toEqual(['100%_sure']);
    expect(await names('region=US-')).toEqual(['Product B', 'Production']);
    expect(await names('cloud=cloud_a&region=us')).toEqual(['Production']);
    expect(await names('cloud=cloud_b&name=sure')).toEqual([]);
    const page = await acme.admin.get(`${accountsOf(acme)}?results=1&page=3`);
    expect(page.body).toMatchObject({ page: 3, total_results: 3, total_pages: 3 });
    expect(itemsOf(page)).toEqual([
      {
        ...{ ...production, region: 'us-east-1', status: 'active', validated_at: null },
        ...{ id: expect.any(Number) as number },
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      },
    ]);
    expect((await acme.admin.get(`${accountsOf(acme)}?cloud=cloud_c`)).status).toBe(400);
  });
});

test('of two creates of one name at once the second is refused; a retry is given the first answer', async () => {
  const acme = await a.tenant();
  const answers = await acme.race((to) => to.post(accountsOf(acme), production));
  expect(answers).toEqual(['201', '409 name_taken']);
  const [first] = await sendTwice(acme.admin, 'POST', accountsOf(acme), { ...project, settings: null });
  expect(first.status).toBe(201);
});

test('what is secret of an account stands nowhere in clear', async () => {
  const acme = await a.tenant();
  const retried = { 'idempotency-key': 'account-2' };
  await acme.admin.request('POST', accountsOf(acme), { ...production, settings }, retried);
  const stored = await a.everythingStored();
  expect(stored).toContain('Production');
  expect(stored).not.toContain(externalId);
  expect(stored).not.toContain(settings.cloud_a.identity_arn);
});

test('accounts go with their tenant', async () => {
  const acme = await a.tenant();
  await create(acme);
  expect((await acme.admin.delete(acme.path)).status).toBe(204);
  expect(await on.sql('SELECT 1 FROM cloud_accounts WHERE tenant_id = $1', [acme.id])).toEqual([]);
});
