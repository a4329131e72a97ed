import { randomUUID } from 'node:crypto';
import {
  AcceptVpcPeeringConnectionCommand,
  CreateVpcCommand,
  DescribeRouteTablesCommand,
  DescribeVpcPeeringConnectionsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { aDeployment, eventually, freePort, testAws, silentAgent } from '@sluice/testing';
import { call, untilGone } from '#test/client.ts';
import { faultyCloud, type FaultyCloud } from '@sluice/driver-cloud-a/testing/fixtures/faulty-cloud.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';

const account = '123456789012';
const credentials = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };
const patience = { timeoutMs: 40_000 };

const region = supervisor({
  environment: {
    ...{ NETWORK_DRIVER: 'cloud_a', DRIVER_NETWORK_SECONDS: '1.5', RECONCILER_LEASE_SECONDS: '1' },
    LOCAL_AGENT_ENTRY: silentAgent,
  },
});
const aws = await testAws();
let cloud: FaultyCloud;
let ec2: EC2Client;
let running: Promise<ReplicaProcess> | undefined;
/** with NETWORK_KILLS=all at each step, else at some: the driver's own tests lose each answer once */
const steps = (some: string[], all: string[]) => (process.env['NETWORK_KILLS'] === 'all' ? all : some);

beforeAll(async () => {
  if (!aws) return;
  cloud = await faultyCloud(aws.endpoint);
  Object.assign(region.environment, credentials, { AWS_ENDPOINT_URL: cloud.url });
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = credentials;
  ec2 = new EC2Client({
    region: 'us-east-1',
    endpoint: aws.endpoint,
    credentials: { accessKeyId, secretAccessKey },
  });
});
afterAll(async () => {
  ec2?.destroy();
  await cloud?.close();
  await aws?.stop();
});

const start = () => (running = freePort().then((port) => region.spawn(port)));

/** Kills the supervisor, as a power cut would, while the cloud does each of these for it, one after the other, and starts another one. */
async function killedDuring(...actions: string[]): Promise<void> {
  const steps = actions.map((action) => ({ action, ...Promise.withResolvers<void>() }));
  let position = 0;
  cloud.fate = async (action) => {
    const step = steps[position];
    if (action !== step?.action) return 'pass';
    position += 1;
    await (await running)?.kill();
    step.resolve();
    return 'lose';
  };
  for (const step of steps) {
    await step.promise;
    await start();
  }
}

/** What the server itself has of peerings and routes by them, and how many VPCs. */
async function atTheCloud() {
  const { VpcPeeringConnections = [] } = await ec2.send(new DescribeVpcPeeringConnectionsCommand({}));
  const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({}));
  const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
  return {
    peerings: VpcPeeringConnections.map(({ Status }) => Status?.Code),
    routes: RouteTables.flatMap(({ Routes = [] }) => Routes)
      .filter(({ VpcPeeringConnectionId }) => VpcPeeringConnectionId !== undefined)
      .map(({ DestinationCidrBlock }) => DestinationCidrBlock),
    vpcs: Vpcs.filter(({ Tags }) => Tags?.some(({ Key }) => Key === 'sluice:deployment')).map(
      ({ CidrBlock }) => CidrBlock,
    ),
  };
}

const cases: [string, () => Promise<void>][] = [
  [
    'a peering on cloud_a comes about, and goes with its deployment, while supervisors are killed at each step',
    async () => {
      await start();
      const key = await region.key();
      const limits = {
        access_rules: 10,
        private_networking: true,
        private_connections: 3,
        private_endpoints: 1,
      };
      const shape = aDeployment({ uid: randomUUID(), tier: 'small', limits });
      await region.apply(shape);
      const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '172.16.0.0/16' }));
      const send = async (options?: { method: string; body: unknown }) =>
        await call(
          `${(await running)?.url}/deployments/${shape.id}/network/cloud_a/vpc_peering`,
          key,
          options,
        );
      const body = {
        name: 'office',
        peer_vpc_id: Vpc?.VpcId,
        peer_owner_id: account,
        peer_vpc_cidr: '172.16.0.0/16',
      };
      const made = killedDuring(
        ...steps(['CreateVpcPeeringConnection'], ['CreateVpc', 'CreateSubnet', 'CreateVpcPeeringConnection']),
      );
      const subnet = await eventually(async () => {
        expect((await send({ method: 'POST', body })).status).toBe(204);
        const [row] = await region.sql<{ subnet: string }>('SELECT subnet FROM deployments');
        return row?.subnet;
      }, patience);
      const shown = async () => ((await send()).body as Record<string, unknown>[])[0];
      const until = (status: string) =>
        eventually(async () => expect(await shown()).toMatchObject({ status }), patience);

      await made;
      await until('pending_acceptance');
      expect(await atTheCloud()).toEqual({ peerings: ['pending-acceptance'], routes: [], vpcs: [subnet] });

      const VpcPeeringConnectionId = String((await shown())?.['peering_connection_id']);
      await ec2.send(new AcceptVpcPeeringConnectionCommand({ VpcPeeringConnectionId }));
      const routed = killedDuring(...steps([], ['CreateRoute']));
      await region.sql('UPDATE network_links SET due_at = now()');
      await routed;
      await until('active');
      expect(await atTheCloud()).toEqual({ peerings: ['active'], routes: ['172.16.0.0/16'], vpcs: [subnet] });

      const gone = killedDuring(
        ...steps(
          ['DeleteVpcPeeringConnection'],
          ['DeleteRoute', 'DeleteVpcPeeringConnection', 'DeleteSubnet', 'DeleteVpc'],
        ),
      );
      await region.remove(shape.id);
      await gone;
      await untilGone((await running)?.url ?? '', key, shape.id, patience.timeoutMs);
      expect(await atTheCloud()).toEqual({ peerings: ['deleted'], routes: [], vpcs: [] });
    },
  ],
];

// a machine without Python has said that it leaves this out
test.each(aws ? cases : [])('%s', (_name, run) => run(), 180_000);
if (!aws) test.skip('links on cloud_a', () => undefined);
