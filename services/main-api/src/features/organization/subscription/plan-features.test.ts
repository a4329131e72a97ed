import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventTypes } from '@sluice/contracts';
import { eventually, testFolder } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import { catalogueFile } from '#test/settings.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { CATALOGUE_CHECK_SECONDS: '0.05' } });
on.beforeStart(async () => {
  on.environment['CATALOGUE_FILE'] = join(await testFolder(), 'catalogue.yaml');
  await writeFile(file(), await readFile(catalogueFile, 'utf8'));
});
const region = on.region();
const a = on.tenants();
const file = () => on.environment['CATALOGUE_FILE'] ?? '';

/** What was published of a tenant's audit log, by version. */
const publishedOf = ({ id }: TestTenant) =>
  region
    .eventsOf('tenant_features_updated', { tenant_id: id })
    .map(({ data }) => eventTypes.tenant_features_updated.data.parse(data))
    .map(({ version, features: { audit_retention_days: days, audit_export_enabled: exports } }) => [
      version,
      days,
      exports,
    ]);

const change = ({ admin, path }: TestTenant, plan: string) => admin.put(`${path}/subscription`, { plan });

test('a change of plan is published at once, in order', async () => {
  const acme = await a.tenant({ plan: 'pro' });
  expect((await change(acme, 'enterprise')).status).toBe(204);
  expect((await change(acme, 'basic')).status).toBe(204);
  await eventually(() =>
    expect(publishedOf(acme)).toEqual([
      [1, 365, true],
      [2, 7, false],
    ]),
  );
});

test('a change of the catalogue is published for the tenants that it concerns, once by two replicas', async () => {
  const acme = await a.tenant({ plan: 'pro' });
  const small = await a.tenant({ plan: 'basic' });
  expect((await change(small, 'pro')).status).toBe(204);
  const catalogue = await readFile(file(), 'utf8');
  await writeFile(file(), catalogue.replaceAll(/audit_retention_days: 90\b/g, 'audit_retention_days: 120'));
  for (const tenant of [acme, small])
    await eventually(() => expect(publishedOf(tenant).at(-1)?.slice(1)).toEqual([120, false]));
  await writeFile(file(), catalogue);
  await eventually(() => expect(publishedOf(acme).at(-1)?.slice(1)).toEqual([90, false]));
  const days = publishedOf(small).map(([, days]) => days);
  expect(days.filter((one, place) => one === days[place - 1])).toEqual([]);
});
