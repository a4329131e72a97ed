import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  idOf,
  mostInventoried,
  type ActivatedConnector,
  type ConnectorInstanceId,
  type Inventory,
  type ReportData,
} from '@sluice/contracts';
import { aDeployment, connectBroker, eventually, type Login } from '@sluice/testing';
import { call, untilGone, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({ per: 'test' });

type Registration = ReportData<'region_registered'>;

/** All inventories that the region has told of. */
const told = async (): Promise<Inventory[]> =>
  (await registrations()).flatMap(({ inventory }) => inventory ?? []);

async function registrations(): Promise<Registration[]> {
  type Report = { type: string; data: Registration };
  const { name } = region.names.streams.reports;
  const { streams } = await jetstreamManager(region.nats);
  const { state } = await streams.info(name);
  const found: Registration[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const { type, data } = (await streams.getMessage(name, { seq }))?.json<Report>() ?? {};
    if (type === 'region_registered' && data) found.push(data);
  }
  return found;
}

test('a region tells what it has, again and again, one of its replicas at a time', async () => {
  const [{ url }] = [
    await region.start({ INVENTORY_SECONDS: '1' }),
    await region.start({ INVENTORY_SECONDS: '1' }),
  ];
  const key = await region.key();
  const shape = aDeployment();
  await region.apply(shape, 4);
  await untilStatus(url, key, shape.id, 'initialized');
  const { id, uid } = shape;
  const instance: ActivatedConnector = {
    ...{ id: idOf<ConnectorInstanceId>(4711), name: 'HTTP', key: 'http' },
    ...({ connector_type: 'sink', connector_key: 'http' } as const),
    created_at: new Date().toISOString(),
  };
  await region.activate({ deployment_id: id, uid, instance });
  const has = {
    ...{ id, uid, generation: 4, status: 'initialized', deleting: false, unknown: false },
    shape: { tier: shape.tier, cluster: shape.cluster, storage: shape.storage, nodes: shape.nodes },
    instances: [instance],
  };
  const inventory = await eventually(async () => {
    const last = (await told()).at(-1);
    expect(last?.deployments).toMatchObject([has]);
    return last;
  });
  expect(inventory).toMatchObject({
    after: 0,
    upto: null,
    highest_ids: {
      ...{ tenants: 1, divisions: 2, environments: 3, deployments: Math.min(id, 1e12) },
      connector_instances: 4711,
    },
  });
});

test('a region tells which connectors its release can run', async () => {
  await region.start();
  const [registration] = await eventually(async () => {
    expect(await registrations()).not.toEqual([]);
    return await registrations();
  });
  expect(registration?.plugins).toContainEqual({ type: 'sink', key: 'http' });
  expect(registration?.plugins).not.toContainEqual({ type: 'source', key: 'mongodb' });
});

test('many deployments are told of in parts, which leave none out', async () => {
  await region.start();
  const count = mostInventoried + 1;
  await region.sql(
    `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at)
     SELECT n, gen_random_uuid(), 1, $2, '{}', '', '', 'initialized', now() FROM generate_series(1, $1::int) AS n`,
    [count, JSON.stringify(aDeployment())],
  );
  await region.start();
  await eventually(async () => {
    const [first, second] = (await told()).slice(-2);
    expect(first).toMatchObject({ after: 0, upto: mostInventoried });
    expect(second).toMatchObject({ after: mostInventoried, upto: null });
    expect(new Set([first, second].flatMap((part) => part?.deployments.map(({ id }) => id))).size).toBe(
      count,
    );
  });
});

test('connector instances and upgrades go along, in parts that a message has room for', async () => {
  await region.start();
  const [deployments, each] = [12, 90];
  await region.sql(
    `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at)
     SELECT n, gen_random_uuid(), 1, $2, '{}', '', '', 'initialized', now() FROM generate_series(1, $1::int) AS n`,
    [deployments, JSON.stringify(aDeployment())],
  );
  await region.sql(
    `INSERT INTO connector_instances (id, deployment_id, connector_type, connector_key, name, key, created_by, created_at)
     SELECT d * 1000 + n, d, 'sink', 'http', repeat('ä', 200), 'k-' || n, '{}', now()
     FROM generate_series(1, $1::int) AS d, generate_series(1, $2::int) AS n`,
    [deployments, each],
  );
  const newest = randomUUID();
  await region.sql(
    `INSERT INTO deployment_upgrades (deployment_id, upgrade_id, generation, tier, storage, resources, requested_by, requested_at, state)
     SELECT 1, id, 1, 'small', '{"type": "network_balanced", "size": 20}', '{}', '{"correlation_id": null}', at, state
     FROM (VALUES ($1::uuid, now(), 'rolling_back'), (gen_random_uuid(), now() - interval '1 day', 'completed')) AS u (id, at, state)`,
    [newest],
  );
  await region.start();
  await eventually(async () => {
    const inventories = await told();
    const parts = inventories.slice(inventories.findLastIndex(({ after }) => after === 0));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ after }) => after)).toEqual([0, ...parts.map(({ upto }) => upto).slice(0, -1)]);
    expect(parts.at(-1)?.upto).toBeNull();
    const listed = parts.flatMap((part) => part.deployments);
    expect(listed.map(({ instances }) => instances?.length)).toEqual(Array<number>(deployments).fill(each));
    expect(listed[0]?.upgrade).toMatchObject({ id: newest, tier: 'small', status: 'in_progress' });
    expect(listed[1]).not.toHaveProperty('upgrade');
  });
});

