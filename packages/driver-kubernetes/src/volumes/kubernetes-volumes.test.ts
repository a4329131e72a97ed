import { randomUUID } from 'node:crypto';
import { idOf, type NodeId } from '@sluice/contracts';
import { volumesConformance } from '@sluice/drivers/conformance';
import { createLog } from '@sluice/system/log';
import { aDeployment, eventually } from '@sluice/testing';
import { aCall, aNode } from '#test/cluster-nodes.ts';
import { anInstallation } from '#test/cluster-objects.ts';
import { copiedClass, describeWithCopies, testCluster, type TestCluster } from '#test/cluster.ts';
import {
  underWay,
  type ComputeDriver,
  type NodeToEnsure,
  type RestoredVolume,
  type UnderWay,
  type VolumeDriver,
} from '@sluice/drivers';
import { createKubernetesApi, type KubernetesApi } from '../compute/kubernetes-api.ts';
import { connectTo, readKubeconfig } from '../compute/connection.ts';
import { createKubernetesDriver } from '../compute/kubernetes-driver.ts';
import { claimOfPod } from '../compute/node-claim.ts';
import { snapshotsAvailable } from './availability.ts';
import { createKubernetesVolumes } from './kubernetes-volumes.ts';

/** a cluster takes its time, milliseconds */
const limit = 240_000;
const patient = { timeoutMs: 180_000, everyMs: 250 };
const log = createLog({ service: 'supervisor', level: 'error' });

