import { randomUUID } from 'node:crypto';
import { aDeployment, eventually, freePort, silentAgent } from '@sluice/testing';
import { call, untilGone } from '#test/client.ts';
import { computeApi, type ComputeApi } from '@sluice/driver-cloud-b/testing/fixtures/compute-api.ts';
import type { Resource } from '@sluice/driver-cloud-b/testing/fixtures/compute-state.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';

const patience = { timeoutMs: 40_000 };
const place = { cloud: 'cloud_b', region: 'us-central1' } as const;

const region = supervisor({
  place,
  environment: {
    ...{ NETWORK_DRIVER: 'cloud_b', DRIVER_NETWORK_SECONDS: '3', RECONCILER_LEASE_SECONDS: '1' },
    LOCAL_AGENT_ENTRY: silentAgent,
  },
});
let cloud: ComputeApi;
let running: Promise<ReplicaProcess> | undefined;
/** with NETWORK_KILLS=all at each step, else at some: the driver's own tests lose each answer once */
const steps = (some: string[], all: string[]) => (process.env['NETWORK_KILLS'] === 'all' ? all : some);

beforeAll(async () => {
  cloud = await computeApi();
  Object.assign(region.environment, cloud.environment);
});
afterAll(() => cloud?.close());

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

const kinds = [
  ...['networks', 'subnetworks', 'firewalls', 'healthChecks', 'backendServices'],
  ...['forwardingRules', 'serviceAttachments'],
];
/** Everything that there is in the project of the region, by kind. */
const atTheCloud = () => {
  const own = (one: Resource) => String(one['selfLink']).includes(`/${cloud.project}/`);
  return kinds.map((kind) => `${kind} ${cloud.state.all(kind).filter(own).length}`);
};

test('a peering and an attachment on cloud_b come about, and go with their deployment, while supervisors are killed at each step', async () => {
  await start();
  const key = await region.key();
  const limits = { access_rules: 10, private_networking: true, private_connections: 3, private_endpoints: 1 };
  const shape = aDeployment({ uid: randomUUID(), tier: 'small', limits, ...place });
  await region.apply(shape);
  const peer = `projects/acme-streaming/global/networks/office`;
  cloud.state.put(peer, {});
  const send = async (path: string, options?: { method: string; body: unknown }) =>
    await call(`${(await running)?.url}/deployments/${shape.id}/network/cloud_b/${path}`, key, options);
  const ask = (path: string, body: object) =>
    eventually(async () => expect((await send(path, { method: 'POST', body })).status).toBe(204), patience);
  const until = (path: string, state: string) =>
    eventually(async () => expect((await send(path)).body).toMatchObject([{ state }]), patience);

  const made = killedDuring(
    ...steps(['networks.addPeering'], ['networks.insert', 'subnetworks.insert', 'networks.addPeering']),
  );
  const office = {
    peer_vpc_name: 'office',
    peer_project_id: 'acme-streaming',
    peer_vpc_cidr: '172.16.0.0/16',
  };
  await ask('vpc_peering', { name: 'office', ...office });
  await made;
  const [{ selfLink: network }] = (await eventually(() => {
    const found = cloud.state.all('networks').filter(({ peerings }) => peerings !== undefined);
    expect(found).toHaveLength(1);
    return found;
  }, patience)) as [Resource];
  cloud.state.change(peer, { peerings: [{ name: 'sluice', network }] });
  await region.sql('UPDATE network_links SET due_at = now()');
  await until('vpc_peering', 'active');

  const attached = killedDuring(
    ...steps(
      ['forwardingRules.insert'],
      [
        'healthChecks.insert',
        'backendServices.insert',
        'forwardingRules.insert',
        'serviceAttachments.insert',
      ],
    ),
  );
  await ask('private_service', { name: 'brokers', consumer_accept_lists: ['acme-streaming'] });
  await attached;
  await until('private_service', 'active');
  expect(atTheCloud()).toEqual([
    ...['networks 1', 'subnetworks 2', 'firewalls 0', 'healthChecks 1', 'backendServices 1'],
    ...['forwardingRules 1', 'serviceAttachments 1'],
  ]);

  const gone = killedDuring(
    ...steps(
      ['forwardingRules.delete'],
      [
        ...['serviceAttachments.delete', 'forwardingRules.delete', 'backendServices.delete'],
        ...['healthChecks.delete', 'networks.delete'],
      ],
    ),
  );
  await region.remove(shape.id);
  await gone;
  await untilGone((await running)?.url ?? '', key, shape.id, patience.timeoutMs);
  expect(atTheCloud()).toEqual(kinds.map((kind) => `${kind} 0`));
}, 180_000);
