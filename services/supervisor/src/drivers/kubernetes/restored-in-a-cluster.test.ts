import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually, type ShapeChanges } from '@sluice/testing';
import { call, untilGone, untilStatus } from '#test/client.ts';
import {
  addressOf,
  clusterSettings,
  copiedClass,
  describeWithNodes,
  testCluster,
  type TestCluster,
} from '@sluice/driver-kubernetes/testing/fixtures/cluster.ts';
import { aCluster, connectToAll } from '#test/clusters.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import type { components } from '../../generated/api.ts';

type Backup = components['schemas']['Backup'];

/** milliseconds */
const limit = 420_000;
const patient = { timeoutMs: 240_000, everyMs: 500 };

(copiedClass === undefined ? describe.skip : describeWithNodes)(
  'backups of a deployment in a cluster',
  () => {
    const region = supervisor();
    let cluster: TestCluster;
    let url: string;
    let key: string;

    beforeAll(async () => {
      cluster = await testCluster();
      const environment = { ...clusterSettings(cluster), KUBERNETES_CLUSTER_SPREAD: 'preferred' };
      const replica = await region.startWith({}, { environment });
      url = addressOf(replica.url);
      key = await region.key();
    }, limit);
    afterAll(() => cluster.close(), limit);

    test.each(['standalone', 'cluster'] as const)(
      'of a %s: a restore brings back what there was, and nothing is left of copies once it is deleted',
      async (kind) => {
        const count = kind === 'cluster' ? 3 : 1;
        const more: ShapeChanges = {
          ...{ uid: randomUUID(), storage: { type: 'network_balanced', size: 1 } },
          limits: { access_rules: 10, backups: 10, backup_days: 30 },
        };
        const shape = kind === 'cluster' ? aCluster(count, more) : aDeployment(more);
        const namespace = `${cluster.owner}-d${shape.id}`;
        const at = (path = '') => `${url}/deployments/${shape.id}/backups${path}`;
        const list = async () => (await call(at(), key)).body as Backup[];
        const connect = async () =>
          await eventually(
            async () => await connectToAll(url, key, await untilStatus(url, key, shape.id, 'initialized')),
            patient,
          );
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

        await region.apply(shape);
        const client = await connect();
        await eventually(
          async () =>
            (await jetstreamManager(client)).streams.add({
              ...{ name: 'KEPT', subjects: ['kept'], num_replicas: count },
            }),
          patient,
        );
        await client.close();
        await publish();
        const stored = await held();

        expect(await call(at(), key, { method: 'POST', body: { name: 'one' } })).toMatchObject({
          status: 204,
        });
        await eventually(async () => expect(await list()).toMatchObject([{ status: 'completed' }]), patient);
        const [backup] = await list();
        expect(backup).toMatchObject({ size_bytes: count * 2 ** 30 });
        expect(await cluster.objects('VolumeSnapshot', namespace)).toHaveLength(count);
        await publish();
        expect(await held()).toBeGreaterThan(stored);

        const restore = () => call(at(`/${backup!.id}/restore`), key, { method: 'POST' });
        expect(await restore()).toMatchObject({ status: 204 });
        await eventually(async () => {
          expect(await region.sql('SELECT FROM volume_work')).toEqual([]);
        }, patient);
        await eventually(async () => {
          const told = await messagesAbout<{ type: string }>(region, 'events', shape.id);
          expect(told.map(({ type }) => type)).toContain('backup_restored');
        }, patient);
        expect(await held()).toBe(stored);
        // the volumes that were there before are gone
        await eventually(async () => {
          expect(await cluster.objects('PersistentVolumeClaim', namespace)).toHaveLength(count);
        }, patient);
        await publish();

        await region.remove(shape.id);
        await untilGone(url, key, shape.id, 180_000);
        expect(await cluster.namespaces()).not.toContain(namespace);
      },
      limit,
    );
  },
);