test('nobody is told of a deployment that main-api does not know, until it is known after all', async () => {
  const { url } = await region.start({ INVENTORY_SECONDS: '1' });
  const key = await region.key();
  const shape = aDeployment();
  const read = (path = '') => call(`${url}/deployments/${shape.id}${path}`, key);
  await region.apply(shape);
  const { endpoints } = await untilStatus(url, key, shape.id, 'initialized');
  const login = (await read('/credentials')).body as Login;

  await region.disown(shape.id, { uid: randomUUID() });
  await region.disown(shape.id, { uid: shape.uid });
  await eventually(async () => expect((await read()).status).toBe(404));
  expect((await read('/credentials')).status).toBe(404);
  expect((await call(`${url}/tenants/1/summary`, key)).body).toMatchObject({ healthy_deployments: 0 });
  await (await connectBroker(endpoints.broker_tcp, login)).close();
  await eventually(async () =>
    expect((await told()).at(-1)?.deployments).toMatchObject([{ id: shape.id, unknown: true }]),
  );

  await region.apply(shape, 1, { report_above: 90 });
  expect((await eventually(() => untilStatus(url, key, shape.id, 'initialized'))).id).toBe(shape.id);
  type Report = { type: string; data: ReportData<'deployment_status'> };
  await eventually(async () =>
    expect((await messagesAbout<Report>(region, 'reports', shape.id)).at(-1)).toMatchObject({
      data: { uid: shape.uid, status: 'initialized', version: 91 },
    }),
  );
});

test('it is deleted when it has been unknown for long, and its tombstone stays', async () => {
  const { url } = await region.start({ UNKNOWN_DEPLOYMENT_SECONDS: '0' });
  const key = await region.key();
  const shape = aDeployment();
  await region.apply(shape);
  await untilStatus(url, key, shape.id, 'initialized');
  await region.disown(shape.id, { uid: shape.uid });
  await untilGone(url, key, shape.id);
  await eventually(async () => expect(await region.nodeFolders()).toEqual([]));
  await eventually(async () => {
    const rows = await region.sql('SELECT deployment_id FROM removed_uids WHERE removed_at IS NOT NULL');
    expect(rows).toEqual([{ deployment_id: shape.id }]);
  });
});
