import { CreateSubnetCommand, CreateVpcCommand, DescribeImagesCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  CreateAccessKeyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  IAMClient,
  PutRolePolicyCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { testAws, type TestAws } from '@sluice/testing';
import { faultyCloud, type FaultyCloud } from '#test/faulty-cloud.ts';
import { accessCheck } from './check-access.ts';

const region = 'us-east-1';
const former = { ...process.env };
const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL'];
let aws: TestAws | null;
let cloud: FaultyCloud;
let iam: IAMClient;
let check: ReturnType<typeof accessCheck>;
let vpc_id = '';
let empty = '';

const policy = (...actions: string[]) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
  });
const all = [
  ...['ec2:DescribeVpcs', 'ec2:DescribeSubnets', 'ec2:DescribeInstances', 'ec2:DescribeVolumes'],
  'ec2:DescribeSnapshots',
  ...['ec2:DescribeSecurityGroups', 'ec2:DescribeImages', 'ec2:CreateSecurityGroup', 'ec2:CreateVolume'],
  ...['ec2:RunInstances', 'ec2:CreateTags'],
];
const allow = (...actions: string[]) =>
  iam.send(
    new PutRolePolicyCommand({ RoleName: 'sluice', PolicyName: 'p', PolicyDocument: policy(...actions) }),
  );

async function aUser(UserName: string, ...actions: string[]) {
  await iam.send(new CreateUserCommand({ UserName }));
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'p', PolicyDocument: policy(...actions) }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  return { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' };
}

beforeAll(async () => {
  aws = await testAws();
  if (!aws) return;
  cloud = await faultyCloud(aws.endpoint);
  const any = { accessKeyId: 'any', secretAccessKey: 'any' };
  iam = new IAMClient({ region, endpoint: aws.endpoint, credentials: any });
  const ec2 = new EC2Client({ region, endpoint: aws.endpoint, credentials: any });
  const aVpc = async () => {
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.20.0.0/16' }));
    return Vpc?.VpcId ?? '';
  };
  vpc_id = await aVpc();
  await ec2.send(new CreateSubnetCommand({ VpcId: vpc_id, CidrBlock: '10.20.1.0/24' }));
  empty = await aVpc();
  const { Images } = await ec2.send(new DescribeImagesCommand({}));
  const admin = await aUser('admin', '*');
  const own = await aUser('region', 'sts:AssumeRole');
  await iam.send(
    new CreateRoleCommand({ RoleName: 'sluice', AssumeRolePolicyDocument: policy('sts:AssumeRole') }),
  );
  await allow(...all);
  iam.destroy();
  ec2.destroy();
  iam = new IAMClient({ region, endpoint: aws.endpoint, credentials: admin });
  // from now on each request needs a right
  await fetch(`${aws.endpoint}/moto-api/reset-auth`, { method: 'POST', body: '0' });
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: own.accessKeyId,
    AWS_SECRET_ACCESS_KEY: own.secretAccessKey,
    AWS_ENDPOINT_URL: cloud.url,
  });
  check = accessCheck({ region, image: Images?.[0]?.ImageId ?? '' });
}, 400_000);
beforeEach(() => {
  // the server gives sessions to whoever asks; here it looks at the external id, as the cloud does
  if (cloud)
    cloud.fate = (action, parameters) =>
      action === 'AssumeRole' && parameters.get('ExternalId') !== 'theirs' ? 'deny' : 'pass';
});
afterAll(async () => {
  for (const name of names)
    if (former[name] === undefined) delete process.env[name];
    else process.env[name] = former[name];
  iam?.destroy();
  await cloud?.close();
  await aws?.stop();
});

const ask = (more: { external_id?: string; vpc_id?: string } = {}) =>
  check(
    {
      account_id: '123456789012',
      identity_arn: 'arn:cloud_a:iam::123456789012:role/sluice',
      ...{ external_id: 'theirs', vpc_id, ...more },
    },
    7,
    AbortSignal.timeout(60_000),
  );
/** A test that needs the server; a machine without Python has said that it leaves these out. */
const onAws = (name: string, run: () => Promise<void>) =>
  test(
    name,
    async () => {
      if (aws) await run();
    },
    90_000,
  );

onAws('an access that has all is right, and nothing is made by trying it', async () => {
  expect(await ask()).toEqual({ unchecked: [] });
  const kept = cloud.changes.filter((action) => action !== 'AssumeRole');
  expect(new Set(kept)).toEqual(new Set(['CreateSecurityGroup', 'CreateVolume', 'RunInstances']));
});

onAws(
  'a role that does not let itself be assumed by this external id is told, and so is one that asks for none',
  async () => {
    expect(await ask({ external_id: 'another' })).toEqual({
      error: expect.stringMatching(/role .*cannot be assumed with the external id another/) as string,
      unchecked: ['network', 'permissions'],
    });
    cloud.fate = () => 'pass';
    expect((await ask()).error).toMatch(/can be assumed without an external id/);
  },
);

onAws('a VPC that is not there, or has no subnet, is told', async () => {
  expect(await ask({ vpc_id: 'vpc-0123456789abcdef0' })).toMatchObject({
    error: 'there is no VPC vpc-0123456789abcdef0 in this region',
  });
  expect(await ask({ vpc_id: empty })).toMatchObject({ error: `the VPC ${empty} has no subnet` });
});

onAws('each permission that is missing is named', async () => {
  await allow(...all.filter((action) => !/RunInstances|DescribeVolumes/.test(action)));
  expect(await ask()).toEqual({
    error: 'the role lacks compute:DescribeVolumes, compute:RunInstances',
    unchecked: [],
  });
  await allow(...all);
  expect(await ask()).toEqual({ unchecked: [] });
});

onAws('a cloud that does not answer says nothing about the access', async () => {
  cloud.fate = () => 'throttle';
  expect(await ask()).toMatchObject({ error: expect.stringMatching(/could not be asked/) as string });
});
