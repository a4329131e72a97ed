import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId, type NetworkLinkId } from '@sluice/contracts';
import { computeApi, type ComputeApi } from '#test/compute-api.ts';
import type { Resource } from '#test/compute-state.ts';
import { anyCall, linksConformance, lookUntil, removeUntilGone } from '@sluice/drivers/conformance';
import { LinkRefused, type WantedLink } from '@sluice/drivers';
import { cloudBDriver } from './driver.ts';
import { firstFree } from './translation.ts';

type Peering = Extract<WantedLink, { kind: 'cloud_b_peering' }>;
type Attachment = Extract<WantedLink, { kind: 'cloud_b_attachment' }>;
type Deployment = WantedLink['deployment'];

const region = 'us-central1';
const customer = 'acme-streaming';
const former = { ...process.env };
let cloud: ComputeApi;
let driver: ReturnType<typeof cloudBDriver>;

beforeAll(async () => {
  cloud = await computeApi();
  // as an operator sets them: the driver has no settings of its own for these
  Object.assign(process.env, cloud.environment);
  driver = cloudBDriver({ region, apiUrl: cloud.url, natRange: '100.64.0.0/16' });
});
afterEach(() => {
  cloud.fate = () => 'pass';
});
afterAll(async () => {
  for (const name of Object.keys(cloud.environment))
    if (former[name] === undefined) delete process.env[name];
    else process.env[name] = former[name];
  await cloud.close();
});

const compact = (uid: string | null) => `sluice-${uid?.replaceAll('-', '')}`;
let deployments = 0;
const aDeployment = (brokers: Deployment['brokers'] = []): Deployment => ({
  ...{ id: idOf<DeploymentId>((deployments += 1)), uid: randomUUID() },
  ...{ subnet: `10.64.${deployments}.0/24`, brokers },
});
const brokersOf = (second = 4222): Deployment['brokers'] => [
  { address: '10.64.200.10', ports: { broker_tcp: 4222, broker_http: 8222 } },
  { address: '10.64.200.11', ports: { broker_tcp: second } },
];

/** with a network of the customer's, which has a subnet */
function aPeering(deployment = aDeployment(), cidr = '172.16.0.0/16'): Peering {
  const peer_vpc_name = `office-${deployments}-${randomUUID().slice(0, 8)}`;
  const network = cloud.state.put(`projects/${customer}/global/networks/${peer_vpc_name}`, {});
  const subnet = `projects/${customer}/regions/${region}/subnetworks/${peer_vpc_name}`;
  cloud.state.put(subnet, { network, ipCidrRange: cidr });
  return {
    kind: 'cloud_b_peering',
    ...{ id: idOf<NetworkLinkId>(1), uid: randomUUID(), deployment },
    wanted: { peer_vpc_name, peer_project_id: customer, peer_vpc_cidr: cidr },
    ...{ facts: {}, status: 'inactive' },
  };
}
const anAttachment = (
  wanted: Partial<Attachment['wanted']> = {},
  deployment = aDeployment(brokersOf()),
): Attachment => ({
  kind: 'cloud_b_attachment',
  ...{ id: idOf<NetworkLinkId>(2), uid: randomUUID(), deployment },
  wanted: {
    ...{ connection_preference: 'accept_manual', consumer_accept_lists: [], enable_proxy_protocol: false },
    ...wanted,
  },
  ...{ facts: {}, status: 'pending' },
});

const peerPath = ({ wanted }: Peering) => `projects/${customer}/global/networks/${wanted.peer_vpc_name}`;
const networkPath = ({ deployment }: WantedLink) =>
  `projects/${cloud.project}/global/networks/${compact(deployment.uid)}`;
/** The customer makes the same peering on their side, or takes it away. */
const reciprocate = (link: Peering) =>
  cloud.state.change(peerPath(link), { peerings: [{ name: 'sluice', network: networkPath(link) }] });
const withdraw = (link: Peering) => cloud.state.change(peerPath(link), { peerings: [] });

