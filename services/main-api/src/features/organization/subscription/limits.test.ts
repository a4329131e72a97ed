import { client } from '@sluice/testing';
import { listOf, mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
on.region();
const a = on.tenants();

/** What is sent to add one of something. */
interface Addition {
  path: string;
  body: object;
}
type Add = (tenant: TestTenant, number: number) => Addition;

const division: Add = ({ path }, number) => ({ path: `${path}/divisions`, body: { name: `d ${number}` } });
const environment: Add = ({ path, division }, number) => ({
  path: `${path}/divisions/${division}/environments`,
  body: { name: `e ${number}` },
});
const role: Add = ({ path }, number) => ({
  path: `${path}/roles`,
  body: { name: `r ${number}`, permissions: {} },
});
const apiKey: Add = ({ path, roles }, number) => ({
  path: `${path}/api_keys`,
  body: {
    name: `k ${number}`,
    role_id: roles.viewer,
    expiry_at: new Date(Date.now() + 60 * 60 * 1000).toISOString(),
  },
});
const invitation: Add = ({ path, roles }, number) => ({
  path: `${path}/invitations`,
  body: { email: `i${number}@example.com`, roles: [roles.viewer] },
});

const cloudAccount: Add = ({ path }, number) => ({
  path: `${path}/cloud_accounts`,
  body: { cloud: 'cloud_a', name: `a ${number}`, account_id: '123456789012' },
});

/** Has fifty added at once, by both replicas. @returns why those that were not added were refused */
async function addFifty(tenant: TestTenant, add: Add): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, number) => {
      const { path, body } = add(tenant, number);
      return client(on.replica(number % 2).url, tenant.key).post(path, body);
    }),
  );
  const refusals = answers.filter(({ status }) => status === 409);
  return [...new Set(refusals.map(({ body }) => JSON.stringify([body['code'], body['limit']])))];
}

const limitReached = (name: string, value: number) => JSON.stringify(['limit_reached', { name, value }]);

/** How many rows there are of a tenant. */
async function countIn(table: string, { id }: TestTenant): Promise<number> {
  const [row] = await on.sql(`SELECT count(*) FROM ${table} AND tenant_id = $1`, [id]);
  return Number(row?.['count']);
}

const limitOf = async ({ admin, path }: TestTenant, name: string) =>
  listOf(await admin.get(`${path}/limits`)).find((limit) => limit['name'] === name);

const roles = "roles WHERE kind = 'custom'";

// a tenant begins with a division and a key, which count
test.each([
  ['basic', 'divisions_limit', 2, division, 'divisions WHERE true'],
  ['pro', 'divisions_limit', 5, division, 'divisions WHERE true'],
  ['enterprise', 'divisions_limit', 10, division, 'divisions WHERE true'],
  ['basic', 'environments_per_division_limit', 2, environment, 'environments WHERE true'],
  ['pro', 'environments_per_division_limit', 3, environment, 'environments WHERE true'],
  ['enterprise', 'environments_per_division_limit', 5, environment, 'environments WHERE true'],
  ['basic', 'roles_limit', 2, role, roles],
  ['pro', 'roles_limit', 20, role, roles],
  ['basic', 'api_keys_limit', 3, apiKey, 'api_keys WHERE true'],
  ['pro', 'api_keys_limit', 10, apiKey, 'api_keys WHERE true'],
  ['basic', 'invitations_limit', 10, invitation, 'invitations WHERE true'],
  ['basic', 'cloud_accounts_limit', 0, cloudAccount, 'cloud_accounts WHERE true'],
  ['pro', 'cloud_accounts_limit', 5, cloudAccount, 'cloud_accounts WHERE true'],
] as const)('on %s, %s lets %i be, of fifty more at once', async (plan, name, value, add, table) => {
  const acme = await a.tenant({ plan });
  expect(await addFifty(acme, add)).toEqual([limitReached(name, value)]);
  expect(await countIn(table, acme)).toBe(value);
  expect(await limitOf(acme, name)).toMatchObject({ limit: value, used: value });
});

test('the list of limits has all that can be reached, and null for what only regions count', async () => {
  const acme = await a.tenant();
  await acme.starter();
  expect(await limitOf(acme, 'deployment_tiers.free')).toEqual({
    ...{ name: 'deployment_tiers.free', scope: 'tenant', limit: 1, used: 1 },
  });
  expect(await limitOf(acme, 'deployment_access_rules_limit')).toMatchObject({
    scope: 'deployment',
    used: null,
  });
  expect(await limitOf(acme, 'connector_instances_per_deployment')).toMatchObject({ limit: 100, used: 0 });
  expect(await limitOf(acme, 'audit_retention_days')).toBeUndefined();
  const channel = { channel: 'email', name: 'ops', destination: 'ada@example.com' };
  const id = await acme.add(`${acme.path}/channels`, channel);
  await acme.add(`${acme.path}/channels/${id}/subscriptions`, { message_types: ['division_created'] });
  expect(await limitOf(acme, 'notification_channels_limit')).toMatchObject({ scope: 'tenant', used: 1 });
  expect(await limitOf(acme, 'notification_subscriptions_limit')).toMatchObject({
    scope: 'channel',
    used: 1,
  });
});

test('on basic, three environments fit into two divisions, of fifty at once', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  const second = await acme.add(`${acme.path}/divisions`, { name: 'second' });
  const inEither: Add = (tenant, number) => {
    const { path, body } = environment(tenant, number);
    return { path: number % 4 < 2 ? path : path.replace(`${acme.division}/env`, `${second}/env`), body };
  };
  expect(await addFifty(acme, inEither)).toContain(limitReached('environments_limit', 3));
  expect(await countIn('environments WHERE true', acme)).toBe(3);
});

test('on basic, ten can be members, of fifty who are let in at once', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  const domain = `acme-${acme.id}.com`;
  await on.sql('UPDATE tenants SET email_domain = $2 WHERE id = $1', [acme.id, domain]);
  const requests = await on.sql(
    `WITH people AS (
       INSERT INTO users (name, email) SELECT 'Guest', n || '@' || $2 FROM generate_series(1, 50) n RETURNING id, email),
     identified AS (INSERT INTO identities (user_id, source, subject, email) SELECT id, 'test', email, email FROM people)
     INSERT INTO join_requests (tenant_id, user_id) SELECT $1, id FROM people RETURNING id`,
    [acme.id, domain],
  );
  const answers = await Promise.all(
    requests.map(({ id }, number) =>
      client(on.replica(number % 2).url, acme.key).put(`${acme.path}/join_requests/${Number(id)}/approve`),
    ),
  );
  expect(await countIn('memberships WHERE true', acme)).toBe(10);
  const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body['limit']);
  expect(refused).toEqual(Array(41).fill({ name: 'members_limit', value: 10 }));
});

test('what was agreed with a tenant on enterprise stands in place of the limit', async () => {
  const acme = await a.tenant({ plan: 'enterprise', overrides: { roles_limit: 3 } });
  expect(await addFifty(acme, role)).toEqual([limitReached('roles_limit', 3)]);
  expect(await countIn(roles, acme)).toBe(3);
});

test('on other plans nothing was agreed', async () => {
  const acme = await a.tenant({ plan: 'basic', overrides: { roles_limit: 3, byoc_enabled: true } });
  expect((await acme.admin.get(acme.path)).body['features']).toMatchObject({
    roles_limit: 2,
    byoc_enabled: false,
  });
});
