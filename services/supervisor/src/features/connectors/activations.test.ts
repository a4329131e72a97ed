import { randomInt, randomUUID } from 'node:crypto';
import {
  idOf,
  type ActivatedConnector,
  type ConnectorInstanceId,
  type DeploymentSpec,
  type NodeId,
  type ReportData,
} from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually } from '@sluice/testing';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';

const region = supervisor();
beforeAll(() => region.startWith({ drivers: simulatedDrivers({}) }));

const anInstance = (more: Partial<ActivatedConnector> = {}): ActivatedConnector => {
  const id = idOf<ConnectorInstanceId>(randomInt(1, 2 ** 40));
  const connector = { connector_type: 'sink', connector_key: 'http' } as const;
  return {
    id,
    ...connector,
    name: 'HTTP',
    key: `http-sink-${id}`,
    created_at: new Date().toISOString(),
    ...more,
  };
};
const activate = (
  { id: deployment_id, uid }: DeploymentSpec,
  instance: ActivatedConnector,
  identity: { uid?: string } = {},
) => region.activate({ ...{ deployment_id, uid }, instance, ...identity });

/** Everything that the region has said to the activation of an instance, once it is so many words. */
const answers = (instance: ActivatedConnector, count = 1) =>
  eventually(async () => {
    type Report = { type: string; data: ReportData<'connector_activation'> };
    const reports = await messagesAbout<Report>(region, 'reports', instance.id);
    const said = reports.filter(({ type, data }) => {
      return type === 'connector_activation' && data.instance_id === instance.id;
    });
    expect(said.length).toBeGreaterThanOrEqual(count);
    return said.map(({ data }) => data);
  });
const refusals = async (instance: ActivatedConnector) =>
  (await answers(instance)).map(({ accepted, reason }) => [accepted, reason]);
const stored = ({ id }: Pick<ActivatedConnector, 'id'>) =>
  region.sql('SELECT * FROM connector_instances WHERE id = $1', [id]);
const accepted = { accepted: true, reason: null };

async function deployed(): Promise<DeploymentSpec> {
  const shape = aDeployment();
  await region.apply(shape);
  return shape;
}

test('an instance is stored as it was asked for, pending, and the region says so', async () => {
  const shape = await deployed();
  const { id: deployment_id, uid } = shape;
  const instance = anInstance({ key: 'orders' });
  await activate(shape, instance);
  expect(await answers(instance)).toEqual([{ deployment_id, uid, instance_id: instance.id, ...accepted }]);
  expect(await stored(instance)).toEqual([
    {
      ...{ ...instance, deployment_id, status: 'pending', created_at: new Date(instance.created_at) },
      created_by: expect.objectContaining({ author: { id: 5, name: 'Ada' } }) as object,
    },
  ]);
});

test('it is a task of each node that has the connectors runtime, as long as that has room for one', async () => {
  const nodes = [1, 2].map((name) => ({ id: idOf<NodeId>(randomInt(1, 2 ** 40)), name: `node-${name}` }));
  const shape = aDeployment({ uid: randomUUID(), nodes });
  await region.apply(shape);
  const activated = async () => {
    const instance = anInstance();
    await activate(shape, instance);
    expect(await answers(instance)).toMatchObject([accepted]);
  };
  const tasks = () =>
    region.sql(
      `SELECT node_id, runtime, action, config_id, created_by -> 'author' ->> 'name' AS author FROM tasks
       WHERE deployment_id = $1`,
      [shape.id],
    );
  await activated();
  expect(await tasks()).toEqual([]);
  const report = { status: 'stopped', reason: null, plugins: [], instances: [] };
  await region.sql('UPDATE nodes SET connectors = $2 WHERE id = $1', [nodes[1]!.id, JSON.stringify(report)]);
  await activated();
  const task = { node_id: nodes[1]!.id, runtime: 'connectors', action: 'reconfigure', config_id: null };
  expect(await tasks()).toEqual([{ ...task, author: 'Ada' }]);
  for (let count = 2; count <= 21; count++) await activated();
  expect(await tasks()).toHaveLength(20);
});

test('an activation that comes again has no second effect and the same answer', async () => {
  const shape = await deployed();
  const instance = anInstance();
  await Promise.all([activate(shape, instance), activate(shape, instance), activate(shape, instance)]);
  expect(await answers(instance, 3)).toEqual(Array(3).fill(expect.objectContaining(accepted)));
  expect(await stored(instance)).toHaveLength(1);
});