describeWithCopies('copies of volumes, at a real API server with a storage provider', () => {
  let cluster: TestCluster;
  let api: KubernetesApi;
  let compute: ComputeDriver;
  let volumes: VolumeDriver;
  const stopping = new AbortController();

  beforeAll(async () => {
    cluster = await testCluster();
    const { owner, role, kubeconfig } = cluster;
    api = createKubernetesApi(connectTo(readKubeconfig(kubeconfig), stopping.signal));
    const storageClasses = { network_balanced: copiedClass ?? '' };
    compute = createKubernetesDriver({
      ...{ api, stopping: stopping.signal, now: () => new Date(), log },
      installation: anInstallation({ owner, role, image: 'nowhere.invalid/none:1', storageClasses }),
    });
    volumes = createKubernetesVolumes({ api, owner, snapshotClass: undefined });
  }, limit);
  afterAll(async () => {
    stopping.abort();
    await cluster.close();
  }, limit);

  /** A node whose volume is there; its agent never runs. */
  async function deploy() {
    const shape = aDeployment({ uid: randomUUID(), storage: { type: 'network_balanced', size: 1 } });
    const node = aNode(shape);
    const namespace = `${cluster.owner}-d${shape.id}`;
    const claims = () => cluster.objects('PersistentVolumeClaim', namespace);
    await compute.ensureNode(node, aCall());
    await eventually(async () => {
      expect(await claims()).toMatchObject([{ status: { phase: 'Bound' } }]);
    }, patient);
    const volume = (): RestoredVolume => ({
      ...{ node: node.id, copy: `1-${node.id}-${randomUUID().slice(0, 8)}`, run: randomUUID() },
    });
    const pods = async () => (await cluster.objects('Pod', namespace)).map(claimOfPod);
    return { node, namespace, claims, pods, volume };
  }
  type Deployed = Awaited<ReturnType<typeof deploy>>;

  /** Repeats a call until it has ended, as the work on volumes does, while the reconciler looks after the node. */
  async function ended<Answer>(
    call: () => Promise<Answer | UnderWay>,
    node?: NodeToEnsure,
  ): Promise<Exclude<Answer, UnderWay>> {
    return await eventually(async () => {
      const answer = await call();
      if (node && (await compute.observe(node, aCall())).drifted === true)
        await compute.ensureNode(node, aCall());
      expect(answer).not.toBe(underWay);
      return answer as Exclude<Answer, UnderWay>;
    }, patient);
  }

  async function backUp({ volume }: Deployed) {
    const copied = volume();
    await ended(() => volumes.copy(copied, aCall()));
    return { copied, sealed: await ended(() => volumes.seal(copied, aCall())) };
  }
  const presentClaim = ({ node }: Deployed) => `node-${node.id}`;

  volumesConformance('kubernetes', {
    isThere: () => true,
    driver: () => volumes,
    async aNode() {
      const deployed = await deploy();
      const { node } = deployed;
      return {
        id: node.id,
        stored: async () => String((await deployed.pods())[0]),
        // another claim is another value
        change: () => Promise.resolve(),
        async lookAfter() {
          if ((await compute.observe(node, aCall())).drifted) await compute.ensureNode(node, aCall());
        },
        remove: () => compute.removeNode(node.id, aCall()),
      };
    },
    pauseSeconds: 0.5,
  });

  test(
    'a cluster with a class of snapshots has backups; one without, or without the one that is named, has none',
    async () => {
      const look = (snapshotClass: string | undefined, reached = api) =>
        snapshotsAvailable({ api: reached, snapshotClass, log })();
      expect(await look(undefined)).toBe(true);
      expect(await look(`none-${randomUUID()}`)).toBe(false);
      const unreachable = createKubernetesApi({
        ...{ send: () => Promise.reject(new Error('away')), open: () => Promise.reject(new Error('away')) },
      });
      expect(await look(undefined, unreachable)).toBe(false);
    },
    limit,
  );

  test(
    'a copy is made once, however often and by whomever it is asked for, and goes when it is removed',
    async () => {
      const deployed = await deploy();
      const { namespace, node } = deployed;
      const copied = deployed.volume();
      // the first replica is killed before each of its requests takes effect, or right after
      const killed = aCall({ confirm: () => Promise.reject(new Error('killed')) });
      await expect(volumes.copy(copied, killed)).rejects.toThrow('killed');
      const asked = await Promise.all([1, 2, 3].map(() => volumes.copy(copied, aCall())));
      expect(asked).toContain(underWay);
      await ended(() => volumes.copy(copied, aCall()));
      expect((await volumes.list()).unfinished).toContain(copied.copy);
      const sealed = await ended(() => volumes.seal(copied, aCall()));
      expect(sealed).toEqual({
        ...{ volume: presentClaim(deployed), bytes: 2 ** 30 },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      });
      expect(await volumes.seal(copied, aCall())).toEqual(sealed);
      expect((await volumes.list()).unfinished).not.toContain(copied.copy);
      expect(await cluster.objects('VolumeSnapshot', namespace)).toMatchObject([
        {
          metadata: {
            labels: { 'sluice.example/node': String(node.id), 'sluice.example/copy': copied.copy },
          },
        },
      ]);
      await volumes.remove(copied.copy);
      expect(await cluster.objects('VolumeSnapshot', namespace)).toEqual([]);
      await volumes.remove(copied.copy);
    },
    limit,
  );

  test(
    'what has the name of a copy and is none is left alone, and the backup says so',
    async () => {
      const { namespace, volume, node } = await deploy();
      const copied = volume();
      const theirs = {
        ...{ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' },
        metadata: { name: `backup-${copied.copy}`, namespace },
        spec: { source: { persistentVolumeClaimName: `node-${node.id}` } },
      };
      await cluster.admin.create(theirs);
      await expect(volumes.copy(copied, aCall())).rejects.toThrow(/is there already/);
      await volumes.remove(copied.copy);
      expect(await cluster.objects('VolumeSnapshot', namespace)).toHaveLength(1);
    },
    limit,
  );

  test(
    'a class that the cluster does not have fails the backup with what the cluster says',
    async () => {
      const { volume } = await deploy();
      const patience = { copying: 0, sealing: 0, staging: 0 };
      const named = { api, owner: cluster.owner, snapshotClass: 'of-nobody', patience };
      const [lacking, copied] = [createKubernetesVolumes(named), volume()];
      await eventually(() => expect(lacking.copy(copied, aCall())).rejects.toThrow(/of-nobody/), patient);
      await volumes.remove(copied.copy);
    },
    limit,
  );

  test(
    'a restore puts a volume of the copy in place of the present one, which goes once it has ended',
    async () => {
      const deployed = await deploy();
      const { node, claims, pods, volume } = deployed;
      const { copied, sealed } = await backUp(deployed);
      const restored = { ...copied, run: volume().run };
      await expect(volumes.stage(restored, 'of another copy', aCall())).rejects.toThrow(/another one/);
      await ended(() => volumes.stage(restored, sealed.digest, aCall()));
      const made = `node-${node.id}-${restored.run}`;
      const size = { spec: { resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Bound' } };
      expect((await claims()).find(({ metadata }) => metadata.name === made)).toMatchObject(size);
      expect((await volumes.list()).runs).toContain(restored.run);
      expect(await pods()).toEqual([presentClaim(deployed)]);

      // the one before is killed right before the label is set
      const killed = aCall({ confirm: () => Promise.reject(new Error('killed')) });
      await expect(volumes.swap(restored, killed)).rejects.toThrow('killed');
      const held = { ...node, deployed: true, enrolled: true };
      await ended(() => volumes.swap(restored, aCall()), held);
      expect(await pods()).toEqual([made]);
      // another volume has another agent's key
      expect(node.tokens).toHaveLength(2);
      await volumes.clear(restored.run);
      await eventually(async () => {
        expect((await claims()).map(({ metadata }) => metadata.name)).toEqual([made]);
      }, patient);
      expect((await volumes.list()).runs).not.toContain(restored.run);
      expect(await compute.observe(held, aCall())).toMatchObject({ dataGone: false });

      // what was restored is copied and restored in turn
      const again = await backUp(deployed);
      expect(again.sealed.volume).toBe(made);
      const next = { ...again.copied, run: volume().run };
      await ended(() => volumes.stage(next, again.sealed.digest, aCall()));
      await ended(() => volumes.swap(next, aCall()), held);
      expect(await pods()).toEqual([`node-${node.id}-${next.run}`]);
      await volumes.clear(next.run);
      await compute.removeNode(node.id, aCall());
      expect((await cluster.namespaces()).some((name) => name.endsWith(`-d${node.deploymentId}`))).toBe(
        false,
      );
    },
    limit,
  );

  test(
    'a restore that is taken back leaves the node what it had, also where its pod never got ready',
    async () => {
      const deployed = await deploy();
      const { node, claims, pods, volume } = deployed;
      const { copied, sealed } = await backUp(deployed);
      const restored = { ...copied, run: volume().run };
      await ended(() => volumes.stage(restored, sealed.digest, aCall()));
      const held = { ...node, deployed: true, enrolled: true };
      await ended(() => volumes.swap(restored, aCall()), held);
      await ended(() => volumes.swapBack(restored, aCall()), held);
      expect(await pods()).toEqual([presentClaim(deployed)]);
      await volumes.swapBack(restored, aCall());
      await volumes.clear(restored.run);
      await eventually(async () => {
        expect((await claims()).map(({ metadata }) => metadata.name)).toEqual([presentClaim(deployed)]);
      }, patient);
    },
    limit,
  );

  test(
    'what cannot be made of a copy is found out before anything is stopped',
    async () => {
      const deployed = await deploy();
      const { namespace, claims, pods, volume } = deployed;
      const { copied, sealed } = await backUp(deployed);
      const patience = { copying: 0, sealing: 0, staging: 0 };
      const hasty = createKubernetesVolumes({
        api,
        owner: cluster.owner,
        snapshotClass: undefined,
        patience,
      });
      const restored = { ...copied, run: volume().run };
      // the class of the copy is gone
      const [snapshot] = await cluster.objects('VolumeSnapshot', namespace);
      const { metadata } = snapshot!;
      await api.mark(
        { ...snapshot!, kind: 'VolumeSnapshot', metadata },
        { annotations: { 'sluice.example/storage-class': 'of-nobody' } },
      );
      await eventually(
        () => expect(hasty.stage(restored, sealed.digest, aCall())).rejects.toThrow(/of-nobody/),
        patient,
      );
      expect(await pods()).toEqual([presentClaim(deployed)]);
      await volumes.clear(restored.run);
      await eventually(async () => expect(await claims()).toHaveLength(1), patient);
    },
    limit,
  );

  test('a node that the cluster does not have cannot be copied', async () => {
    const copied = { node: idOf<NodeId>(999_999_999), copy: '1-999999999-00c0ffee' };
    await expect(volumes.copy(copied, aCall())).rejects.toThrow(/has no node/);
  });
});
