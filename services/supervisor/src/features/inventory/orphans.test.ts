import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, connectBroker, eventually, type Login } from '@sluice/testing';
import { call, connectTo, untilStatus, type Deployment } from '#test/client.ts';
import { supervisor } from '#test/region.ts';
import { createDrivers } from '../../drivers.ts';

/** The region's database is restored from a copy that knows nothing of a deployment: its node goes on, for nobody. */
describe('a node that no deployment has', () => {
  const region = supervisor({ per: 'test' });
  const one = { agents: 1, gateways: 1, brokers: 1 };
  let url: string;
  let key: string;

  async function start(more: Record<string, string> = {}, drivers = createDrivers) {
    ({ url } = await region.startWith({ drivers }, { environment: more }));
    key = await region.key();
  }
  async function deploy(more: Parameters<typeof aDeployment>[0] = {}) {
    const shape = aDeployment({ uid: randomUUID(), ...more });
    await region.apply(shape);
    return { shape, node: shape.nodes[0]!.id, running: await untilStatus(url, key, shape.id, 'initialized') };
  }
  const forget = (id: number) => region.sql('DELETE FROM deployments WHERE id = $1', [id]);
  const login = async (id: number) => (await call(`${url}/deployments/${id}/credentials`, key)).body as Login;
  const store = async (deployment: Deployment) => {
    const client = await connectTo(url, key, deployment);
    await (await jetstreamManager(client)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(client).publish('kept', 'still here');
    await client.close();
  };
  const streamsOf = async (deployment: Deployment) => {
    const client = await connectTo(url, key, deployment);
    const names = await (await jetstreamManager(client)).streams.names().next();
    await client.close();
    return names;
  };

  test('is removed after a while, and no other with it', async () => {
    await start({ ORPHANED_NODE_SECONDS: '1' });
    const [lost, kept] = [await deploy(), await deploy()];
    await forget(lost.shape.id);
    await eventually(async () => expect(await region.nodeFolders()).toEqual([kept.node]));
    expect(await region.processesOf(lost.node)).toEqual({ agents: 0, gateways: 0, brokers: 0 });
    expect(await region.processesOf(kept.node)).toEqual(one);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^sluice_orphaned_nodes_removed_total 1$/m);
  });

  test('comes back to its deployment with its data, when that is sent again before', async () => {
    await start();
    const { shape, node, running } = await deploy();
    await store(running);
    const former = await login(shape.id);
    await forget(shape.id);
    await region.apply(shape);
    const again = await untilStatus(url, key, shape.id, 'initialized');
    expect(await streamsOf(again)).toEqual(['KEPT']);
    expect(await region.processesOf(node)).toEqual(one);
    await expect(connectBroker(again.endpoints.broker_tcp, former)).rejects.toThrow();
  });

  test('is nothing to another deployment that is given its id', async () => {
    await start();
    const { shape, running } = await deploy();
    await store(running);
    const former = await login(shape.id);
    await forget(shape.id);
    const other = await deploy({ id: shape.id, nodes: shape.nodes });
    expect(await streamsOf(other.running)).toEqual([]);
    expect(await region.processesOf(other.node)).toEqual(one);
    await expect(connectBroker(other.running.endpoints.broker_tcp, former)).rejects.toThrow();
  });

  test('is not removed under the hands of a deployment that comes for it', async () => {
    const { promise: removal, resolve: removing } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: remove } = Promise.withResolvers<void>();
    await start({ ORPHANED_NODE_SECONDS: '0' }, async (...options) => {
      const { compute, network } = await createDrivers(...options);
      const removeNode: typeof compute.removeNode = async (...node) => {
        removing();
        await goOn;
        await compute.removeNode(...node);
      };
      return { network, compute: { ...compute, removeNode } };
    });
    const { shape, node } = await deploy();
    await forget(shape.id);
    await removal;
    await region.apply(shape);
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    await eventually(async () => expect(await region.sql(waits)).not.toEqual([]));
    expect(await region.sql('SELECT FROM deployments')).toEqual([]);
    remove();
    await untilStatus(url, key, shape.id, 'initialized');
    expect(await region.processesOf(node)).toEqual(one);
  });
});
