import { mainApi } from '#test/main-api.ts';

const on = mainApi({ replicas: 1 });
on.region();
const a = on.tenants();

test('a tenant shows its plan, with what was agreed in its place', async () => {
  const acme = await a.tenant({
    plan: 'enterprise',
    overrides: { divisions_limit: 42, cluster_enabled: true, deployment_tiers: [{ tier: 'free', limit: 9 }] },
  });
  const { body } = await acme.admin.get(acme.path);
  expect(body).toMatchObject({
    id: acme.id,
    name: 'Acme',
    email: 'acme@example.com',
    protected: false,
    subscription: { plan: 'enterprise', active: true },
    features: {
      divisions_limit: 42,
      environments_limit: 100,
      cluster_enabled: true,
      dedicated_enabled: true,
    },
    has_payment_method: true,
    has_custom_email_domain: false,
  });
  const { deployment_tiers } = body['features'] as { deployment_tiers: unknown[] };
  expect(deployment_tiers).toHaveLength(9);
  expect(deployment_tiers).toContainEqual({ tier: 'free', limit: 9 });
  expect(deployment_tiers).toContainEqual({ tier: 'small', limit: 3 });
});

test("the subscription's present month contains this day, however old it is", async () => {
  const acme = await a.tenant();
  await on.sql("UPDATE subscriptions SET created_at = '2024-01-31T10:00:00Z' WHERE tenant_id = $1", [
    acme.id,
  ]);
  const { body } = await acme.admin.get(acme.path);
  const { valid_from, valid_to } = body['subscription'] as { valid_from: string; valid_to: string };
  expect(Date.parse(valid_from)).toBeLessThanOrEqual(Date.now());
  expect(Date.parse(valid_to)).toBeGreaterThan(Date.now());
});

test('another starter is available until the free tier is used up', async () => {
  const acme = await a.tenant();
  expect((await acme.admin.get(acme.path)).body).toMatchObject({ starter_available: true });
  await acme.starter();
  expect((await acme.admin.get(acme.path)).body).toMatchObject({ starter_available: false });
});

test('ids of tenants that are none are refused', async () => {
  const { admin } = await a.tenant();
  expect((await admin.get('/tenants/9007199254740993')).status).toBe(403);
  for (const id of ['9223372036854775808', '-1', '1.5', 'x'])
    expect((await admin.get(`/tenants/${id}`)).status).toBe(400);
});
