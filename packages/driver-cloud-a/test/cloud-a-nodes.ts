import { randomUUID } from 'node:crypto';
import {
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVolumesCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { idOf, type DeploymentId, type NodeId, type TenantId, type RegionOption } from '@sluice/contracts';
import { testAws, type TestAws } from '@sluice/testing';
import type { RoleOfNode } from '../src/compute/access.ts';
import { createCloudADriver } from '../src/compute/cloud-a-driver.ts';
import {
  tokenMark,
  type ComputeDriver,
  type DriverCall,
  type NetworkRule,
  type NodeShape,
  type NodeToEnsure,
} from '@sluice/drivers';
import { faultyCloud, type FaultyCloud } from './faulty-cloud.ts';

export const region = 'us-east-1';
export const supervisor = 'https://supervisor.example';
const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL'] as const;
const everybody: NetworkRule = { protocols: ['broker_tcp'], cidr_blocks: ['0.0.0.0/0'], valid_to: null };
const tenant_id = idOf<TenantId>(7);

export const call: DriverCall = {
  ...{ fence: 1, signal: new AbortController().signal, confirm: () => Promise.resolve() },
};

/** A node as the reconciler asks for it, whose agent enrols when the test says so. */
export interface CloudNode extends NodeToEnsure {
  shape: NodeShape;
  rules: NetworkRule[];
  tokens: string[];
  enrolled: boolean;
  deployed: boolean;
  options: RegionOption[];
  revoked: boolean;
}

function aNode(id: NodeId, deploymentUid: string): CloudNode {
  const node: CloudNode = {
    ...{ id, deploymentId: idOf<DeploymentId>(Number(id)), deploymentUid, tenantId: tenant_id },
    ...{
      siblings: [id],
      options: [],
      byocDriver: 'cloud_a',
      deployed: false,
      enrolled: false,
      revoked: false,
    },
    shape: { tier: 'small', storage: { type: 'network_balanced', size: 20 }, resources: {} },
    ...{ rules: [everybody], tokens: [], tokenMark: null },
    wanted: () =>
      Promise.resolve({
        ...{ shape: node.shape, shapes: [node.shape], rules: node.rules },
        ...{ isCluster: false, mayRestart: true },
      }),
    hasToken: (token) => token === node.tokens.at(-1),
    issueToken({ anew }) {
      if (node.enrolled && !anew) return Promise.resolve(undefined);
      node.enrolled = false;
      return Promise.resolve(renewToken(node));
    },
  };
  return node;
}

export function renewToken(node: CloudNode): string {
  const token = randomUUID();
  node.tokens.push(token);
  node.tokenMark = tokenMark(token);
  return token;
}

async function aNetwork(ec2: EC2Client) {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.20.0.0/16' }));
  const vpcId = Vpc?.VpcId ?? '';
  await ec2.send(new CreateSubnetCommand({ VpcId: vpcId, CidrBlock: '10.20.1.0/24' }));
  const { Images } = await ec2.send(new DescribeImagesCommand({}));
  return { vpcId, image: Images?.[0]?.ImageId ?? '' };
}

export interface Started {
  aws: TestAws;
  cloud: FaultyCloud;
  ec2: EC2Client;
  vpcId: string;
  image: string;
  driver: ComputeDriver;
}

async function start(aws: TestAws, places: ReadonlyMap<NodeId, RoleOfNode>): Promise<Started> {
  const cloud = await faultyCloud(aws.endpoint);
  Object.assign(process.env, {
    ...{ AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_ENDPOINT_URL: cloud.url },
  });
  const ec2 = new EC2Client({ region, endpoint: aws.endpoint });
  const { vpcId, image } = await aNetwork(ec2);
  const driver = createCloudADriver({
    ...{ region, supervisor, image, now: () => new Date() },
    instanceTypes: { small: 't3.small', medium: 't3.medium' },
    enrolmentCommand: (node, token) => Promise.resolve(`echo enrol ${node} with ${token}`),
    findAccess: (node) => Promise.resolve(places.get(node)),
    listAccesses: () => Promise.resolve([...places.values()]),
  });
  return { aws, cloud, ec2, vpcId, image, driver };
}

/** A driver of instances, its cloud behind requests that can fail, and nodes that it is asked for. */
export function cloudANodes() {
  const former = { ...process.env };
  const places = new Map<NodeId, RoleOfNode>();
  let lastId = 1_000;
  let started: Started | undefined;

  beforeAll(async () => {
    const aws = await testAws();
    if (aws) started = await start(aws, places);
  }, 400_000);
  afterEach(() => {
    if (started)
      Object.assign(started.cloud, { fate: () => 'pass', answer: (_: string, text: string) => text });
  });
  afterAll(async () => {
    for (const name of names)
      if (former[name] === undefined) delete process.env[name];
      else process.env[name] = former[name];
    started?.ec2.destroy();
    await started?.cloud.close();
    await started?.aws.stop();
  });

  return {
    places,
    get started() {
      return started;
    },
    get nextId() {
      return lastId + 1;
    },
    node({ vpcId }: Started): CloudNode {
      const id = idOf<NodeId>((lastId += 1));
      const deployment = randomUUID();
      const access = {
        account_id: '123456789012',
        identity_arn: 'arn:cloud_a:iam::123456789012:role/sluice',
        ...{ external_id: 'theirs', vpc_id: vpcId, vpc_cidr: null },
      };
      places.set(id, { access, deployment, tenant_id, is_public: false });
      return aNode(id, deployment);
    },
    /** A test that needs the server; a machine without Python has said that it leaves these out. */
    test(name: string, run: (started: Started) => Promise<void>) {
      test(
        name,
        async () => {
          if (started) await run(started);
        },
        240_000,
      );
    },
  };
}

export async function atTheCloud({ ec2 }: Started, { id }: Pick<NodeToEnsure, 'id'>) {
  const Filters = [{ Name: 'tag:sluice:node', Values: [String(id)] }];
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
  const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({ Filters }));
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({ Filters }));
  const all = Reservations.flatMap(({ Instances = [] }) => Instances);
  const instances = all.filter(({ State }) => State?.Name !== 'terminated');
  const volumes = Volumes.filter(({ Tags }) => !Tags?.some(({ Key }) => Key === 'sluice:system'));
  return { instances, volumes, groups: SecurityGroups };
}

