import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { client, eventually } from '@sluice/testing';
import { small } from '#test/deployments.ts';
import { fieldIssues, limitReached, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { PAYMENT_REQUIRED: 'true' } });
const second = on.replica(1);
const region = on.region();
const a = on.tenants();

const program = fileURLToPath(new URL('../../../set-plan-overrides.ts', import.meta.url));
const subscription = ({ path }: TestTenant) => `${path}/subscription`;
const change = (tenant: TestTenant, plan: string) => tenant.admin.put(subscription(tenant), { plan });
const planOf = async (tenant: TestTenant) => (await tenant.admin.get(subscription(tenant))).body['plan'];

/** Lets a tenant pay by invoice, until then. */
const invoice = (tenant: TestTenant, until = 'infinity') =>
  on.sql(
    `INSERT INTO payment_methods (tenant_id, kind, valid_to) VALUES ($1, 'invoice', $2)
     ON CONFLICT (tenant_id) DO UPDATE SET valid_to = $2`,
    [tenant.id, until],
  );

const deploy = async (tenant: TestTenant, name: string, more: object = {}) => {
  const environments = `${tenant.divisionPath}/environments`;
  const made = await tenant.admin.post(environments, { name });
  return await tenant.admin.post(`${made.headers.get('location')}/deployments/managed`, {
    ...{ ...small, name },
    ...more,
  });
};

describe('a subscription', () => {
  test('is read as the tenant shows it', async () => {
    const acme = await a.tenant();
    const { status, body } = await acme.admin.get(subscription(acme));
    expect(status).toBe(200);
    expect(body).toMatchObject({ plan: 'pro', active: true });
    expect((await acme.admin.get(acme.path)).body['subscription']).toEqual(body);
  });

  test('is read and changed by those who may', async () => {
    const acme = await a.tenant();
    const reader = await acme.member({ tenant: ['subscription:read'] });
    expect((await reader.get(subscription(acme))).status).toBe(200);
    expect(refusal(await reader.put(subscription(acme), { plan: 'basic' }))).toBe('403 forbidden');
    const other = await acme.member({ tenant: ['info:manage', 'billing:manage'] });
    expect(refusal(await other.get(subscription(acme)))).toBe('403 forbidden');
    const manager = await acme.member({ tenant: ['subscription:manage'] });
    expect((await manager.put(subscription(acme), { plan: 'enterprise' })).status).toBe(204);
  });

  test('changes at once, with an event', async () => {
    const acme = await a.tenant();
    const changed = await change(acme, 'enterprise');
    expect(changed.status).toBe(204);
    expect((await acme.admin.get(acme.path)).body).toMatchObject({
      subscription: { plan: 'enterprise' },
      features: { divisions_limit: 10, dedicated_enabled: true },
    });
    const event = await region.event('subscription_updated', changed.headers);
    expect(event).toMatchObject({
      tenant_id: acme.id,
      author: { id: acme.owner.id },
      data: { changes: { plan: 'enterprise' }, former: { plan: 'pro' } },
    });
  });

  test('that is in force already changes nothing', async () => {
    const acme = await a.tenant();
    expect((await change(acme, 'pro')).status).toBe(204);
    await change(acme, 'enterprise');
    await eventually(() => expect(changesOf(acme)).toEqual(['enterprise']));
  });

  test('changes once for one Idempotency-Key', async () => {
    const acme = await a.tenant();
    const send = (plan: string) =>
      acme.admin.request('PUT', subscription(acme), { plan }, { 'idempotency-key': 'k' });
    expect((await send('enterprise')).status).toBe(204);
    await change(acme, 'pro');
    const again = await send('enterprise');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
    expect(await planOf(acme)).toBe('pro');
    expect(refusal(await send('basic'))).toBe('409 idempotency_key_reused');
  });

  test.each([
    [{ plan: 'gold' }, ['/body/plan not_allowed']],
    [{ plan: null }, ['/body/plan wrong_type', '/body/plan not_allowed']],
    [{}, ['/body/plan required']],
  ])('%j is refused', async (body, issues) => {
    const acme = await a.tenant();
    const answer = await acme.admin.put(subscription(acme), body);
    expect(fieldIssues(answer)).toEqual(issues);
  });

  test('sends the new limits of deployments to their regions', async () => {
    const acme = await a.tenant();
    const made = await acme.starter();
    const id = Number(made.body['id']);
    expect((await region.shape(id)).deployment.limits.access_rules).toBe(10);
    await change(acme, 'enterprise');
    await eventually(async () =>
      expect(await region.shape(id)).toMatchObject({
        generation: 2,
        deployment: { limits: { access_rules: 100, snapshots: 20, snapshot_days: 90 } },
      }),
    );
  });
});

const changesOf = (tenant: TestTenant) =>
  region
    .eventsOf('subscription_updated', { tenant_id: tenant.id })
    .map(({ data }) => (data as { changes: { plan: string } }).changes.plan);

