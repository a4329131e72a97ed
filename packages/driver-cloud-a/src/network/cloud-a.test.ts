import { randomBytes, randomUUID } from 'node:crypto';
import {
  AcceptVpcPeeringConnectionCommand,
  CreateVpcCommand,
  DeleteVpcPeeringConnectionCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointServiceConfigurationsCommand,
  DescribeVpcEndpointServicePermissionsCommand,
  DescribeVpcPeeringConnectionsCommand,
  DescribeVpcsCommand,
  EC2Client,
  RejectVpcPeeringConnectionCommand,
} from '@aws-sdk/client-ec2';
import {
  DescribeListenersCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { idOf, type DeploymentId, type NetworkLinkId } from '@sluice/contracts';
import { eventually, testAws, type TestAws } from '@sluice/testing';
import { faultyCloud, type FaultyCloud } from '#test/faulty-cloud.ts';
import {
  anyCall as call,
  linksConformance,
  lookUntil,
  removeUntilGone,
  type Fate,
} from '@sluice/drivers/conformance';
import { LinkRefused, type WantedLink } from '@sluice/drivers';
import { cloudADriver } from './driver.ts';

const account = '123456789012';
const region = 'us-east-1';
/** the server's program is slow where others work as well */
const patience = 120_000;
const former = { ...process.env };
let aws: TestAws | null;
let cloud: FaultyCloud;
let ec2: EC2Client;
let balancing: ElasticLoadBalancingV2Client;
let driver: ReturnType<typeof cloudADriver>;

beforeAll(async () => {
  aws = await testAws();
  if (!aws) return;
  cloud = await faultyCloud(aws.endpoint);
  // as an operator sets them: the driver has no settings of its own for these
  const settings = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_ENDPOINT_URL: cloud.url };
  Object.assign(process.env, settings);
  driver = cloudADriver(region);
  const direct = { region, endpoint: aws.endpoint };
  ec2 = new EC2Client(direct);
  balancing = new ElasticLoadBalancingV2Client(direct);
}, 400_000);
afterEach(() => {
  if (cloud) cloud.fate = () => 'pass';
});
afterAll(async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL'])
    if (former[name] === undefined) delete process.env[name];
    else process.env[name] = former[name];
  ec2?.destroy();
  balancing?.destroy();
  await cloud?.close();
  await aws?.stop();
});

/** A test that needs the server; a machine without Python has said that it leaves these out. */
const onAws = (name: string, run: () => Promise<void>) =>
  test(
    name,
    async () => {
      if (aws) await run();
    },
    patience,
  );

const hex = () => randomBytes(8).toString('hex');
let subnets = 0;

type Deployment = WantedLink['deployment'];
const aDeployment = (): Deployment => ({
  id: idOf<DeploymentId>((subnets += 1)),
  uid: randomUUID(),
  subnet: `10.64.${subnets}.0/24`,
  brokers: [],
});

type Peering = Extract<WantedLink, { kind: 'cloud_a_peering' }>;
type Service = Extract<WantedLink, { kind: 'cloud_a_service' }>;

async function aPeering(more: Partial<Peering['wanted']> = {}): Promise<Peering> {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '172.16.0.0/16' }));
  return {
    kind: 'cloud_a_peering',
    ...{ id: idOf<NetworkLinkId>(1), uid: randomUUID(), deployment: aDeployment() },
    wanted: {
      peer_vpc_id: Vpc?.VpcId ?? '',
      peer_owner_id: account,
      peer_region: null,
      peer_vpc_cidr: '172.16.0.0/16',
      ...more,
    },
    facts: {},
    status: 'initiating_request',
  };
}
const aService = (
  allowed_principals: string[] = [],
  deployment = aDeployment(),
  acceptance_required = true,
): Service => ({
  kind: 'cloud_a_service',
  ...{ id: idOf<NetworkLinkId>(2), uid: randomUUID(), deployment },
  wanted: { acceptance_required, allowed_principals },
  facts: {},
  status: 'pending',
});

const until = (link: WantedLink, status: string, answer?: () => Promise<unknown>) =>
  lookUntil(driver.links, link, status, answer);
const untilRemoved = (link: WantedLink) => removeUntilGone(driver.links, link);

