import { bodyOf, byocBodyOf, emptyValues, limitsFor, previewOf, regionOf } from './create-values.ts';

const values = { ...emptyValues, name: ' orders ', place: 'cloud_a/us-east-1' };

test('what is as the tier has it is not sent', () => {
  expect(bodyOf(values)).toEqual({
    name: 'orders',
    cloud: 'cloud_a',
    region: 'us-east-1',
    tier: 'small',
    cluster: 'standalone',
  });
});

test('what was chosen is sent', () => {
  const chosen = {
    ...values,
    storage_type: 'network_balanced' as const,
    storage_size: '200',
    multi_az: true,
    public_ip: false,
    telemetry_days: '30',
    spend_limit: '99.90',
    labels: 'team=payments',
  };
  expect(bodyOf(chosen)).toMatchObject({
    storage: { type: 'network_balanced', size: 200 },
    availability_mode: 'multi_az',
    public_ip_enabled: false,
    retention: { telemetry_days: 30 },
    spend_limit: 99.9,
    labels: { team: 'payments' },
  });
  expect(previewOf({ ...chosen, cluster: 'cluster' })).toMatchObject({
    nodes: 3,
    storage: { size: 200 },
  });
});

test('local storage has no size, and nothing can be sent before a region is chosen', () => {
  expect(bodyOf({ ...values, storage_type: 'local_ssd', storage_size: '10' })?.storage).toEqual({
    type: 'local_ssd',
  });
  expect(bodyOf(emptyValues)).toBeUndefined();
  expect(regionOf('')).toBeUndefined();
});

test('the access to an account stands under its cloud, without what is empty', () => {
  expect(
    byocBodyOf({ ...values, access: { account_id: '123456789012', vpc_id: ' ', vpc_cidr: undefined } }),
  ).toMatchObject({
    cloud_a: { account_id: '123456789012' },
  });
});

test('limits that only regions count are left out', () => {
  const limit = { scope: 'tenant', limit: 3 } as const;
  expect(
    limitsFor(
      [
        { ...limit, name: 'deployment_tiers.small', used: 2 },
        { ...limit, name: 'environments_limit', used: null },
      ],
      'small',
      'Small',
    ),
  ).toEqual([{ name: 'Deployments of the tier Small', used: 2, limit: 3 }]);
});
