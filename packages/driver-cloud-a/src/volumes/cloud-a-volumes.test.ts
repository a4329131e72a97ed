import {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  DescribeSnapshotsCommand,
  type Snapshot,
  type Volume,
} from '@aws-sdk/client-ec2';
import {
  atTheCloud,
  bringUp,
  call,
  cloudANodes,
  region,
  renewToken,
  supervisor,
  untilGone,
  type CloudNode,
  type Started,
} from '#test/cloud-a-nodes.ts';
import { volumesConformance, type Fate } from '@sluice/drivers/conformance';
import { underWay, type RestoredVolume, type UnderWay } from '@sluice/drivers';
import { createCloudAVolumes } from './cloud-a-volumes.ts';

const on = cloudANodes();
const never = { signal: new AbortController().signal, confirm: () => Promise.resolve() };
let copies = 100;

/** As another replica has it: it knows nothing of what was done. */
const volumes = () =>
  createCloudAVolumes({
    ...{ region, supervisor, now: () => new Date() },
    findAccess: (node) => Promise.resolve(on.places.get(node)),
    findCopyAccess: () => Promise.resolve([...on.places.values()].at(-1)),
    listAccesses: () => Promise.resolve([...on.places.values()].slice(-1)),
  });

volumesConformance('cloud_a', {
  isThere: () => on.started !== undefined,
  driver: volumes,
  async aNode() {
    const at = on.started!;
    const node = on.node(at);
    await bringUp(at, node);
    return {
      id: node.id,
      stored: async () => String(attached((await atTheCloud(at, node)).volumes)[0]?.VolumeId),
      // another volume is another value
      change: () => Promise.resolve(),
      async lookAfter() {
        for (let looks = 0; looks < 20; looks++) {
          await at.driver.ensureNode(node, call).catch(() => undefined);
          const { presence, drifted = false, waitsFor = '' } = await at.driver.observe(node, call);
          if (/has not enrolled/.test(waitsFor)) node.enrolled = true;
          else if (presence === 'running' && !drifted) return;
        }
      },
      remove: () => untilGone(at, node),
    };
  },
});

const newVolume = ({ id: node }: CloudNode): RestoredVolume => ({
  ...{ node, copy: `${(copies += 1)}-${node}-00c0ffee`, run: crypto.randomUUID() },
});

