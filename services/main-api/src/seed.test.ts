import { client, eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import { Region } from '#test/region.ts';
import { runSeed } from '#test/seed.ts';

const on = mainApi({ per: 'test', replicas: 0 });

test('two runs at once found one tenant, before main-api has ever run, and its key works once it does', async () => {
  const seeded = await Promise.all([runSeed(on), runSeed(on)]);
  const keys = seeded.flatMap(({ api_key }) => api_key ?? []);
  expect(keys).toHaveLength(1);
  const [{ tenant_id, division_id }] = seeded;
  expect(seeded[1]).toMatchObject({ tenant_id, division_id });

  const replica = await on.start();
  const region = new Region(on);
  await region.open();
  const admin = client(replica.url, keys[0]);
  await eventually(async () => expect((await admin.get(`/tenants/${tenant_id}`)).status).toBe(200));
  expect((await admin.get(`/tenants/${tenant_id}`)).body).toMatchObject({
    name: 'Acme',
    email: 'owner@example.com',
    subscription: { plan: 'pro' },
  });
  expect((await admin.get(`/tenants/${tenant_id}/divisions/${division_id}`)).body).toMatchObject({
    name: 'default',
  });
  await eventually(() =>
    expect(region.events.map(({ type, author }) => [type, author?.name])).toEqual([
      ['tenant_created', 'Olivia'],
      ['tenant_features_updated', 'Olivia'],
      ['division_created', 'Olivia'],
      ['api_key_created', 'Olivia'],
    ]),
  );
  expect(new Set(region.events.map(({ correlation_id }) => correlation_id)).size).toBe(1);

  expect(await runSeed(on, { SEED_OWNER_EMAIL: 'another@example.com' })).not.toMatchObject({
    tenant_id,
  });
  const again = await runSeed(on, { SEED_NEW_KEY: 'true' });
  expect(again).toMatchObject({ tenant_id, division_id });
  await eventually(async () =>
    expect(
      (await client(replica.url, again.api_key).get(`/tenants/${tenant_id}/api_keys/context`)).body,
    ).toMatchObject({
      user_id: 1,
      role_name: 'admin',
    }),
  );
  await region.close();
});

test('a run that lacks something says what, and prints nothing else', async () => {
  await expect(runSeed(on, { SEED_OWNER_EMAIL: '' })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('SEED_OWNER_EMAIL: is missing') as string,
  });
});