const tagOf = (key: string, value: string) => (resource: { Tags?: { Key?: string; Value?: string }[] }) =>
  resource.Tags?.some((tag) => tag.Key === key && tag.Value === value) ?? false;

/** What the server itself has of a link and of its deployment. */
async function atTheCloud({ uid, deployment }: WantedLink) {
  const vpcs = ((await ec2.send(new DescribeVpcsCommand({}))).Vpcs ?? []).filter(
    tagOf('sluice:deployment', deployment.uid ?? ''),
  );
  const inVpc = { Filters: [{ Name: 'vpc-id', Values: vpcs.map(({ VpcId = '' }) => VpcId) }] };
  const subnetsOf =
    vpcs.length === 0 ? [] : ((await ec2.send(new DescribeSubnetsCommand(inVpc))).Subnets ?? []);
  const tables =
    vpcs.length === 0 ? [] : ((await ec2.send(new DescribeRouteTablesCommand(inVpc))).RouteTables ?? []);
  const peerings = (
    (await ec2.send(new DescribeVpcPeeringConnectionsCommand({}))).VpcPeeringConnections ?? []
  ).filter(tagOf('sluice:link', uid));
  return {
    vpcs: vpcs.map(({ CidrBlock }) => CidrBlock),
    subnets: subnetsOf.map(({ CidrBlock }) => CidrBlock),
    peerings: peerings.map(({ Status }) => Status?.Code),
    routes: tables
      .flatMap(({ Routes = [] }) => Routes)
      .filter(({ VpcPeeringConnectionId }) => VpcPeeringConnectionId !== undefined)
      .map(({ DestinationCidrBlock }) => DestinationCidrBlock),
  };
}
const peeringId = async ({ uid }: WantedLink) =>
  ((await ec2.send(new DescribeVpcPeeringConnectionsCommand({}))).VpcPeeringConnections ?? []).find(
    tagOf('sluice:link', uid),
  )?.VpcPeeringConnectionId;
const accept = async (link: WantedLink) =>
  ec2.send(new AcceptVpcPeeringConnectionCommand({ VpcPeeringConnectionId: await peeringId(link) }));

async function servicesAtTheCloud({ uid }: WantedLink) {
  const all =
    (await ec2.send(new DescribeVpcEndpointServiceConfigurationsCommand({}))).ServiceConfigurations ?? [];
  const services = all.filter(tagOf('sluice:link', uid));
  const permissions = await Promise.all(
    services.map(({ ServiceId }) =>
      ec2.send(new DescribeVpcEndpointServicePermissionsCommand({ ServiceId })),
    ),
  );
  const short = uid.replaceAll('-', '').slice(0, 12);
  const { LoadBalancers = [] } = await balancing.send(new DescribeLoadBalancersCommand({}));
  const balancers = LoadBalancers.filter(({ LoadBalancerName }) => LoadBalancerName?.includes(short));
  const listeners = await Promise.all(
    balancers.map(({ LoadBalancerArn }) => balancing.send(new DescribeListenersCommand({ LoadBalancerArn }))),
  );
  const { TargetGroups = [] } = await balancing.send(new DescribeTargetGroupsCommand({}));
  const groups = TargetGroups.filter(({ TargetGroupName }) => TargetGroupName?.includes(short));
  const health = await Promise.all(
    groups.map(({ TargetGroupArn }) => balancing.send(new DescribeTargetHealthCommand({ TargetGroupArn }))),
  );
  return {
    services: services.map(({ AcceptanceRequired }) => AcceptanceRequired),
    principals: permissions.flatMap(({ AllowedPrincipals = [] }) =>
      AllowedPrincipals.map(({ Principal }) => Principal),
    ),
    balancers: balancers.map(({ Type, Scheme }) => `${Type} ${Scheme}`),
    listeners: listeners.flatMap(({ Listeners = [] }) => Listeners.map(({ Port }) => Port)).sort(),
    targets: health
      .flatMap(({ TargetHealthDescriptions = [] }) => TargetHealthDescriptions)
      .map(({ Target }) => `${Target?.Id}:${Target?.Port}`)
      .sort(),
  };
}

