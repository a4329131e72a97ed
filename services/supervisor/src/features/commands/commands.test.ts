import { idOf, type DeploymentSpec, type EnvironmentId, type NodeId } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually } from '@sluice/testing';
import { call, untilGone, untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

describe('commands', () => {
  const region = supervisor({ replicas: 1 });
  let url: string;
  let key: string;

  beforeAll(async () => {
    ({ url } = region.replica());
    key = await region.key();
  });

  /** Resolves when the region has taken in every command that was published. */
  const handled = () =>
    eventually(async () => {
      const manager = await jetstreamManager(region.nats);
      const { state } = await manager.streams.info(region.names.streams.commands.name);
      expect(state.messages).toBe(0);
    });
  const deployment = (id: number) => call(`${url}/deployments/${id}`, key);
  const tombstone = async (id: number) =>
    (await region.sql('SELECT removed_at FROM removed_uids WHERE deployment_id = $1', [id]))[0];

  test('that apply the same generation again, or an older one, change nothing', async () => {
    const shape = aDeployment({ name: 'second' });
    await region.apply(shape, 2);
    await region.apply({ ...shape, name: 'first' }, 1);
    await region.apply({ ...shape, name: 'another' }, 2);
    await handled();
    expect((await deployment(shape.id)).body).toMatchObject({ name: 'second' });
    await untilStatus(url, key, shape.id, 'initialized');
    const changed_at = expect.stringMatching(/Z$/) as string;
    const reached = { status: 'True', reason: 'Completed', message: '', changed_at };
    const conditions = ['Initialized', 'SubnetAssigned'].map((type) => ({ type, ...reached }));
    expect((await deployment(shape.id)).body).toMatchObject({
      conditions: expect.arrayContaining(conditions) as unknown[],
    });
    expect(await region.processesOf(shape.nodes[0]!.id)).toEqual({ agents: 1, gateways: 1, brokers: 1 });
  });

  test('that apply a newer generation change the shape and leave broker and credentials as they are', async () => {
    const shape = aDeployment();
    await region.apply(shape, 1);
    await untilStatus(url, key, shape.id, 'initialized');
    const credentials = () => call(`${url}/deployments/${shape.id}/credentials`, key);
    const before = (await credentials()).body;
    await region.apply(
      { ...shape, name: 'renamed', environment: { id: idOf<EnvironmentId>(3), name: 'live' } },
      5,
    );
    await handled();
    expect((await deployment(shape.id)).body).toMatchObject({ name: 'renamed', status: 'initialized' });
    expect((await credentials()).body).toEqual(before);
  });

  test('that rename only what the deployment is in are shown, and told to no node', async () => {
    const shape = aDeployment();
    await region.apply(shape, 1);
    await untilStatus(url, key, shape.id, 'initialized');
    const revision = async () =>
      (await region.sql('SELECT revision FROM deployments WHERE id = $1', [shape.id]))[0];
    const before = await revision();
    const environment = { ...shape.environment, name: 'live' };
    await region.apply({ ...shape, environment }, 2);
    await handled();
    const stored = 'SELECT generation::int, spec -> $2 AS environment FROM deployments WHERE id = $1';
    expect(await region.sql(stored, [shape.id, 'environment'])).toEqual([{ generation: 2, environment }]);
    expect(await revision()).toEqual(before);
    await region.apply({ ...shape, environment, name: 'renamed' }, 3);
    await handled();
    expect(await revision()).not.toEqual(before);
  });

  test('that ask for less storage than there is, shapes and upgrades, do not shrink it', async () => {
    const storage = (size: number) => ({ type: 'network_balanced' as const, size });
    const shape = aDeployment({ tier: 'medium', storage: storage(60) });
    await region.apply(shape, 1);
    await region.apply({ ...shape, name: 'restored', tier: 'small', storage: storage(20) }, 2);
    await handled();
    const stored = `SELECT spec ->> 'name' AS name, spec ->> 'tier' AS tier, spec -> 'storage' AS storage
      FROM deployments WHERE id = $1`;
    expect(await region.sql(stored, [shape.id])).toEqual([
      { name: 'restored', tier: 'medium', storage: storage(60) },
    ]);
    await region.upgrade(shape, {}, { generation: 3, storage: storage(30) });
    const wanted = 'SELECT storage FROM deployment_upgrades WHERE deployment_id = $1';
    await eventually(async () =>
      expect(await region.sql(wanted, [shape.id])).toEqual([{ storage: storage(60) }]),
    );
  });

  test('that apply further nodes have them made beside those that are there', async () => {
    const shape = aDeployment();
    await region.apply(shape, 1);
    await untilStatus(url, key, shape.id, 'initialized');
    const nodes = [...shape.nodes, { id: idOf<NodeId>(shape.id + 2), name: 'node-2' }];
    await region.apply({ ...shape, nodes }, 2);
    await eventually(async () =>
      expect((await deployment(shape.id)).body).toMatchObject({
        nodes: [
          { id: shape.id + 1, status: 'healthy', private_ip: expect.stringMatching(/\.10$/) as string },
          { id: shape.id + 2, status: 'healthy', private_ip: expect.stringMatching(/\.11$/) as string },
        ],
      }),
    );
  });

  test('are stored as they came, with what only a newer main-api and a newer supervisor know', async () => {
    const shape = aDeployment();
    const newer = { ...shape, colour: 'red', storage: { ...shape.storage, iops: 3_000 } };
    const cause = { author: null, api_key: null, correlation_id: null, session: 'a1' };
    await region.apply(newer, 1, { cause });
    await handled();
    const stored = () => region.sql('SELECT spec, created_by FROM deployments WHERE id = $1', [shape.id]);
    expect(await stored()).toEqual([{ spec: newer, created_by: cause }]);
    await region.apply({ ...newer, name: 'renamed' }, 2);
    await handled();
    expect(await stored()).toMatchObject([{ spec: { ...newer, name: 'renamed' } }]);
  });

  test('with values that only a newer supervisor knows wait for it, and hold up nothing', async () => {
    const unknown = { ...aDeployment(), tier: '32xlarge' } as unknown as DeploymentSpec;
    await region.apply(unknown);
    const shape = aDeployment();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    expect((await deployment(unknown.id)).status).toBe(404);
    const { streams } = await jetstreamManager(region.nats);
    const { commands, deadLetters } = region.names.streams;
    expect((await streams.info(commands.name)).state.messages).toBe(1);
    expect((await streams.info(deadLetters.name)).state.messages).toBe(0);
    await streams.purge(commands.name);
  });

  test('to delete win over one to apply that comes later', async () => {
    const shape = aDeployment();
    await region.remove(shape.id, { uid: shape.uid });
    await region.apply(shape, 9);
    await handled();
    expect((await deployment(shape.id)).status).toBe(404);
    expect(await tombstone(shape.id)).toMatchObject({ removed_at: expect.any(Date) as Date });
  });

  test('to delete that come again and again end in one removal', async () => {
    const shape = aDeployment();
    await region.apply(shape);
    await Promise.all([region.remove(shape.id), region.remove(shape.id), region.remove(shape.id)]);
    await handled();
    await eventually(async () => {
      expect((await deployment(shape.id)).status).toBe(404);
      expect(await tombstone(shape.id)).toMatchObject({ removed_at: expect.any(Date) as Date });
    });
    expect(await region.processesOf(shape.nodes[0]!.id)).toEqual({ agents: 0, gateways: 0, brokers: 0 });
  });

  test.each(['creating_subnet', 'waiting_for_nodes', 'deploying_nodes'])(
    'to delete take effect while the deployment is in %s',
    async (status) => {
      const shape = aDeployment();
      await region.apply(shape);
      await eventually(
        async () => {
          const { body } = await deployment(shape.id);
          const order = [
            'creating',
            'creating_subnet',
            'waiting_for_nodes',
            'deploying_nodes',
            'initialized',
          ];
          const reached = order.indexOf((body as { status: string }).status);
          expect(reached).toBeGreaterThanOrEqual(order.indexOf(status));
        },
        { everyMs: 5 },
      );
      await region.remove(shape.id);
      await untilGone(url, key, shape.id);
      expect(await region.processesOf(shape.nodes[0]!.id)).toEqual({ agents: 0, gateways: 0, brokers: 0 });
      expect(await region.nodeFolders()).not.toContain(shape.nodes[0]!.id);
    },
  );

  test('that make no sense are put aside and hold up nothing behind them', async () => {
    const broken = aDeployment({ region: 'eu-west-1' });
    await region.apply(broken);
    const shape = aDeployment();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized', 25_000);
    expect((await deployment(broken.id)).status).toBe(404);
    const manager = await jetstreamManager(region.nats);
    const { state } = await manager.streams.info(region.names.streams.deadLetters.name);
    expect(state.messages).toBe(1);
  }, 60_000);
});
