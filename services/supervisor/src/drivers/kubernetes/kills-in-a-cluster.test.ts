import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually, freePort } from '@sluice/testing';
import { call, connectTo, untilStatus } from '#test/client.ts';
import {
  clusterSettings,
  copiedClass,
  describeWithNodes,
  testCluster,
  type TestCluster,
} from '@sluice/driver-kubernetes/testing/fixtures/cluster.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';
import type { components } from '../../generated/api.ts';

type Backup = components['schemas']['Backup'];

const kills = Number(process.env['BACKUP_KILLS'] ?? 2);
/** milliseconds */
const limit = 120_000 + kills * 180_000;
const patient = { timeoutMs: 150_000, everyMs: 250 };
/** within which most of a backup or a restore happens here, milliseconds */
const longestPause = 15_000;

(copiedClass === undefined ? describe.skip : describeWithNodes)('a supervisor of pods that is killed', () => {
  const region = supervisor();
  const shape = aDeployment({
    ...{ uid: randomUUID(), storage: { type: 'network_balanced', size: 1 } },
    limits: { access_rules: 10, backups: 1_000, backup_days: 30 },
  });
  let cluster: TestCluster;
  let port: number;
  let replica: ReplicaProcess;
  let key: string;

  beforeAll(async () => {
    cluster = await testCluster();
    port = await freePort();
    replica = await start();
    key = await region.key();
    await region.apply(shape);
    const client = await connect();
    await (await jetstreamManager(client)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await client.close();
    await publish();
  }, limit);
  afterAll(async () => {
    await replica.stop();
    await cluster.close();
  }, limit);

  const start = () => region.spawn(port, { ...clusterSettings(cluster), RECONCILER_LEASE_SECONDS: '3' });
  const at = (path = '') => `${replica.url}/deployments/${shape.id}/backups${path}`;
  const post = (path = '', body?: object) => call(at(path), key, { method: 'POST', body });
  const connect = () =>
    eventually(async () => {
      const { url } = replica;
      return await connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized'));
    }, patient);
  async function publish() {
    const client = await connect();
    await eventually(() => jetstream(client).publish('kept', 'a message'), patient);
    await client.close();
  }
  async function held() {
    const client = await connect();
    const { state } = await eventually(
      async () => (await jetstreamManager(client)).streams.info('KEPT'),
      patient,
    );
    await client.close();
    return state.messages;
  }

  test(
    `at ${kills} points of backups and restores leaves the old data or the new, and no volume or copy that nobody knows`,
    async () => {
      const namespace = `${cluster.owner}-d${shape.id}`;
      const messagesIn = new Map<number, number>();
      let messages = 1;
      for (let kill = 0; kill < kills; kill++) {
        const from = kill % 2 === 1 ? [...messagesIn.keys()].at(-1) : undefined;
        const asked = await (from === undefined ? post('', { name: 'killed' }) : post(`/${from}/restore`));
        expect(asked).toMatchObject({ status: 204 });
        await pause(Math.random() * longestPause);
        await replica.kill();
        replica = await start();
        await eventually(
          async () => expect(await region.sql('SELECT FROM volume_work')).toEqual([]),
          patient,
        );
        const found = await held();
        expect(from === undefined ? [messages] : [messages, messagesIn.get(from)]).toContain(found);
        const [newest] = (await call(at(), key)).body as Backup[];
        expect(newest!.status).toMatch(/completed|failed/);
        if (from === undefined && newest!.status === 'completed') messagesIn.set(newest!.id, messages);
        await publish();
        messages = found + 1;
      }

      const backups = (await call(at(), key)).body as Backup[];
      const whole = backups.filter(({ status }) => status === 'completed');
      expect(whole.length).toBeGreaterThan(0);
      await eventually(async () => {
        const snapshots = await cluster.objects('VolumeSnapshot', namespace);
        const copies = snapshots.map(({ metadata }) => metadata.labels?.['sluice.example/copy']);
        expect(copies.sort()).toEqual(whole.flatMap(({ snapshot_ids }) => snapshot_ids).sort());
        expect(await cluster.objects('PersistentVolumeClaim', namespace)).toHaveLength(1);
      }, patient);
    },
    limit,
  );
});
