import type { DeploymentId } from '@sluice/contracts';
import { createLog } from '@sluice/service';
import { idOf } from '#test/deployments.ts';
import { mainApi } from '#test/main-api.ts';
import { openDataSource } from '../../data-source.ts';
import { databaseOf } from '@sluice/main-store/database';
import { findDeployments, insertDeployment, type NewDeployment } from '@sluice/main-store/deployments.store';

const on = mainApi({ replicas: 1 });
on.region();
const a = on.tenants();

test('an option that has no column is stored beside those that have, and read as they are', async () => {
  const acme = await a.tenant();
  const id = idOf(await acme.starter()) as DeploymentId;
  const dataSource = await openDataSource(on.databaseUrl, 1, createLog('tests', 'error'));
  const database = databaseOf(dataSource.manager);
  const [starter] = await findDeployments(database, [id]);
  const { tenant_id, division_id, environment_id, variant, cloud, region, area, ...rest } = starter!;
  const place = { tenant_id, division_id, environment_id, variant, cloud, region, area };
  const { tier, cluster, storage_type, storage_size, telemetry_days, availability_mode } = rest;
  const wanted = {
    ...{ ...place, tier, cluster, storage_type, storage_size, telemetry_days, availability_mode },
    ...{ name: 'other', code: 'other', domain: null, protected: false, cloud_access: null },
    ...{ encrypted: false, dedicated: true, public_ip_enabled: false, subdomain_enabled: false },
    ...{ target_network_tput: 7, spend_limit: 12.5, labels: { team: 'a' }, of_a_later_release: 'kept' },
    price_revision: 1,
  } satisfies NewDeployment & object;
  const made = await insertDeployment(database, wanted);
  const [found] = await findDeployments(database, [made!.id]);
  await dataSource.destroy();
  expect(made).toMatchObject(wanted);
  expect(found).toMatchObject(wanted);
});