const kinds = [
  'subnetworks',
  'healthChecks',
  'backendServices',
  'forwardingRules',
  'serviceAttachments',
  'firewalls',
];
const ofLink = ({ uid }: WantedLink, kind: string): Resource | undefined =>
  cloud.state.all(kind).find(({ name }) => name === compact(uid));
const peeringOf = (link: WantedLink) =>
  cloud.state
    .all('networks')
    .flatMap(({ peerings }) => (peerings as Resource[] | undefined) ?? [])
    .find(({ name }) => name === compact(link.uid));
const present = (link: WantedLink) => [
  ...kinds.filter((kind) => ofLink(link, kind)),
  ...(peeringOf(link) ? ['peering'] : []),
];
const networksOf = ({ deployment }: WantedLink) =>
  ['networks', 'subnetworks', 'instanceGroups'].flatMap((kind) =>
    cloud.state.all(kind).filter(({ name }) => name === compact(deployment.uid)),
  );

linksConformance('cloud_b', {
  isThere: () => true,
  isSafeForTwo: true,
  isElsewhere: true,
  driver: () => driver.links,
  links: {
    'a peering': () => {
      const link = aPeering(aDeployment(brokersOf()));
      return Promise.resolve({ link, becomes: 'active', answer: () => Promise.resolve(reciprocate(link)) });
    },
    'an attachment': () => {
      const link = anAttachment({ consumer_accept_lists: [customer] });
      return Promise.resolve({ link, becomes: 'active' });
    },
  },
  present: (link) => Promise.resolve(present(link)),
  changes: () => cloud.changes.length,
  failEachOnce: (fate) => {
    const met = new Set<string>();
    cloud.fate = (action) => {
      if (met.has(action)) return 'pass';
      met.add(action);
      return fate;
    };
  },
});

describe('a peering', () => {
  test('is inactive until the other side has its own, and again once that is gone', async () => {
    const link = aPeering(aDeployment(brokersOf()));
    const facts = { vpc_name: compact(link.deployment.uid), project_id: cloud.project };
    await driver.links.advance(link, anyCall);
    const waiting = { status: 'inactive', facts, reason: 'Waiting for peer network to connect.' };
    expect(await driver.links.advance(link, anyCall)).toMatchObject(waiting);
    expect(ofLink(link, 'firewalls')).toMatchObject({
      ...{ direction: 'INGRESS', sourceRanges: ['172.16.0.0/16'] },
      allowed: [{ IPProtocol: 'tcp', ports: ['4222', '8222'] }],
    });
    reciprocate(link);
    expect(await driver.links.advance(link, anyCall)).toMatchObject({ status: 'active', facts });
    withdraw(link);
    expect(await driver.links.advance(link, anyCall)).toMatchObject(waiting);
  });

  test('that the cloud refuses says why, and stands in the way of nothing', async () => {
    const deployment = aDeployment();
    const overlapping = aPeering(deployment, deployment.subnet ?? '');
    const refusal = driver.links.advance(overlapping, anyCall);
    await expect(refusal).rejects.toThrow(LinkRefused);
    await expect(refusal).rejects.toThrow(/overlaps/);
    expect(await driver.links.remove(overlapping, anyCall)).toBe(true);
    const another = aPeering(deployment);
    reciprocate(another);
    await lookUntil(driver.links, another, 'active');
  });

  test('is found and goes although nothing is known any more of its deployment', async () => {
    const others = [aPeering(), aPeering(), aPeering()];
    for (const link of others) await lookUntil(driver.links, link, 'inactive');
    const [link] = others as [Peering];
    const orphaned = { ...link, deployment: { ...link.deployment, uid: null, subnet: null } };
    await removeUntilGone(driver.links, orphaned);
    expect(present(link)).toEqual([]);
    for (const other of others.slice(1)) expect(present(other)).toEqual(['peering']);
  });

  test('leaves a network that goes with its deployment, and no other', async () => {
    const [link, other] = [aPeering(), aPeering()];
    for (const one of [link, other]) await lookUntil(driver.links, one, 'inactive');
    await expect(driver.release(link.deployment, anyCall)).rejects.toThrow(/resourceInUseByAnotherResource/);
    await removeUntilGone(driver.links, link);
    for (let time = 0; time < 2; time++) {
      await driver.release(link.deployment, anyCall);
      expect(networksOf(link)).toEqual([]);
    }
    expect(networksOf(other)).toHaveLength(2);
    await removeUntilGone(driver.links, other);
  });
});