const observed = ({ driver }: Started, node: CloudNode) => driver.observe(node, call).catch(() => undefined);

const mostLooks = 60;

/** Asks for the node as the reconciler does: what fails is repeated. */
async function until(
  { driver }: Started,
  node: CloudNode,
  isSo: () => Promise<boolean> | boolean,
): Promise<void> {
  let last: unknown;
  for (let looks = 0; looks < mostLooks; looks++) {
    if (await isSo()) return;
    await driver.ensureNode(node, call).catch((error: unknown) => (last = error));
  }
  const is = JSON.stringify(await driver.observe(node, call));
  throw new Error(`it does not become so: ${is} ${String(last)}`, { cause: last });
}

export async function untilStarted(on: Started, node: CloudNode): Promise<void> {
  await until(on, node, async () => /has not enrolled/.test((await observed(on, node))?.waitsFor ?? ''));
}

export async function untilSettled(on: Started, node: CloudNode): Promise<void> {
  await until(on, node, async () => {
    const seen = await observed(on, node);
    return seen?.presence === 'running' && seen.drifted !== true;
  });
}

export async function bringUp(on: Started, node: CloudNode): Promise<void> {
  await untilStarted(on, node);
  node.enrolled = true;
  await untilSettled(on, node);
}

export async function untilGone(on: Started, node: CloudNode): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    if ((await observed(on, node))?.presence === 'none') return;
    await on.driver.removeNode(node.id, call).catch(() => undefined);
  }
  throw new Error('it does not go');
}
