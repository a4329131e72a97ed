import { byocService } from './byoc.service.ts';

const here = byocService({ cloud: 'cloud_a', region: 'us-east-1' });
type Access = Parameters<typeof here.validate>[1];
const unlimited = new AbortController().signal;
const validate = (access: Access) => here.validate(7, access, unlimited);
const role = {
  cloud: 'cloud_a' as const,
  region: 'us-east-1',
  account_id: '123456789012',
  identity_arn: 'arn:cloud_a:iam::123456789012:role/streaming/sluice',
  external_id: '3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b',
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
  expect(await there.validate(7, project, unlimited)).toMatchObject({ valid: true });
  for (const wrong of [{ external_id: 'x' }, { account_id: 'Acme' }, { identity_arn: 'me' }, { vpc_id: '-' }])
    expect(await there.validate(7, { ...project, ...wrong }, unlimited)).toMatchObject({ valid: false });
});

test('where nodes are made through the cloud, what it says to a trial is told; what is written wrong is not tried', async () => {
  const tried: unknown[] = [];
  const trying = byocService({ cloud: 'cloud_a', region: 'us-east-1' }, async (access, tenant) => {
    tried.push([access.vpc_id, tenant]);
    return access.vpc_id === 'vpc-1'
      ? { unchecked: [] }
      : { error: 'there is no VPC', unchecked: ['permissions'] };
  });
  expect(await trying.validate(7, { ...role, vpc_id: 'vpc-1' }, unlimited)).toEqual({
    valid: true,
    unchecked: [],
  });
  expect(await trying.validate(7, { ...role, vpc_id: 'vpc-2' }, unlimited)).toEqual({
    ...{ valid: false, error: 'there is no VPC', unchecked: ['permissions'] },
  });
  await trying.validate(7, { ...role, account_id: '1' }, unlimited);
  expect(tried).toEqual([
    ['vpc-1', 7],
    ['vpc-2', 7],
  ]);
});