describe('a smaller plan', () => {
  test('is refused while the tenant has more than it allows, naming all that is too much', async () => {
    const acme = await a.tenant({ plan: 'enterprise' });
    await fill(acme);
    const refused = await change(acme, 'basic');
    expect(refusal(refused)).toBe('409 limit_reached');
    const over = (name: string, limit: number, used: number) => ({ name, limit, used, excess: used - limit });
    expect(refused.body['exceeded']).toEqual([
      over('divisions_limit', 2, 3),
      over('environments_limit', 3, 5),
      over('environments_per_division_limit', 2, 4),
      over('members_limit', 10, 12),
      over('pending_invitations_limit', 10, 11),
      over('roles_limit', 2, 3),
      over('divisions_per_role_limit', 2, 3),
      over('api_keys_limit', 3, 5),
      over('api_key_allowed_ips_limit', 5, 6),
      over('cloud_accounts_limit', 0, 1),
      over('concurrent_deployments_limit', 1, 2),
      over('multi_az_enabled', 0, 1),
      over('dedicated_enabled', 0, 1),
      over('deployment_tiers.small', 1, 2),
    ]);
    expect(refused.body['limit']).toEqual({ name: 'divisions_limit', value: 2 });
    expect(refused.body['detail']).toContain('divisions_limit (3 of 2)');
    expect(await planOf(acme)).toBe('enterprise');
    // pro has room for all of it but dedicated machines
    const almost = await change(acme, 'pro');
    expect(almost.body['exceeded']).toEqual([
      over('environments_per_division_limit', 3, 4),
      over('dedicated_enabled', 0, 1),
    ]);
  });

  test('is taken once nothing is too much any more', async () => {
    const acme = await a.tenant();
    const extra = await Promise.all(
      ['one', 'two'].map((name) => acme.admin.post(`${acme.path}/divisions`, { name })),
    );
    expect((await change(acme, 'basic')).body['exceeded']).toEqual([
      { name: 'divisions_limit', limit: 2, used: 3, excess: 1 },
    ]);
    await acme.admin.delete(extra[0]?.headers.get('location') ?? '');
    expect((await change(acme, 'basic')).status).toBe(204);
    expect(refusal(await acme.admin.post(`${acme.path}/divisions`, { name: 'three' }))).toBe(
      '409 limit_reached',
    );
  });

  test('counts channels, and the subscriptions of one', async () => {
    const acme = await a.tenant();
    for (const name of ['one', 'two']) {
      const channel = { channel: 'email', name, destination: 'ada@example.com' };
      const id = await acme.add(`${acme.path}/channels`, channel);
      const subscriptions = Array(name === 'two' ? 4 : 1).fill({ message_types: ['division_created'] });
      await acme.admin.put(`${acme.path}/channels/${id}/subscriptions`, { subscriptions });
    }
    expect((await change(acme, 'basic')).body['exceeded']).toEqual([
      { name: 'notification_channels_limit', limit: 1, used: 2, excess: 1 },
      { name: 'notification_subscriptions_limit', limit: 3, used: 4, excess: 1 },
    ]);
  });

  test('is not hindered by how many were invited in the last days, which then counts', async () => {
    const acme = await a.tenant();
    const invite = (number: number) =>
      acme.admin.post(`${acme.path}/invitations`, { email: `i${number}@example.com` });
    for (let number = 1; number <= 12; number++)
      await acme.admin.delete(String((await invite(number)).headers.get('location')));
    expect((await change(acme, 'basic')).status).toBe(204);
    expect((await invite(13)).body).toMatchObject(limitReached('invitations_limit', 10));
  });

  test('does not give what was agreed for enterprise', async () => {
    const acme = await a.tenant({ plan: 'enterprise', overrides: { roles_limit: 200, divisions_limit: 1 } });
    await on.sql(
      `INSERT INTO roles (tenant_id, kind, name, permissions)
       SELECT $1, 'custom', 'r' || n, '{}' FROM generate_series(1, 21) n`,
      [acme.id],
    );
    expect((await change(acme, 'pro')).body['exceeded']).toEqual([
      { name: 'roles_limit', limit: 20, used: 21, excess: 1 },
    ]);
  });

  test('and what it has no room for do not both come about at once', async () => {
    const acme = await a.tenant();
    await acme.admin.post(`${acme.path}/divisions`, { name: 'second' });
    const answers = await a.atOnce(acme.id, [
      () => change(acme, 'basic'),
      () => client(second.url, acme.key).post(`${acme.path}/divisions`, { name: 'third' }),
    ]);
    expect([
      [204, 409],
      [409, 201],
    ]).toContainEqual(answers.map(({ status }) => status));
  });

  test('holds for a request that has waited for it', async () => {
    const acme = await a.tenant();
    await acme.admin.post(`${acme.path}/divisions`, { name: 'second' });
    const late = await a.whileLocked(
      [
        ['SELECT 1 FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [acme.id]],
        ["UPDATE subscriptions SET plan = 'basic' WHERE tenant_id = $1", [acme.id]],
      ],
      () => acme.admin.post(`${acme.path}/divisions`, { name: 'third' }),
    );
    expect(late.body).toMatchObject(limitReached('divisions_limit', 2));
  });
});

/** Gives a tenant more of everything than basic has. */
async function fill(acme: TestTenant): Promise<void> {
  await invoice(acme);
  const { admin, path } = acme;
  const divisions = [acme.division];
  for (const name of ['one', 'two'])
    divisions.push(Number((await admin.post(`${path}/divisions`, { name })).body['id']) as never);
  await admin.post(`${path}/cloud_accounts`, { cloud: 'cloud_a', name: 'ours', account_id: '123456789012' });
  // only a cluster can be made in several zones, and the catalogue offers none
  await deploy(acme, 'zones');
  await on.sql(
    "UPDATE deployments SET availability_mode = 'multi_az' WHERE tenant_id = $1 AND name = 'zones'",
    [acme.id],
  );
  await deploy(acme, 'alone', { dedicated: true });
  for (const name of ['third', 'fourth'])
    await admin.post(`${path}/divisions/${acme.division}/environments`, { name });
  await admin.post(`${path}/divisions/${divisions[1]}/environments`, { name: 'fifth' });
  const overrides = Object.fromEntries(divisions.map((id) => [id, { permissions: ['info:read'] }]));
  for (const name of ['x', 'y', 'z'])
    await admin.post(`${path}/roles`, { name, permissions: { divisions: name === 'x' ? overrides : {} } });
  for (const number of [1, 2, 3, 4])
    await admin.post(`${path}/api_keys`, {
      name: `k${number}`,
      role_id: acme.roles.viewer,
      expiry_at: new Date(Date.now() + 60_000).toISOString(),
      ...(number === 1 && {
        validate_ip: true,
        allowed_ips: [1, 2, 3, 4, 5, 6].map((last) => `192.0.2.${last}`),
      }),
    });
  await on.sql(
    `WITH people AS (
       INSERT INTO users (name, email) SELECT 'Member', $1 || n || '@example.com' FROM generate_series(1, 11) n RETURNING id)
     INSERT INTO memberships (tenant_id, user_id) SELECT $2, id FROM people`,
    [`m${acme.id}-`, acme.id],
  );
  for (let number = 1; number <= 11; number++)
    await admin.post(`${path}/invitations`, { email: `i${number}@example.com`, roles: [acme.roles.viewer] });
}

describe('an agreement', () => {
  const agree = (tenant: TestTenant, agreed: unknown) =>
    promisify(execFile)(process.execPath, [program, String(tenant.id), JSON.stringify(agreed)], {
      env: on.environment,
    });

  test('is in force at once, also in the regions', async () => {
    const acme = await a.tenant({ plan: 'enterprise', overrides: { members_limit: 7 } });
    const starter = await acme.starter();
    const agreed = { deployment_access_rules_limit: 250, deployment_tiers: [{ tier: 'large', limit: 50 }] };
    const { stdout } = await agree(acme, agreed);
    const features = (await acme.admin.get(acme.path)).body['features'] as Record<string, unknown>;
    expect(JSON.parse(stdout)).toEqual(features);
    expect(features).toMatchObject({ deployment_access_rules_limit: 250, members_limit: 1000 });
    expect(features['deployment_tiers']).toContainEqual({ tier: 'large', limit: 50 });
    await eventually(async () =>
      expect((await region.shape(Number(starter.body['id']))).deployment.limits.access_rules).toBe(250),
    );
    await eventually(() =>
      expect(region.events).toContainEqual(
        expect.objectContaining({
          tenant_id: acme.id,
          author: null,
          data: { changes: { agreed }, former: { agreed: { members_limit: 7 } } },
        }),
      ),
    );
  });

  test('of what cannot be agreed, or on another plan, is refused', async () => {
    const acme = await a.tenant();
    const stderr = (why: string) => expect.stringContaining(why) as string;
    const refused = (why: string) => ({ code: 1, stdout: '', stderr: stderr(why) });
    await Promise.all([
      expect(agree(acme, { member_limit: 5 })).rejects.toMatchObject(refused('member_limit')),
      expect(agree(acme, { members_limit: 5 })).rejects.toMatchObject(refused('is on the plan pro')),
    ]);
    expect((await acme.admin.get(acme.path)).body['features']).toMatchObject({ members_limit: 100 });
  });
});

describe('a payment method', () => {
  test('is needed to leave the tier free', async () => {
    const acme = await a.tenant();
    const starter = await acme.starter();
    await region.status(Number(starter.body['id']), 1, 'initialized');
    const upgrade = () => acme.admin.post(`${starter.headers.get('location')}/upgrade`, { tier: 'small' });
    expect(refusal(await upgrade())).toBe('409 payment_method_required');
    await invoice(acme);
    expect((await upgrade()).status).toBe(202);
  });

  test('counts while it is valid', async () => {
    const acme = await a.tenant();
    await invoice(acme, '2020-01-01T00:00:00Z');
    expect((await acme.admin.get(acme.path)).body['has_payment_method']).toBe(false);
    expect(refusal(await deploy(acme, 'late'))).toBe('409 payment_method_required');
    await invoice(acme);
    expect((await acme.admin.get(acme.path)).body['has_payment_method']).toBe(true);
    expect((await deploy(acme, 'paid')).status).toBe(202);
  });
});
