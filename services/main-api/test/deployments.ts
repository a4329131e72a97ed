import { randomUUID } from 'node:crypto';
import { regionOptions } from '@sluice/contracts';
import { eventually, say, type Answer, type ServiceFixture } from '@sluice/testing';
import type { TestTenant } from './tenants.ts';

/** The region that the fixture plays, as a body names it. */
export const place = { cloud: 'cloud_a', region: 'us-east-1' };

/** A managed deployment there. */
export const small = { ...place, name: 'orders', tier: 'small', cluster: 'standalone' };

/** The `…/deployments` of a new environment. */
export async function deploymentsOf(tenant: TestTenant, name = 'production'): Promise<string> {
  const environments = `${tenant.path}/divisions/${tenant.division}/environments`;
  const { body } = await tenant.admin.post(environments, { name });
  return `${environments}/${String(body['id'])}/deployments`;
}

/** The id of a deployment that was created. */
export const idOf = ({ headers }: Answer) => Number(headers.get('svc-deployment'));

/** Resolves once a cloud has a region that takes deployments. */
export async function untilOffered(tenant: TestTenant, cloud = 'cloud_a'): Promise<void> {
  await eventually(async () =>
    expect((await tenant.admin.get(`${tenant.path}/clouds/${cloud}/regions`)).body).toHaveLength(1),
  );
}

/** Registers a region of `cloud_b`, which nobody plays. */
export async function registerCloudB(on: Pick<ServiceFixture, 'nats' | 'topology'>): Promise<void> {
  const sender = 'supervisor/cloud_b/us-central1';
  const options = { managed: [...regionOptions], byoc: [...regionOptions] };
  const data = {
    cloud: 'cloud_b',
    region: 'us-central1',
    supervisor_url: 'http://b.supervisor.test',
    ...{ clusters: false, options, plugins: [] },
  };
  const message = { id: randomUUID(), type: 'region_registered', correlation_id: null, data };
  await say(on, sender, on.topology.subjects.report(sender, 'region_registered'), message);
}
