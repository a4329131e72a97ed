import { runAdmin } from '@sluice/admin';
import { eventually } from '@sluice/testing';
import { idOf } from '#test/deployments.ts';
import { fieldIssues, mainApi } from '#test/main-api.ts';

const on = mainApi();
const region = on.region();
const a = on.tenants();

const admin = (...args: string[]) => runAdmin(['region', ...args], on.environment);
const place = 'cloud_a/us-east-1';
const free = (limit: number) => ({ overrides: { deployment_tiers: [{ tier: 'free' as const, limit }] } });

test('a drained region refuses creations and keeps its deployments, until it is opened again', async () => {
  const acme = await a.tenant(free(3));
  const other = await a.tenant();
  await acme.starter();
  const listed = async () => (await acme.admin.get(`${acme.path}/clouds/cloud_a/regions`)).body;

  expect(await admin('drain', place, '--reason', 'The site is closed.')).toBe(
    `${place} takes no new deployments; those there continue (1).`,
  );
  expect(await listed()).toMatchObject([{ key: 'us-east-1', available: false }]);
  const refused = await acme.starter();
  expect(fieldIssues(refused)).toEqual(['/body/region not_allowed']);
  expect(JSON.stringify(refused.body)).toContain('takes no new deployments: The site is closed.');
  // its supervisor registers every few minutes
  await region.register();
  expect(await listed()).toMatchObject([{ available: false }]);

  const drained = await eventually(() => {
    const found = region.eventsOf('region_drained', { tenant_id: acme.id });
    expect(found).toHaveLength(1);
    return found;
  });
  expect(drained).toMatchObject([
    { author: null, data: { region: 'us-east-1', reason: 'The site is closed.' } },
  ]);
  expect(region.eventsOf('region_drained', { tenant_id: other.id })).toEqual([]);

  // the second call
  expect(await admin('drain', place, '--reason', 'Again.')).toMatch(
    /is drained since .*; nothing is changed/,
  );
  expect(await admin('list')).toMatch(/^cloud_a\/us-east-1 +drained +1 +.* ago/m);
  await expect(admin('remove', place)).rejects.toThrow('has 1 deployment: their owners');

  expect(await admin('undrain', place)).toBe(`${place} takes new deployments.`);
  expect((await acme.starter()).status).toBe(202);
  await eventually(() => expect(region.eventsOf('region_undrained', { tenant_id: acme.id })).toHaveLength(1));
  await expect(admin('remove', place)).rejects.toThrow("takes deployments: 'region drain' it first");
});

test('a region is removed once it is drained and empty', async () => {
  await eventually(async () => expect(await admin('drain', place)).toContain('takes no new deployments'));
  await on.sql('DELETE FROM deployments');
  expect(await admin('remove', place)).toContain(`${place} is removed.`);
  await expect(admin('remove', place)).rejects.toThrow(`There is no region ${place}: none has registered.`);
  expect(await admin('list')).toBe('There are none.');
  await region.register();
  expect(await admin('list')).toMatch(/^cloud_a\/us-east-1 +open +0 /m);
});

test('no creation slips through while a region is drained, and none that began before is forgotten', async () => {
  const acme = await a.tenant(free(50));
  for (let round = 0; round < 3; round++) {
    const creations = Promise.all(
      Array.from({ length: 8 }, (_, n) => acme.starter({ deployment_name: `d-${round}-${n}` })),
    );
    const said = await admin('drain', place);
    const after = await acme.starter();
    expect(fieldIssues(after)).toEqual(['/body/region not_allowed']);
    const created = (await creations).filter(({ status }) => status === 202).map((answer) => idOf(answer));
    const [row] = await on.sql<{ count: number }>('SELECT count(*)::int FROM deployments');
    expect(said).toContain(`(${row?.count})`);
    expect(created.length).toBeLessThanOrEqual(row?.count ?? 0);
    await admin('undrain', place);
  }
});