/** The first request of each kind fails, reads included. @returns which kinds have */
function failEachOnce(fate: Fate): Set<string> {
  const met = new Set<string>();
  cloud.fate = (action) => {
    if (met.has(action)) return 'pass';
    met.add(action);
    return fate;
  };
  return met;
}

linksConformance('cloud_a', {
  isThere: () => aws !== null,
  isElsewhere: true,
  driver: () => driver.links,
  links: {
    'a peering': async () => {
      const link = await aPeering();
      return { link, becomes: 'active', answer: () => accept(link) };
    },
    'an endpoint service': () => Promise.resolve({ link: aService([account]), becomes: 'available' }),
  },
  present: async (link) => [
    ...(await atTheCloud(link)).peerings.filter((code) => code !== 'deleted'),
    ...(await servicesAtTheCloud(link)).services,
  ],
  changes: () => cloud.changes.length,
});

describe('a peering', () => {
  onAws(
    'is asked for, routed once it is accepted, and leaves nothing; each step can be repeated',
    async () => {
      const link = await aPeering();
      const { subnet } = link.deployment;
      await driver.links.advance(link, call);
      for (let time = 0; time < 2; time++) {
        expect(await driver.links.advance(link, call)).toMatchObject({
          status: 'pending_acceptance',
          facts: { peering_connection_id: await peeringId(link), requester_owner_id: account },
        });
        expect(await atTheCloud(link)).toEqual({
          ...{ vpcs: [subnet], subnets: [subnet], peerings: ['pending-acceptance'], routes: [] },
        });
      }
      await accept(link);
      expect(await driver.links.advance(link, call)).toMatchObject({ status: 'provisioning' });
      for (let time = 0; time < 2; time++) {
        expect(await driver.links.advance(link, call)).toMatchObject({ status: 'active' });
        expect(await atTheCloud(link)).toMatchObject({ peerings: ['active'], routes: ['172.16.0.0/16'] });
      }
      await untilRemoved(link);
      expect(await driver.links.remove(link, call)).toBe(true);
      expect(await atTheCloud(link)).toMatchObject({ peerings: ['deleted'], routes: [] });
      await driver.release(link.deployment, call);
      await driver.release(link.deployment, call);
      expect(await atTheCloud(link)).toMatchObject({ vpcs: [], subnets: [] });
    },
  );

  onAws('says what the other side has done, and what the cloud refuses', async () => {
    const rejected = await aPeering();
    await until(rejected, 'pending_acceptance');
    await ec2.send(
      new RejectVpcPeeringConnectionCommand({ VpcPeeringConnectionId: await peeringId(rejected) }),
    );
    expect(await driver.links.advance(rejected, call)).toMatchObject({ status: 'rejected' });
    expect(await driver.links.remove(rejected, call)).toBe(true);

    const withdrawn = await aPeering();
    await until(withdrawn, 'active', () => accept(withdrawn));
    await ec2.send(
      new DeleteVpcPeeringConnectionCommand({ VpcPeeringConnectionId: await peeringId(withdrawn) }),
    );
    expect(await driver.links.advance(withdrawn, call)).toMatchObject({ status: 'deleted' });
    expect(await driver.links.remove(withdrawn, call)).toBe(true);
    expect(await atTheCloud(withdrawn)).toMatchObject({ routes: [] });

    const peer = { peer_vpc_id: `vpc-${hex()}`, peer_owner_id: '210987654321', peer_region: 'eu-west-1' };
    const unknown = await aPeering(peer);
    const asked: object[] = [];
    cloud.fate = (action, parameters) => {
      if (action === 'CreateVpcPeeringConnection') asked.push(Object.fromEntries(parameters));
      return 'pass';
    };
    const refusal = driver.links.advance(unknown, call);
    await expect(refusal).rejects.toThrow(LinkRefused);
    await expect(refusal).rejects.toThrow(/InvalidVpcID.NotFound/);
    expect(asked).toMatchObject([
      { PeerVpcId: peer.peer_vpc_id, PeerOwnerId: '210987654321', PeerRegion: 'eu-west-1' },
    ]);
    expect(await driver.links.remove(unknown, call)).toBe(true);
  });
});

