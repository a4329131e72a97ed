import { randomUUID } from 'node:crypto';
import { idOf, type TenantId } from '@sluice/contracts';
import { call } from '#test/client.ts';
import { supervisor } from '#test/region.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import { byocService } from './byoc.service.ts';

const here = byocService({ cloud: 'cloud_a', region: 'us-east-1' });
type Access = Parameters<typeof here.validate>[1];
const externalId = '3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b';
const caller = { tenantId: idOf<TenantId>(7), externalId };
const unlimited = new AbortController().signal;
const validate = (access: Access) => here.validate(caller, access, unlimited);
const role = {
  cloud: 'cloud_a' as const,
  region: 'us-east-1',
  account_id: '123456789012',
  identity_arn: 'arn:cloud_a:iam::123456789012:role/streaming/sluice',
  external_id: externalId,
  vpc_id: 'vpc-0a1b2c3d',
};

test('an access that says all is valid, and what only the cloud knows is told as not looked at', async () => {
  expect(await validate(role)).toEqual({
    valid: true,
    unchecked: ['role', 'external_id', 'network', 'permissions'],
  });
});

test.each<[Partial<typeof role> & { cloud?: never }, RegExp]>([
  [{ region: 'us-west-1' }, /supervisor of cloud_a us-east-1: ask that of cloud_a us-west-1/],
  [{ account_id: '12345678901' }, /^account_id has to be an account id of 12 digits/],
  [{ identity_arn: 'arn:cloud_a:iam::123456789012:user/me' }, /^identity_arn has to be the ARN of a role/],
  [{ identity_arn: 'arn:cloud_a:iam::210987654321:role/sluice' }, /of another account than account_id/],
  [{ vpc_id: 'vpc 1' }, /^vpc_id has to be/],
])('%j is not', async (wrong, error) => {
  expect(await validate({ ...role, ...wrong })).toEqual({
    valid: false,
    error: expect.stringMatching(error) as string,
    unchecked: [],
  });
});

test('an external id is asked for on cloud_a alone', async () => {
  expect(await validate({ ...role, external_id: undefined })).toMatchObject({
    valid: false,
    error: expect.stringMatching(/missing/) as string,
  });
  const project = {
    cloud: 'cloud_b' as const,
    region: 'us-central1',
    account_id: 'acme-streaming',
    identity_arn: 'sluice@acme-streaming.iam.cloud-b.example',
    vpc_id: 'default',
  };
  const there = byocService({ cloud: 'cloud_b', region: 'us-central1' });
  expect(await there.validate(caller, project, unlimited)).toMatchObject({ valid: true });
  for (const wrong of [{ external_id: 'x' }, { account_id: 'Acme' }, { identity_arn: 'me' }, { vpc_id: '-' }])
    expect(await there.validate(caller, { ...project, ...wrong }, unlimited)).toMatchObject({ valid: false });
});

test('where nodes are made through the cloud, a trial answers what the cloud says; what is written wrong is not tried', async () => {
  const tried: unknown[] = [];
  const trying = byocService({ cloud: 'cloud_a', region: 'us-east-1' }, async (access, tenant) => {
    tried.push([access.vpc_id, tenant]);
    return access.vpc_id === 'vpc-1'
      ? { unchecked: [] }
      : { error: 'there is no VPC', unchecked: ['permissions'] };
  });
  expect(await trying.validate(caller, { ...role, vpc_id: 'vpc-1' }, unlimited)).toEqual({
    valid: true,
    unchecked: [],
  });
  expect(await trying.validate(caller, { ...role, vpc_id: 'vpc-2' }, unlimited)).toEqual({
    ...{ valid: false, error: 'there is no VPC', unchecked: ['permissions'] },
  });
  await trying.validate(caller, { ...role, account_id: '1' }, unlimited);
  // neither is a role by the external id of another tenant, nor while the own is not known
  for (const [wrong, code] of [
    [{ ...role, external_id: randomUUID() }, 'external_id_not_own'],
    [{ ...role, external_id: 'x', account_id: '1' }, 'external_id_not_own'],
  ] as const)
    await expect(trying.validate(caller, wrong, unlimited)).rejects.toMatchObject({ code });
  await expect(trying.validate({ ...caller, externalId: undefined }, role, unlimited)).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(tried).toEqual([
    ['vpc-1', 7],
    ['vpc-2', 7],
  ]);
});

describe('over HTTP', () => {
  const region = supervisor();

  test('the external id of the key’s tenant is taken, and that of another refused', async () => {
    const { url } = await region.startWith({ drivers: simulatedDrivers({}) });
    const key = await region.key('admin', { external_id: externalId });
    const ask = (body: object) =>
      call(`${url}/tenants/1/divisions/1/environments/1/byoc/validate`, key, { method: 'POST', body });
    expect(await ask(role)).toMatchObject({ status: 200, body: { valid: true } });
    expect(await ask({ ...role, external_id: randomUUID() })).toMatchObject({
      status: 400,
      body: { code: 'external_id_not_own' },
    });
  });
});
