import {
  lastRelease,
  repository,
  startReplicas,
  type Layer,
  type Replica,
  type ReplicatedStack,
} from '@sluice/testing';
import { Workload } from './workload.ts';

/**
 * The last release beside this one, on the same databases and the same NATS, as during an upgrade: services in any order, and back.
 * Every replica answers, nothing fails, nothing becomes a dead letter, and every request takes effect.
 */

const layers: Layer[] = ['main-api', 'supervisor', 'audit', 'notifier'];
/** A machine that is busy with twenty processes is no reason to answer 503. */
const environment = { GRANT_LEASE_SECONDS: '6' };
let sources: string;
beforeAll(async () => {
  sources = await lastRelease();
}, 120_000);

async function start(
  stack: ReplicatedStack,
  which: readonly Layer[],
  release = repository,
): Promise<Replica[]> {
  const starts = which.map((layer) => stack.another(layer, { sources: release }));
  await Promise.allSettled(starts);
  return await Promise.all(starts);
}
const replicasOf = (stack: ReplicatedStack, which: readonly Layer[]) =>
  which.flatMap((layer) => stack.of(layer));

/** Ends the replicas of these services once the others have taken their places, as a rolling upgrade does. */
async function replace(stack: ReplicatedStack, which: readonly Layer[], release?: string): Promise<void> {
  const former = replicasOf(stack, which);
  await start(stack, which, release);
  await Promise.all(former.map((replica) => stack.end(replica)));
}

describe('an installation of the last release', () => {
  let stack: ReplicatedStack;
  let work: Workload;
  beforeAll(async () => {
    stack = await startReplicas(1, { sources, layers, environment, upgrading: true });
    work = await Workload.begin(stack);
  }, 120_000);
  afterAll(() => stack?.remove());

  test('goes on with main-api of this release alone', async () => {
    await replace(stack, ['main-api']);
    await work.round('first');
  }, 120_000);

  test('goes on with replicas of both releases in each service', async () => {
    const former = replicasOf(stack, ['supervisor', 'audit', 'notifier']);
    await start(stack, ['supervisor', 'audit', 'notifier']);
    former.push(...(await start(stack, ['main-api'], sources)));
    await work.round('both');
    await Promise.all(former.map((replica) => stack.end(replica)));
  }, 120_000);

  test('is upgraded, and goes back', async () => {
    await work.round('upgraded');
    await replace(stack, layers, sources);
    await work.round('returned');
  }, 120_000);
});

describe('an installation of this release', () => {
  let stack: ReplicatedStack;
  let work: Workload;
  beforeAll(async () => {
    stack = await startReplicas(1, { layers, environment, upgrading: true });
    work = await Workload.begin(stack);
  }, 120_000);
  afterAll(() => stack?.remove());

  test('goes on with main-api of the last release, and then wholly of it', async () => {
    await replace(stack, ['main-api'], sources);
    await work.round('last');
    await replace(stack, ['supervisor', 'audit', 'notifier'], sources);
    await work.round('wholly');
  }, 120_000);
});