describe('an endpoint service', () => {
  const brokers = [
    { address: '10.64.200.10', ports: { broker_tcp: 4222, broker_http: 8222 } },
    { address: '10.64.200.11', ports: { broker_tcp: 4333 } },
  ];

  onAws('is open to whom it names, leads to the brokers where they are, and leaves nothing', async () => {
    const link = aService([account, 'arn:aws:iam::210987654321:user/ada'], { ...aDeployment(), brokers });
    expect(await until(link, 'available')).toMatchObject({
      facts: {
        vpc_endpoint_service_id: expect.stringMatching(/^vpce-svc-/) as string,
        service_name: expect.stringContaining('.vpce.us-east-1.vpce-svc-') as string,
      },
    });
    const made = await servicesAtTheCloud(link);
    expect({ ...made, principals: made.principals.sort() }).toEqual({
      services: [true],
      principals: ['arn:aws:iam::123456789012:root', 'arn:aws:iam::210987654321:user/ada'],
      balancers: ['network internal'],
      listeners: [4222, 8222],
      targets: ['10.64.200.10:4222', '10.64.200.10:8222', '10.64.200.11:4333'],
    });
    const moved = {
      ...link,
      deployment: { ...link.deployment, brokers: [{ address: '10.64.200.10', ports: { broker_tcp: 5000 } }] },
    };
    await until(moved, 'available');
    expect(await servicesAtTheCloud(link)).toMatchObject({
      services: [true],
      targets: ['10.64.200.10:5000'],
    });
    await untilRemoved(link);
    expect(await servicesAtTheCloud(link)).toEqual({
      ...{ services: [], principals: [], balancers: [], listeners: [], targets: [] },
    });
  });

  onAws('that names no account is open to all, and accepts by itself where it may', async () => {
    const link = aService([], aDeployment(), false);
    await until(link, 'available');
    expect(await servicesAtTheCloud(link)).toMatchObject({
      ...{ services: [false], principals: ['*'], listeners: [] },
    });
    await untilRemoved(link);
    await driver.release(link.deployment, call);
    expect(await atTheCloud(link)).toMatchObject({ vpcs: [], subnets: [] });
  });

  describe.each<Fate>(['lose', 'throttle'])(
    'when the cloud has each request of a kind fail once (%s)',
    (fate) => {
      onAws('nothing is made twice, and nothing is left behind', async () => {
        const service = aService([account], { ...aDeployment(), brokers });
        const peering = { ...(await aPeering()), deployment: service.deployment };
        const met = failEachOnce(fate);
        await until(service, 'available');
        await until(peering, 'active', () => accept(peering));
        expect(await servicesAtTheCloud(service)).toEqual({
          ...{
            services: [true],
            principals: ['arn:aws:iam::123456789012:root'],
            balancers: ['network internal'],
          },
          ...{
            listeners: [4222, 8222],
            targets: ['10.64.200.10:4222', '10.64.200.10:8222', '10.64.200.11:4333'],
          },
        });
        const { subnet } = service.deployment;
        expect(await atTheCloud(peering)).toEqual({
          ...{ vpcs: [subnet], subnets: [subnet], peerings: ['active'], routes: ['172.16.0.0/16'] },
        });
        await untilRemoved(service);
        await untilRemoved(peering);
        await eventually(() => driver.release(peering.deployment, call));
        expect(await servicesAtTheCloud(service)).toMatchObject({ services: [], balancers: [], targets: [] });
        expect(await atTheCloud(peering)).toEqual({
          vpcs: [],
          subnets: [],
          peerings: ['deleted'],
          routes: [],
        });
        for (const action of [
          'CreateVpc',
          'CreateSubnet',
          'CreateVpcPeeringConnection',
          'CreateRoute',
          'DeleteRoute',
        ])
          expect(met).toContain(action);
      });
    },
  );

  onAws('what people read of a failure names no account of the installation', async () => {
    cloud.fate = () => 'fail';
    const failure = driver.links.advance(aService(), call);
    await expect(failure).rejects.toThrow('the cloud could not do it (InternalError)');
    cloud.fate = () => 'drop';
    await expect(driver.links.advance(aService(), call)).rejects.toThrow(
      /^the cloud could not do it \(\w+\)$/,
    );
  });
});
