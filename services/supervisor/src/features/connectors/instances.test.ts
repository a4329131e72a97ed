import { randomInt, randomUUID } from 'node:crypto';
import {
  idOf,
  type ActivatedConnector,
  type ConnectorInstanceId,
  type DeploymentSpec,
  type DivisionId,
  type ReportData,
} from '@sluice/contracts';
import { aDeployment, eventually } from '@sluice/testing';
import { call } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';

const region = supervisor();
let url: string;
let key: string;
beforeAll(async () => {
  ({ url } = await region.startWith({ drivers: simulatedDrivers({}) }));
  key = await region.key();
});

/** A deployment with an instance of a connector. */
async function withInstance(more: Partial<DeploymentSpec> = {}) {
  const shape = aDeployment({ uid: randomUUID(), ...more });
  await region.apply(shape);
  const id = idOf<ConnectorInstanceId>(randomInt(1, 2 ** 40));
  const instance: ActivatedConnector = {
    ...{ id, connector_type: 'sink', connector_key: 'stdout', name: 'Log', key: `log-${id}` },
    created_at: new Date().toISOString(),
  };
  await activate(shape, instance);
  await eventually(async () => expect((await list(shape)).body).toHaveLength(1));
  return { shape, instance };
}
const activate = ({ id: deployment_id, uid, code }: DeploymentSpec, instance: ActivatedConnector) =>
  region.activate({ ...{ deployment_id, uid, code }, instance });
const instances = ({ id }: DeploymentSpec) => `${url}/deployments/${id}/connectors/instances`;
const list = (shape: DeploymentSpec) => call(instances(shape), key);
const said = (shape: DeploymentSpec, report: object) =>
  region.sql('UPDATE nodes SET connectors = $2 WHERE deployment_id = $1', [shape.id, JSON.stringify(report)]);
const reported = (instance: ActivatedConnector, more: object) => ({
  ...{ status: 'running', reason: null, plugins: [] },
  instances: [{ id: instance.id, status: 'Running', reason: null, config_id: 1, config_version: 1, ...more }],
});

test('an instance is pending until a node has taken it in, and then as the node says', async () => {
  const { shape, instance } = await withInstance();
  const { created_at, ...about } = instance;
  expect((await list(shape)).body).toEqual([
    { ...about, deployment_id: shape.id, created_at, status: 'pending', status_reason: null },
  ]);
  const states: [object, object][] = [
    [{ status: 'Stopped', config_id: null }, { status: 'active' }],
    [{ status: 'Running' }, { status: 'active', status_reason: null }],
    [
      { status: 'Starting', reason: 'waits' },
      { status: 'active', status_reason: 'waits' },
    ],
    [{ status: 'Stopped', reason: 'its configuration is not enabled' }, { status: 'inactive' }],
    [
      { status: 'Error', reason: 'no table' },
      { status: 'failed', status_reason: 'no table' },
    ],
  ];
  for (const [told, expected] of states) {
    await said(shape, reported(instance, told));
    expect((await list(shape)).body).toEqual([expect.objectContaining(expected)]);
  }
  await said(shape, { status: 'failed', reason: 'no room', plugins: [], instances: [] });
  expect((await list(shape)).body).toMatchObject([{ status: 'failed', status_reason: 'no room' }]);
});