describe('an attachment', () => {
  const machine = (deployment: Deployment, name: string, zone: string, networkIP: string) =>
    cloud.state.put(`projects/${cloud.project}/zones/${zone}/instances/${name}`, {
      labels: { 'sluice-deployment': deployment.uid },
      networkInterfaces: [
        {
          network: `https://compute.example/projects/${cloud.project}/global/networks/${compact(deployment.uid)}`,
          networkIP,
        },
      ],
    });

  test('admits the accounts that it names, also after a change at the cloud, and shows who is connected', async () => {
    const link = anAttachment({
      consumer_accept_lists: ['acme-one', 'acme-two'],
      enable_proxy_protocol: true,
    });
    const path = `projects/${cloud.project}/regions/${region}/serviceAttachments/${compact(link.uid)}`;
    const state = await lookUntil(driver.links, link, 'active');
    expect(state).toMatchObject({ facts: { service_attachment_uri: path }, connections: [] });
    const admission = {
      connectionPreference: 'ACCEPT_MANUAL',
      consumerAcceptLists: [
        { projectIdOrNum: 'acme-one', connectionLimit: 10 },
        { projectIdOrNum: 'acme-two', connectionLimit: 10 },
      ],
    };
    expect(ofLink(link, 'serviceAttachments')).toMatchObject({ ...admission, enableProxyProtocol: true });
    const network = 'https://compute.example/projects/acme-one/global/networks/default';
    const endpoint = (project: string) =>
      `https://compute.example/projects/${project}/regions/${region}/forwardingRules/brokers`;
    cloud.state.change(path, {
      connectionPreference: 'ACCEPT_AUTOMATIC',
      consumerAcceptLists: [],
      connectedEndpoints: [
        {
          pscConnectionId: '11',
          endpoint: endpoint('acme-one'),
          consumerNetwork: network,
          status: 'ACCEPTED',
        },
        { pscConnectionId: '12', endpoint: endpoint('acme-three'), status: 'PENDING' },
        { pscConnectionId: '13', endpoint: endpoint('acme-two'), status: 'A_WORD_OF_NEXT_YEAR' },
        { endpoint: endpoint('acme-two'), status: 'PENDING' },
      ],
    });
    const place = { consumer_network: null, consumer_forwarding_rule: 'brokers' };
    expect(await driver.links.advance(link, anyCall)).toMatchObject({
      connections: [
        {
          ...place,
          connection_id: '11',
          consumer_project_id: 'acme-one',
          consumer_network: 'default',
          status: 'accepted',
        },
        { ...place, connection_id: '12', consumer_project_id: 'acme-three', status: 'pending' },
        { ...place, connection_id: '13', consumer_project_id: 'acme-two', status: 'needs_attention' },
      ],
    });
    expect(ofLink(link, 'serviceAttachments')).toMatchObject(admission);
  });

  test.each([
    ['accept_manual', []],
    ['accept_automatic', [customer]],
  ] as const)('is open to any project by %s with %j', async (connection_preference, list) => {
    const link = anAttachment({ connection_preference, consumer_accept_lists: [...list] });
    await lookUntil(driver.links, link, 'active');
    expect(ofLink(link, 'serviceAttachments')).toMatchObject({
      ...{ connectionPreference: 'ACCEPT_AUTOMATIC', consumerAcceptLists: [] },
    });
  });

  test('leads to the machines of the deployment where its brokers are, and to no others', async () => {
    const deployment = aDeployment(brokersOf());
    const link = anAttachment({}, deployment);
    machine(deployment, 'node-1', 'us-central1-a', '10.64.200.10');
    machine(deployment, 'node-2', 'us-central1-b', '10.64.200.11');
    machine(deployment, 'stranger', 'us-central1-b', '10.64.200.99');
    machine(aDeployment(), 'elsewhere', 'us-central1-b', '10.64.200.10');
    await lookUntil(driver.links, link, 'active');
    expect(cloud.state.members()).toEqual(['node-1', 'node-2']);
    const backends = () => (ofLink(link, 'backendServices')!['backends'] as { group: string }[]).length;
    expect(backends()).toBe(2);
    expect(ofLink(link, 'forwardingRules')).toMatchObject({
      loadBalancingScheme: 'INTERNAL',
      allPorts: true,
    });

    const moved = { ...link, deployment: { ...deployment, brokers: brokersOf(5222).slice(1) } };
    await lookUntil(driver.links, moved, 'active');
    expect(backends()).toBe(1);
    expect(ofLink(link, 'healthChecks')).toMatchObject({ tcpHealthCheck: { port: 5222 } });
    expect(ofLink(link, 'firewalls')).toMatchObject({ allowed: [{ ports: ['5222'] }] });
    const second = anAttachment({}, moved.deployment);
    await lookUntil(driver.links, second, 'active');

    for (const one of [link, second]) await removeUntilGone(driver.links, one);
    await driver.release(deployment, anyCall);
    expect(networksOf(link)).toEqual([]);
    expect(cloud.state.all('instances')).toHaveLength(4);
  });

  test('has translated addresses of its own, beside those of others', async () => {
    const deployment = aDeployment();
    const links = [anAttachment({}, deployment), anAttachment({}, deployment), anAttachment({}, deployment)];
    await Promise.all(links.map((link) => lookUntil(driver.links, link, 'active')));
    const blocks = links.map((link) => ofLink(link, 'subnetworks')?.['ipCidrRange']);
    expect(blocks.sort()).toEqual(['100.64.0.0/24', '100.64.1.0/24', '100.64.2.0/24']);
    for (const link of links) await removeUntilGone(driver.links, link);
  });
});

