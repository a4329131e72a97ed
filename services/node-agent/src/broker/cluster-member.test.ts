import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { DesiredCluster } from '@sluice/contracts';
import { createLog } from '@sluice/system/log';
import { testFolder } from '@sluice/testing';
import type { ClusterState, ServingBroker } from '../runtimes/runtime.ts';
import { ClusterMember } from './cluster-member.ts';

const log = createLog({ service: 'test', level: 'error' });
const leads: ClusterState = { leader: true, healthy: true, behind: [], alone: 2 };
const cluster = (more: Partial<DesiredCluster> = {}): DesiredCluster => ({
  ...{ name: 'deployment-1', server_name: 'node-2', host: '127.0.0.1', routes: [], may_restart: false },
  ...{ credentials: { username: 'nodes', password: 'x' } },
  ...{ tls: { certificate: '', private_key: '', authority: '' } },
  ...more,
});
/** A broker that says this of its cluster; what it serves besides nobody asks here. */
const saying = (state: ClusterState | Error) =>
  ({
    clusterState: () => (state instanceof Error ? Promise.reject(state) : Promise.resolve(state)),
  }) as unknown as ServingBroker;

let clock = 0;
async function member(desired: DesiredCluster | null, home?: string) {
  const made = new ClusterMember(home ?? (await testFolder()), log, undefined, () => clock);
  await made.prepare(desired);
  made.follow(desired);
  return made;
}

describe('sources of connectors', () => {
  const advance = (milliseconds: number) => (clock += milliseconds);

  test('work as they like where there is no cluster', async () => {
    expect((await member(null)).sourceLease).toBeUndefined();
  });

  test('work where the cluster is led, once whoever led it before has ended his', async () => {
    const one = await member(cluster());
    await one.look(saying(leads));
    expect(one.sourceLease).toBe(0);
    advance(9_999);
    await one.look(saying(leads));
    expect(one.sourceLease).toBe(0);
    advance(1);
    expect(one.sourceLease).toBe(4_999);
    await one.look(saying(leads));
    expect(one.sourceLease).toBe(5_000);
    advance(5_000);
    expect(one.sourceLease).toBe(0);
  });

  test.each<[string, (one: ClusterMember) => Promise<void>]>([
    ['another leads', (one) => one.look(saying({ ...leads, leader: false }))],
    ['it is not well', (one) => one.look(saying({ ...leads, healthy: false }))],
    ['the broker does not answer', (one) => one.look(saying(new Error('away')))],
    ['the broker has ended', (one) => one.look(null)],
    ['it hands over', (one) => one.stepDown(saying(leads))],
  ])('end at once when %s, and wait again', async (_what, happen) => {
    const one = await member(cluster());
    await one.look(saying(leads));
    advance(10_000);
    await one.look(saying(leads));
    expect(one.sourceLease).toBe(5_000);
    await happen(one);
    expect(one.sourceLease).toBe(0);
    await one.look(saying(leads));
    expect(one.sourceLease).toBe(0);
  });
});

test('a node keeps its port, takes another when somebody has it, and is placed once all know of it', async () => {
  const home = await testFolder();
  const first = await member(cluster(), home);
  expect([first.isPlaced, first.mayRestart]).toEqual([false, false]);
  const { port } = first;
  const again = await member(
    cluster({ routes: [{ server_name: 'node-2', host: '127.0.0.1', port: port ?? 1 }] }),
    home,
  );
  expect([again.port, again.isPlaced]).toEqual([port, true]);
  expect(await again.isDisplaced()).toBe(false);
  const other = createServer().listen(port ?? 0, '127.0.0.1');
  await once(other, 'listening');
  expect(await again.isDisplaced()).toBe(true);
  expect(again.port).not.toBe(port);
  other.close();
});

test('a node listens where it is told to, also where somebody has that port for a while', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const one = new ClusterMember(await testFolder(), log, port);
  await one.prepare(cluster());
  one.follow(cluster());
  expect(one.port).toBe(port);
  expect(await one.isDisplaced()).toBe(false);
  expect(one.port).toBe(port);
  other.close();
});

test('what a node had alone is known on after its broker has ended, and not before it was asked', async () => {
  const one = await member(cluster());
  expect(one.report(false)).toMatchObject({ alone: null });
  await one.look(saying(leads));
  await one.look(null);
  expect(one.report(true)).toMatchObject({ alone: 2, healthy: false, leader: false, awaits_restart: true });
});