test('a deleted one is gone for good, whatever comes late, and main-api is told each time', async () => {
  const { shape, instance } = await withInstance();
  const revision = async () =>
    (await region.sql<{ revision: number }>('SELECT revision FROM deployments WHERE id = $1', [shape.id]))[0]
      ?.revision ?? 0;
  const before = await revision();
  const path = `${instances(shape)}/${instance.id}`;
  const answers = await Promise.all([
    call(path, key, { method: 'DELETE' }),
    call(path, key, { method: 'DELETE' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  expect(await revision()).toBeGreaterThan(before);
  await activate(shape, instance);
  const reports = async () => {
    type Report = { type: string; data: { instance_id: number } };
    const all = await messagesAbout<Report>(region, 'reports', instance.id);
    return all.filter(({ type }) => type === 'connector_deleted');
  };
  await eventually(async () => expect(await reports()).toHaveLength(2));
  expect((await list(shape)).body).toEqual([]);
  const events = await messagesAbout<{ type: string; data: object }>(region, 'events', instance.id);
  expect(events.filter(({ type }) => type === 'connector_deleted')).toMatchObject([
    { data: { instance_id: instance.id, key: instance.key } },
  ]);
});

test('the summaries of the tenant and of the division count the instances that there are', async () => {
  const division = { id: idOf<DivisionId>(randomInt(1_000, 2 ** 40)), name: 'Sales' };
  const { shape, instance } = await withInstance({ division });
  await activate(shape, { ...instance, id: idOf(instance.id + 1), key: 'another' });
  const counted = async (path: string) =>
    (await call(`${url}/tenants/${shape.tenant_id}${path}`, key)).body as { total_connectors: number };
  const ofDivision = `/divisions/${division.id}/summary`;
  await eventually(async () => expect(await counted(ofDivision)).toMatchObject({ total_connectors: 2 }));
  const before = (await counted('/summary')).total_connectors;
  expect((await call(`${instances(shape)}/${instance.id}`, key, { method: 'DELETE' })).status).toBe(204);
  expect(await counted(ofDivision)).toMatchObject({ total_connectors: 1 });
  expect(await counted('/summary')).toMatchObject({ total_connectors: before - 1 });
});

test('of a deployment that goes, and of another one, none is deleted', async () => {
  const [one, other] = [await withInstance(), await withInstance()];
  const remove = (shape: DeploymentSpec, { id }: ActivatedConnector) =>
    call(`${instances(shape)}/${id}`, key, { method: 'DELETE' });
  expect((await remove(one.shape, other.instance)).status).toBe(404);
  await region.holdDeletion(one.shape.id);
  expect((await remove(one.shape, other.instance)).status).toBe(404);
  expect(await remove(one.shape, one.instance)).toMatchObject({
    status: 409,
    body: { code: 'state_conflict' },
  });
});

test('main-api is told how connectors are, once for each change, and anew when it has lost that', async () => {
  const { shape, instance } = await withInstance();
  await region.sql("UPDATE deployments SET status = 'initialized' WHERE id = $1", [shape.id]);
  const wake = () =>
    region.sql('UPDATE reconciliations SET due_at = now() WHERE deployment_id = $1', [shape.id]);
  const told = async () =>
    (
      await messagesAbout<{ type: string; data: ReportData<'deployment_status'> }>(
        region,
        'reports',
        shape.id,
      )
    )
      .filter(({ type }) => type === 'deployment_status')
      .flatMap(({ data }) => data.connectors ?? []);
  const plugin = (connector_key: string) => ({ type: 'sink' as const, key: connector_key });
  await said(shape, { ...reported(instance, {}), plugins: [plugin('stdout'), plugin('http')] });
  await wake();
  await eventually(async () => expect(await told()).toHaveLength(1));
  expect(await told()).toEqual([
    {
      version: expect.any(Number) as number,
      plugins: [plugin('http'), plugin('stdout')],
      instances: [{ id: instance.id, status: 'active', reason: null }],
    },
  ]);
  await wake();
  await said(shape, reported(instance, { status: 'Error', reason: 'no table' }));
  await wake();
  await eventually(async () => expect(await told()).toHaveLength(2));
  const [first, second] = await told();
  expect(second).toMatchObject({
    plugins: [],
    instances: [{ id: instance.id, status: 'failed', reason: 'no table' }],
  });
  expect(second?.version).toBeGreaterThan(first?.version ?? 0);
  await region.apply(shape, 1, { report_above: 5 });
  await eventually(async () => expect(await told()).toHaveLength(3));
});