test('what bears one of our names and is not of this region stays as it is', async () => {
  const link = anAttachment();
  const path = `projects/${cloud.project}/regions/${region}/forwardingRules/${compact(link.uid)}`;
  cloud.state.put(path, { description: 'of somebody else' });
  for (let time = 0; time < 2; time++)
    await expect(driver.links.advance(link, anyCall)).rejects.toThrow(
      /is at the cloud and not of this region/,
    );
  await removeUntilGone(driver.links, link);
  expect(ofLink(link, 'forwardingRules')).toMatchObject({ description: 'of somebody else' });
});

test('what people read of a failure names nobody of the installation', async () => {
  cloud.fate = () => 'fail';
  const failure = await driver.links.advance(aPeering(), anyCall).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'the cloud could not do it (backendError)' });
  // what the log gets has no credentials either
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(/bearer/i);
  expect(Object.keys((failure as Error).cause as object)).toEqual(['code', 'status']);
  cloud.fate = () => 'drop';
  await expect(driver.links.advance(aPeering(), anyCall)).rejects.toThrow(
    /^the cloud could not do it \(\w+\)$/,
  );
});

test('credentials that are not there fail a step, and end nothing', async () => {
  const known = process.env['GOOGLE_APPLICATION_CREDENTIALS'];
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = '/nowhere/credentials.json';
  const without = cloudBDriver({ region, apiUrl: cloud.url, natRange: '100.64.0.0/16' });
  await expect(without.links.advance(aPeering(), anyCall)).rejects.toThrow();
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = known;
});

test('the first free block is taken, and none where all are', () => {
  expect(firstFree('100.64.254.0/23', [])).toBe('100.64.254.0/24');
  expect(firstFree('100.64.254.0/23', ['100.64.254.0/24'])).toBe('100.64.255.0/24');
  expect(() => firstFree('100.64.254.0/23', ['100.64.254.0/24', '100.64.255.0/24'])).toThrow(/no block/);
});
