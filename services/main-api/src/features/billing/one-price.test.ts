import { readFile } from 'node:fs/promises';
import { cloudNames, priceTermsOf, type Tier } from '@sluice/contracts';
import { mainApi } from '#test/main-api.ts';
import { catalogueFile } from '#test/settings.ts';
import { parseCatalogue } from '@sluice/catalogue/catalogue';
import { monthlyCost, monthlyPrice, type PricedShape } from '@sluice/catalogue/prices';

const on = mainApi({ replicas: 1 });
const a = on.tenants();

const catalogue = parseCatalogue(catalogueFile, await readFile(catalogueFile, 'utf8'));
const list = { number: 1, terms: priceTermsOf(catalogue) };

/** Every tier, cloud, number of nodes and type of storage of the catalogue, with options that cost something. */
function* shapes(): Generator<PricedShape> {
  for (const { key: tier, storage, storages } of catalogue.tiers)
    for (const cloud of cloudNames())
      for (const type of storages)
        for (const nodes of [1, 2, 3, 5, 20])
          for (const size of type === 'local_ssd' ? [null] : [storage.size, storage.max_size - 3])
            for (const options of [
              { target_network_tput: null, availability_mode: 'single_az', telemetry_days: 7 } as const,
              { target_network_tput: 777, availability_mode: 'multi_az', telemetry_days: 31 } as const,
            ])
              yield { ...{ tier, cloud, nodes, storage: { type, size } }, ...options };
}

test('730 hours cost the preview for every shape in the catalogue, by the sums of main-api, to the cent', async () => {
  const all = [...shapes()];
  expect(new Set(all.map(({ tier }): Tier => tier)).size).toBe(9);
  expect(all.length).toBeGreaterThan(500);
  const acme = await a.tenant();
  const rows = all.map((shape, position) => ({
    id: position + 1,
    ...shape,
    price: monthlyPrice(list, shape)!,
  }));
  await on.sql(
    `INSERT INTO billed_deployments (uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
       environment_name, cloud, region)
     SELECT gen_random_uuid(), id, $1, 1, 1, 'd' || id, 'd', 'e', cloud, 'r'
     FROM jsonb_to_recordset($2::jsonb) AS shape (id bigint, cloud text)`,
    [acme.id, JSON.stringify(rows)],
  );
  // in three intervals, of which two are of odd seconds
  await on.sql(
    `INSERT INTO usage_intervals
     SELECT b.id, timestamptz '2026-03-01Z' + f * interval '1 second', timestamptz '2026-03-01Z' + t * interval '1 second',
       (price ->> 'compute')::bigint, (price ->> 'storage')::bigint, (price ->> 'network')::bigint,
       (price ->> 'telemetry')::bigint, (price ->> 'data_retention')::bigint, tier, nodes, storage ->> 'type', NULL, 1
     FROM jsonb_to_recordset($2::jsonb) AS shape (id bigint, price jsonb, tier text, nodes int, storage jsonb)
     JOIN billed_deployments b ON b.deployment_id = shape.id AND b.tenant_id = $1,
     (VALUES (0, 1), (1, 1234567), (1234567, 730 * 3600)) AS part (f, t)`,
    [acme.id, JSON.stringify(rows)],
  );
  const { body } = await acme.admin.get(`${acme.path}/billing/reports/202603`);
  const { lines } = body as { lines: { deployment: { id: number }; total_usd: string; breakdown: object }[] };
  expect(lines).toHaveLength(all.length);
  for (const { deployment, total_usd, breakdown } of lines) {
    const shape = all[deployment.id - 1]!;
    const preview = monthlyCost(list, shape)!;
    const parts = Object.entries(preview.breakdown).map(([part, amount]) => [part, `${amount}0000`]);
    expect([shape, total_usd, breakdown]).toEqual([
      shape,
      preview.monthly_total_usd,
      Object.fromEntries(parts),
    ]);
  }
}, 60_000);