/** As the work on volumes asks: as long as something is under way, and with what looks after the nodes beside it. */
async function done<Answer>(
  work: () => Promise<Answer | UnderWay>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer> {
  for (let looks = 0; looks < 60; looks++) {
    const answer = await work();
    if (answer !== underWay) return answer;
    await meanwhile();
  }
  throw new Error('it does not come to its end');
}

async function backUp(volume: RestoredVolume) {
  await done(() => volumes().copy(volume, never));
  return await done(() => volumes().seal(volume, never));
}

/** What looks after a node makes it anew, with whichever volume is its own. */
const lookAfter = (at: Started, node: CloudNode) => async () => {
  await at.driver.ensureNode(node, call).catch(() => undefined);
};
const swap = (at: Started, node: CloudNode, volume: RestoredVolume) =>
  done(() => volumes().swap(volume, never), lookAfter(at, node));
const swapBack = (at: Started, node: CloudNode, volume: RestoredVolume) =>
  done(() => volumes().swapBack(volume, never), lookAfter(at, node));

/** As the upkeep does it, of whatever is left. */
async function clear(run: string): Promise<void> {
  const driver = volumes();
  if ((await driver.list()).runs.includes(run)) await driver.clear(run);
}

const snapshotsIn = async ({ ec2 }: Started, { copy }: RestoredVolume): Promise<Snapshot[]> => {
  const Filters = [{ Name: 'tag:sluice:copy', Values: [copy] }];
  return (await ec2.send(new DescribeSnapshotsCommand({ Filters }))).Snapshots ?? [];
};
const attached = (all: Volume[]) => all.filter(({ Attachments = [] }) => Attachments.length > 0);

on.test(
  'a restored volume is put in the place of the one that a node has, which goes once it is not needed any more',
  async (at) => {
    const node = on.node(at);
    await bringUp(at, node);
    node.deployed = true;
    const before = await atTheCloud(at, node);
    const volume = newVolume(node);
    const sealed = await backUp(volume);
    expect(sealed).toMatchObject({ bytes: 19 * 2 ** 30, volume: before.volumes[0]?.VolumeId });
    expect(await backUp(volume)).toEqual(sealed);
    expect(await snapshotsIn(at, volume)).toHaveLength(1);

    await expect(done(() => volumes().stage(volume, 'another', never))).rejects.toThrow('is another one');
    await done(() => volumes().stage(volume, sealed.digest, never));
    // what lies beside is no node's
    expect(await at.driver.observe(node, call)).toMatchObject({ presence: 'running' });
    expect((await at.driver.observe(node, call)).drifted).toBeUndefined();

    await swap(at, node, volume);
    await bringUp(at, node);
    const after = await atTheCloud(at, node);
    const [present] = attached(after.volumes);
    expect(present).toMatchObject({ SnapshotId: (await snapshotsIn(at, volume))[0]?.SnapshotId, Size: 19 });
    expect(after.instances).toHaveLength(1);
    expect(after.volumes.map(({ VolumeId }) => VolumeId)).toContain(before.volumes[0]?.VolumeId);

    await clear(volume.run);
    expect((await atTheCloud(at, node)).volumes.map(({ VolumeId }) => VolumeId)).toEqual([present?.VolumeId]);
    expect((await volumes().list()).runs).not.toContain(volume.run);

    await volumes().remove(volume.copy);
    await volumes().remove(volume.copy);
    expect(await snapshotsIn(at, volume)).toEqual([]);
    await untilGone(at, node);
  },
);

on.test('a restore that is taken back leaves the node what it had', async (at) => {
  const node = on.node(at);
  await bringUp(at, node);
  const [before] = (await atTheCloud(at, node)).volumes;
  const volume = newVolume(node);
  const { digest } = await backUp(volume);
  await done(() => volumes().stage(volume, digest, never));
  await swap(at, node, volume);
  await swapBack(at, node, volume);
  await bringUp(at, node);
  expect(attached((await atTheCloud(at, node)).volumes).map(({ VolumeId }) => VolumeId)).toEqual([
    before?.VolumeId,
  ]);
  await clear(volume.run);
  expect((await atTheCloud(at, node)).volumes).toHaveLength(1);
  // one that was never in place is only removed
  const another = { ...volume, run: crypto.randomUUID() };
  await done(() => volumes().stage(another, digest, never));
  await swapBack(at, node, another);
  await clear(another.run);
  expect((await atTheCloud(at, node)).volumes.map(({ VolumeId }) => VolumeId)).toEqual([before?.VolumeId]);
  await untilGone(at, node);
});

on.test('of two snapshots of a copy the older one is it, and what is not sealed is listed', async (at) => {
  const node = on.node(at);
  await bringUp(at, node);
  const volume = newVolume(node);
  await done(() => volumes().copy(volume, never));
  const [first] = await snapshotsIn(at, volume);
  at.cloud.answer = (_, text) => text.replaceAll('<status>completed<', '<status>pending<');
  expect(await volumes().seal(volume, never)).toBe(underWay);
  expect((await volumes().list()).unfinished).toContain(volume.copy);
  at.cloud.answer = (_, text) => text;
  // a request that was thought to be lost comes late, when the broker runs again
  const tagged = new Map((first?.Tags ?? []).map(({ Key, Value }) => [Key, Value]));
  const late = (more: [string, string][]) =>
    at.ec2.send(
      new CreateSnapshotCommand({
        VolumeId: first?.VolumeId,
        TagSpecifications: [
          {
            ResourceType: 'snapshot',
            Tags: [...new Map([...tagged, ...more])].map(([Key, Value]) => ({ Key, Value })),
          },
        ],
      }),
    );
  await late([]);
  const theirs = await late([
    ['sluice:deployment', 'theirs'],
    ['sluice:whole', 'true'],
  ]);
  const sealed = await done(() => volumes().seal(volume, never));
  expect(new Set((await snapshotsIn(at, volume)).map(({ SnapshotId }) => SnapshotId))).toEqual(
    new Set([first?.SnapshotId, theirs.SnapshotId]),
  );
  expect((await volumes().list()).unfinished).not.toContain(volume.copy);
  await at.ec2.send(new DeleteSnapshotCommand({ SnapshotId: first?.SnapshotId }));
  await expect(done(() => volumes().stage(volume, sealed.digest, never))).rejects.toThrow('is gone');
  await volumes().remove(volume.copy);
  expect((await snapshotsIn(at, volume)).map(({ SnapshotId }) => SnapshotId)).toEqual([theirs.SnapshotId]);
  await untilGone(at, node);
});

/** in a long run each kind of request is met by each fate, else by the one that shows most */
const fates: Fate[] = process.env['CLOUD_FATES'] === 'all' ? ['lose', 'drop', 'throttle', 'fail'] : ['lose'];

for (const fate of fates)
  on.test(
    `when each kind of request fails once (${fate}), a backup and its restore come to their end, and nothing is left`,
    async (at) => {
      const node = on.node(at);
      await bringUp(at, node);
      const met = new Set<string>();
      at.cloud.fate = (action) => {
        if (met.has(action) || action === 'AssumeRole') return 'pass';
        met.add(action);
        return fate;
      };
      const volume = newVolume(node);
      const { digest } = await backUp(volume);
      await done(() => volumes().stage(volume, digest, never));
      await swap(at, node, volume);
      renewToken(node);
      await bringUp(at, node);
      for (let looks = 0; looks < 5; looks++) await clear(volume.run).catch(() => undefined);
      const { instances, volumes: left } = await atTheCloud(at, node);
      expect([instances.length, left.length]).toEqual([1, 1]);
      expect(left[0]?.SnapshotId).toBe((await snapshotsIn(at, volume))[0]?.SnapshotId);
      expect(await snapshotsIn(at, volume)).toHaveLength(1);
      for (let tries = 0; tries < 5; tries++)
        await volumes()
          .remove(volume.copy)
          .catch(() => undefined);
      expect(await snapshotsIn(at, volume)).toEqual([]);
      for (const action of ['CreateSnapshot', 'CreateVolume', 'CreateTags', 'DeleteVolume', 'DeleteSnapshot'])
        expect(met).toContain(action);
      await untilGone(at, node);
    },
  );

on.test('a call that is given up changes nothing, and a refusal is told', async (at) => {
  const node = on.node(at);
  await bringUp(at, node);
  const volume = newVolume(node);
  const givenUp = { ...never, confirm: () => Promise.reject(new Error('it is in other hands')) };
  await expect(volumes().copy(volume, givenUp)).rejects.toThrow('in other hands');
  expect(await snapshotsIn(at, volume)).toEqual([]);
  at.cloud.fate = (action) => (action === 'CreateSnapshot' ? 'deny' : 'pass');
  await expect(volumes().copy(volume, never)).rejects.toThrow(
    'the cloud does not do CreateSnapshot (AccessDenied)',
  );
  await untilGone(at, node);
});
