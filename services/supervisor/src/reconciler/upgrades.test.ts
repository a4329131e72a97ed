import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { idOf, type DeploymentSpec, type NodeId, type ReportData } from '@sluice/contracts';
import { aDeployment, eventually, freePort } from '@sluice/testing';
import { call, connectTo, untilGone, untilStatus, type Deployment } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';

const mebibyte = 2 ** 20;
const small = {
  ...{ broker_connections: 2, broker_memory: mebibyte, broker_disk: 10 * mebibyte },
  broker_rate: 100_000,
};
const large = {
  ...{ broker_connections: 200, broker_memory: 2 * mebibyte, broker_disk: 100 * mebibyte },
  broker_rate: null,
};
/** more memory than any machine has */
const impossible = { ...large, broker_memory: 2 ** 49 };

interface Report {
  type: string;
  data: ReportData<'deployment_status'>;
}

describe('an upgrade', () => {
  const region = supervisor();
  let port: number;
  let replica: ReplicaProcess;
  let url: string;
  let key: string;
  let shape: DeploymentSpec;
  let deployment: Deployment;

  beforeAll(async () => {
    port = await freePort();
    replica = await region.spawn(port);
    ({ url } = replica);
    key = await region.key();
  });

  beforeEach(async () => {
    shape = aDeployment({ limits: { access_rules: 10, ...small } });
    await region.apply(shape);
    deployment = await untilStatus(url, key, shape.id, 'initialized');
  });

  /** What main-api was told since the deployment first ran, in order, without what it was told of connectors alone. */
  async function told() {
    const reports = await messagesAbout<Report>(region, 'reports', shape.id);
    const seen = reports
      .flatMap(({ type, data }) => (type === 'deployment_status' ? [data] : []))
      .filter(({ connectors, status }, index, all) => !connectors || status !== all[index - 1]?.status);
    const first = seen.findIndex(({ status }) => status === 'initialized');
    return seen.slice(first + 1);
  }
  const untilTold = (...statuses: string[]) =>
    eventually(async () => {
      const reports = await told();
      expect(reports.map(({ status }) => status)).toEqual(statuses);
      return reports;
    });
  const agent = async (signal: NodeJS.Signals) =>
    process.kill(await region.agentOf(shape.nodes[0]!.id), signal);
  const tier = async () => (await untilStatus(url, key, shape.id, 'initialized')).tier;

  const addStream = async (connection: NatsConnection, name: string, max_bytes: number) =>
    (await jetstreamManager(connection)).streams.add({ name, subjects: [name], max_bytes });

  /** Has the broker go by a configuration, from its next revision on. */
  async function configure(values: Record<string, unknown>): Promise<void> {
    const configs = `${url}/deployments/${shape.id}/configs/broker`;
    const { body } = await call(configs, key, { method: 'POST', body: { values } });
    const { id } = body as { id: number };
    await region.sql("INSERT INTO configs_applied VALUES ($1, 'broker', $2)", [shape.id, id]);
  }

  test('from small to large under load keeps all messages, and lets clients have what is new and not lowered', async () => {
    await configure({ BROKER_STREAM_MAX_MEMORY: mebibyte });
    const patient = { reconnect: true, reconnectTimeWait: 50, maxReconnectAttempts: -1 };
    const connection = await connectTo(url, key, deployment, patient);
    await addStream(connection, 'KEPT', mebibyte);
    await expect(addStream(connection, 'BIG', 50 * mebibyte)).rejects.toThrow(/storage/);
    let [sent, loaded] = [0, true];
    const load = (async () => {
      // on a closed one every attempt fails at once, and nothing else in this process would ever get its turn
      while (loaded && !connection.isClosed()) {
        const options = { msgID: String(sent), timeout: 1_000 };
        // the broker may restart under it
        if (
          await jetstream(connection)
            .publish('KEPT', 'x'.repeat(100), options)
            .catch(() => null)
        )
          sent += 1;
      }
    })();
    await eventually(() => expect(sent).toBeGreaterThan(10));

    const upgrade_id = randomUUID();
    await region.upgrade(shape, large, { upgrade_id });
    const [begun, ended] = await untilTold('upgrading', 'initialized');
    expect(begun!.upgrade).toMatchObject({ upgrade_id, state: 'in_progress' });
    expect(ended!.upgrade).toMatchObject({ upgrade_id, state: 'completed' });
    const before = sent;
    await eventually(() => expect(sent).toBeGreaterThan(before + 10));
    loaded = false;
    await load;
    const manager = await jetstreamManager(connection);
    expect((await manager.streams.info('KEPT')).state.messages).toBe(sent);
    await addStream(connection, 'BIG', 50 * mebibyte);
    await expect(
      manager.streams.add({ name: 'FAST', storage: StorageType.Memory, max_bytes: mebibyte + 1 }),
    ).rejects.toThrow(/memory/);
    const more = await Promise.all([1, 2, 3].map(() => connectTo(url, key, deployment)));
    for (const one of [connection, ...more]) await one.close();
    expect(await tier()).toBe('large');
  });

  test('to what its node refuses goes back, and no client notices', async () => {
    const connection = await connectTo(url, key, deployment);
    const upgrade_id = randomUUID();
    const reason = expect.stringMatching(/^node node-1: .*bytes of memory/) as string;
    await region.upgrade(shape, impossible, { upgrade_id });
    const [, back, ended] = await untilTold('upgrading', 'rolling_back', 'initialized');
    expect(back).toMatchObject({ status_reason: reason });
    expect(ended).toMatchObject({
      status_reason: null,
      upgrade: { upgrade_id, state: 'rolled_back', reason },
    });
    expect(connection.isClosed()).toBe(false);
    expect(connection.stats().inMsgs).toBe(0);
    await connection.flush();
    await expect(addStream(connection, 'BIG', 50 * mebibyte)).rejects.toThrow(/storage/);
    await connection.close();
    expect(await tier()).toBe('free');
  });

  test('is carried out once, and shapes that do not know of it leave it as it is', async () => {
    const upgrade_id = randomUUID();
    await region.upgrade(shape, large, { upgrade_id, generation: 5 });
    await untilTold('upgrading', 'initialized');
    await region.upgrade(shape, large, { upgrade_id, generation: 5 });
    const [, first, again] = await untilTold('upgrading', 'initialized', 'initialized');
    expect(again).toEqual(first);
    const named = async (name: string) =>
      await eventually(async () => {
        const { tier: is, name: called } = await untilStatus(url, key, shape.id, 'initialized');
        expect(called).toBe(name);
        return is;
      });
    await region.apply({ ...shape, name: 'late' }, 4);
    expect(await named('late')).toBe('large');
    await region.apply({ ...shape, name: 'meanwhile', upgrade_id }, 6);
    expect(await named('meanwhile')).toBe('large');
    await region.apply({ ...shape, name: 'afterwards', tier: 'xlarge' }, 7);
    expect(await named('afterwards')).toBe('xlarge');
  });

  test('goes on after its supervisor was killed, and another one waits for it', async () => {
    await agent('SIGSTOP');
    const [one, two] = [randomUUID(), randomUUID()];
    await region.upgrade(shape, large, { upgrade_id: one });
    await untilTold('upgrading');
    await region.upgrade(shape, impossible, { upgrade_id: two, generation: 3, tier: '16xlarge' });
    await replica.kill();
    await agent('SIGCONT');
    replica = await region.spawn(port);
    const reports = await untilTold('upgrading', 'initialized', 'upgrading', 'rolling_back', 'initialized');
    expect(reports.map(({ upgrade }) => upgrade && [upgrade.upgrade_id, upgrade.state])).toEqual([
      [one, 'in_progress'],
      [one, 'completed'],
      [two, 'in_progress'],
      undefined,
      [two, 'rolled_back'],
    ]);
    expect(await tier()).toBe('large');
  });

  test('ends with a deletion that comes meanwhile', async () => {
    await agent('SIGSTOP');
    await region.upgrade(shape, large);
    await untilTold('upgrading');
    await region.remove(shape.id);
    await agent('SIGCONT').catch(() => undefined);
    await untilGone(url, key, shape.id);
    expect(await region.sql('SELECT FROM deployment_upgrades WHERE deployment_id = $1', [shape.id])).toEqual(
      [],
    );
  });

  test('of a node whose data is lost meanwhile has failed, and the node starts in the shape before', async () => {
    const { id: node } = shape.nodes[0]!;
    await eventually(async () =>
      expect(
        await region.sql('SELECT FROM nodes WHERE id = $1 AND deployed_at IS NOT NULL', [node]),
      ).toHaveLength(1),
    );
    await agent('SIGSTOP');
    const upgrade_id = randomUUID();
    await region.upgrade(shape, large, { upgrade_id });
    await untilTold('upgrading');
    await region.loseNode(node);
    const [, lost] = await untilTold('upgrading', 'failed');
    const reason = expect.stringMatching(/^data_lost/) as string;
    expect(lost).toMatchObject({ status_reason: reason, upgrade: { upgrade_id, state: 'failed', reason } });
    await call(`${url}/deployments/${shape.id}/nodes/${node}/accept_data_loss`, key, { method: 'POST' });
    expect(await tier()).toBe('free');
    const [row] = await region.sql<{ applied: object }>('SELECT applied FROM nodes WHERE id = $1', [node]);
    expect(row?.applied).toMatchObject({ capacity: { connections: small.broker_connections } });
  });

  test('reaches each node, which has its part of the rate', async () => {
    const nodes = [1, 2].map((each) => ({ id: idOf<NodeId>(shape.id + 2 + each), name: `node-${each}` }));
    shape = aDeployment({ limits: { access_rules: 10, ...small }, nodes });
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    await region.upgrade(shape, { ...large, broker_rate: 900_001 });
    await untilTold('upgrading', 'initialized');
    const rows = await region.sql<{ applied: object }>('SELECT applied FROM nodes WHERE deployment_id = $1', [
      shape.id,
    ]);
    const capacity = { connections: large.broker_connections, rate_limit: 450_000 };
    expect(rows).toMatchObject([{ applied: { capacity } }, { applied: { capacity } }]);
  });

  test('of a deployment that is not here changes nothing', async () => {
    await region.upgrade({ ...shape, uid: randomUUID(), code: 'other' }, large);
    await region.upgrade(shape, large);
    await untilTold('upgrading', 'initialized');
  });
});