test('of two instances with one key the second is refused, also at once; another deployment has keys of its own', async () => {
  const [shape, other] = [await deployed(), await deployed()];
  const [one, two, third] = [
    anInstance({ key: 'orders' }),
    anInstance({ key: 'orders' }),
    anInstance({ key: 'orders' }),
  ];
  await Promise.all([activate(shape, one), activate(shape, two), activate(other, third)]);
  const said = [...(await refusals(one)), ...(await refusals(two))];
  expect(said.sort()).toEqual([
    [false, expect.stringContaining('has its key')],
    [true, null],
  ]);
  expect(await refusals(third)).toEqual([[true, null]]);
});

test('an id that another instance has is refused, and so is one of another deployment with the same id', async () => {
  const [shape, other] = [await deployed(), await deployed()];
  const instance = anInstance();
  await activate(shape, instance);
  await answers(instance);
  await activate(other, instance);
  const [, again] = await answers(instance, 2);
  expect(again).toMatchObject({ accepted: false, reason: expect.stringContaining('its id is') as string });

  const stray = anInstance();
  await activate(shape, stray, { uid: randomUUID() });
  expect(await refusals(stray)).toEqual([[false, expect.stringContaining('another one in this region')]]);
  expect(await stored(stray)).toEqual([]);
});

test('a connector that this release cannot run is refused', async () => {
  const shape = await deployed();
  const instance = anInstance({ connector_key: 'telex' });
  await activate(shape, instance);
  expect(await refusals(instance)).toEqual([[false, expect.stringContaining('does not have the connector')]]);
});

test('one more than a hundred on a deployment is refused', async () => {
  const shape = await deployed();
  const first = anInstance();
  await activate(shape, first);
  await answers(first);
  await region.sql(
    `INSERT INTO connector_instances (id, deployment_id, connector_type, connector_key, name, key, created_by, created_at)
     SELECT $2::bigint + n, deployment_id, connector_type, connector_key, name, 'x' || n, created_by, now()
     FROM connector_instances, generate_series(1, 98) n WHERE id = $1`,
    [first.id, 2 ** 41],
  );
  const [hundredth, beyond] = [anInstance(), anInstance()];
  await activate(shape, hundredth);
  await activate(shape, beyond);
  const said = [...(await refusals(hundredth)), ...(await refusals(beyond))];
  expect(said.sort()).toEqual([
    [false, expect.stringContaining('100 instances')],
    [true, null],
  ]);
});

test('the activation on a deployment that has not come yet waits for it, and holds up nothing', async () => {
  const shape = aDeployment();
  const instance = anInstance();
  await activate(shape, instance);
  const other = anInstance();
  await activate(await deployed(), other);
  await answers(other);
  expect(await stored(instance)).toEqual([]);
  await region.apply(shape);
  expect(await answers(instance)).toMatchObject([accepted]);
});

test('the activation on a deployment that is gone, or going, is refused', async () => {
  const shape = aDeployment();
  await region.remove(shape.id, { uid: shape.uid });
  const [late, later] = [anInstance(), anInstance()];
  await eventually(async () =>
    expect(await region.sql('SELECT FROM removed_uids WHERE uid = $1', [shape.uid])).toHaveLength(1),
  );
  await activate(shape, late);
  expect(await refusals(late)).toEqual([[false, 'the deployment is gone']]);

  const going = await deployed();
  const kept = anInstance();
  await activate(going, kept);
  await answers(kept);
  await region.holdDeletion(going.id);
  await activate(going, later);
  expect((await refusals(later))[0]?.[0]).toBe(false);
});

test('instances go with their deployment', async () => {
  const shape = await deployed();
  const instance = anInstance();
  await activate(shape, instance);
  await answers(instance);
  await region.remove(shape.id, { uid: shape.uid });
  await eventually(async () => expect(await stored(instance)).toEqual([]));
  const { streams } = await jetstreamManager(region.nats);
  const { state } = await streams.info(region.names.streams.deadLetters.name);
  expect(state.messages).toBe(0);
});

test('one that came back with an older copy of the database is deleted once more, and only of its own deployment', async () => {
  const [shape, instance] = [await deployed(), anInstance()];
  const { id: deployment_id, uid } = shape;
  await activate(shape, instance);
  await answers(instance);
  const named = { deployment_id, instance_id: instance.id };
  await region.deleteInstance({ ...named, uid: randomUUID() });
  const last = anInstance();
  await activate(shape, last);
  await answers(last);
  expect(await stored(instance)).toHaveLength(1);
  await region.deleteInstance({ ...named, uid });
  await region.deleteInstance({ ...named, uid });
  await eventually(async () => {
    expect(await stored(instance)).toEqual([]);
    const told = await messagesAbout<{ type: string }>(region, 'events', instance.id);
    expect(told.filter(({ type }) => type === 'connector_deleted')).toHaveLength(1);
    const reports = await messagesAbout<{ type: string }>(region, 'reports', instance.id);
    expect(reports.at(-1)).toMatchObject({ type: 'connector_deleted' });
  });
});
