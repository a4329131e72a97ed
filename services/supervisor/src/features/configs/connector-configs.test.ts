import { randomInt, randomUUID } from 'node:crypto';
import {
  idOf,
  type ActivatedConnector,
  type ConnectorInstanceId,
  type DeploymentSpec,
} from '@sluice/contracts';
import { openKysely } from '@sluice/service/kysely';
import { secretBox } from '@sluice/system/secrets';
import { aDeployment, eventually } from '@sluice/testing';
import { call } from '#test/client.ts';
import pg from 'pg';
import { supervisor } from '#test/region.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import type { Database, Tables } from '@sluice/region-store/tables';
import { appliedConnectorConfigs } from './applied-connectors.ts';

const keys = new Map([['test', new Uint8Array(32).fill(7)]]);

interface Config {
  id: number;
  version: number;
  values: { plugin_config: Record<string, unknown> };
}

describe('configurations of connectors', () => {
  const region = supervisor();
  let database: Database;
  let url: string;
  let key: string;
  let shape: DeploymentSpec;
  let instance: ActivatedConnector;
  let kind: string;

  beforeAll(async () => {
    ({ url } = await region.startWith({ drivers: simulatedDrivers({}) }));
    key = await region.key();
    database = openKysely<Tables>(new pg.Pool({ connectionString: region.databaseUrl, max: 1 }));
    region.onClose(() => database.destroy());
  });
  beforeEach(async () => {
    shape = aDeployment({ uid: randomUUID(), limits: { access_rules: 5, configs: 5 } });
    await region.apply(shape);
    instance = await anInstance('postgres');
    kind = `connector:sink:${instance.key}`;
  });

  async function anInstance(connector_key: string): Promise<ActivatedConnector> {
    const id = idOf<ConnectorInstanceId>(randomInt(1, 2 ** 40));
    const created_at = new Date().toISOString();
    const made = {
      id,
      connector_type: 'sink',
      connector_key,
      name: 'x',
      key: `to-${id}`,
      created_at,
    } as const;
    await region.activate({ deployment_id: shape.id, uid: shape.uid, instance: made });
    await eventually(async () =>
      expect(await region.sql('SELECT FROM connector_instances WHERE id = $1', [id])).toHaveLength(1),
    );
    return made;
  }
  const ask = (suffix: string, method = 'GET', body?: unknown, as = key) =>
    call(`${url}/deployments/${shape.id}/configs/${kind}${suffix}`, as, { method, body });
  const values = (plugin_config: Record<string, unknown> = {}) => ({
    streams: [{ stream: 'orders', topics: ['orders.*'], schema: 'json' }],
    plugin_config: {
      host: 'db.example.com',
      database: 'shop',
      username: 'sluice',
      password: 'hush',
      table: 'orders',
      ...plugin_config,
    },
  });
  const created = async (given: unknown, more: Record<string, unknown> = {}) => {
    const { status, body } = await ask('', 'POST', { values: given, ...more });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as Config;
  };
  const revision = async () =>
    (await region.sql<{ revision: number }>('SELECT revision FROM deployments WHERE id = $1', [shape.id]))[0]
      ?.revision;
  const inForce = async () => {
    const configs = await appliedConnectorConfigs(database, secretBox(keys), shape.id);
    expect([...configs.keys()]).toEqual(configs.size > 0 ? [instance.id] : []);
    return [...configs.values()].map(({ values: told }) => told);
  };

  test('have the base fields and those of the plugin as sections, of an instance and of the connector itself', async () => {
    const of = async (name: string) => {
      const { status, body } = await call(`${url}/deployments/${shape.id}/configs/${name}/schema`, key);
      expect(status).toBe(200);
      return body as Record<string, { schema: { key: string; secret: boolean }[] }>;
    };
    const schema = await of(kind);
    expect(Object.keys(schema)).toEqual(['sink', 'plugin_config']);
    expect(schema['sink']?.schema.map((entry) => entry.key)).toEqual(
      expect.arrayContaining(['enabled', 'stream', 'topics']),
    );
    expect(schema['plugin_config']?.schema.find((entry) => entry.key === 'password')).toMatchObject({
      secret: true,
    });
    expect(await of('connector:sink:postgres')).toEqual(schema);
    expect((await call(`${url}/deployments/${shape.id}/configs/connector:sink:postgres`, key)).status).toBe(
      404,
    );
    expect(
      (await call(`${url}/deployments/${shape.id}/configs/connector:source:${instance.key}`, key)).status,
    ).toBe(404);
  });

  test('are valid for the release of the agent that they were checked for, and due for another check after its upgrade', async () => {
    const setVersion = (version: string) =>
      region.sql('UPDATE nodes SET agent_version = $1 WHERE deployment_id = $2', [version, shape.id]);
    await setVersion('1.2.3');
    const { id, version } = await created(values());
    const shown = async () => (await ask(`/${id}`)).body as Config;
    expect(await shown()).toMatchObject({ runtime_version: '1.2.3', needs_revalidation: false });
    await setVersion('1.2.4');
    expect(await shown()).toMatchObject({ runtime_version: '1.2.3', needs_revalidation: true });
    expect((await ask('?needs_revalidation=true')).body).toMatchObject([{ id }]);
    expect((await ask(`/${kind}/activate/${version}`, 'PUT')).status).toBe(204);
    expect(await shown()).toMatchObject({ runtime_version: '1.2.4', needs_revalidation: false });
  });

  test('come into force with their activation, and back with that of an earlier version', async () => {
    const before = await revision();
    const first = await created(values());
    expect([first.version, await inForce(), await revision()]).toEqual([1, [], before]);
    await created(values({ table: 'more' }), { activate: true });
    expect(await inForce()).toEqual([values({ table: 'more' })]);
    const between = await revision();
    expect(between).toBeGreaterThan(before ?? 0);
    expect((await ask(`/${kind}/activate/1`, 'PUT')).status).toBe(204);
    expect(await inForce()).toEqual([values()]);
    expect(await revision()).toBeGreaterThan(between ?? 0);
    expect((await ask('/primary')).body).toMatchObject({ id: first.id, primary: true, in_force: true });
    expect((await ask(`/${first.id}`, 'DELETE')).body).toMatchObject({ code: 'config_is_primary' });
  });

  test('show no secrets, and keep them where *** comes back', async () => {
    const first = await created(values(), { name: 'orders', activate: true });
    expect(first.values.plugin_config).toMatchObject({ host: 'db.example.com', password: '***' });
    for (const suffix of ['', '/primary', `/${first.id}`, '/orders/versions', '/orders/versions/1'])
      expect(JSON.stringify(await ask(suffix))).not.toContain('hush');
    await created(values({ password: '***', table: 'other' }), { name: 'orders', activate: true });
    expect(await inForce()).toEqual([values({ table: 'other' })]);
    // a name that is new keeps those of the primary one
    await created(values({ password: '***' }), { name: 'next', activate: true });
    expect(await inForce()).toEqual([values()]);
    expect(JSON.stringify(await region.sql('SELECT configs::text AS text FROM configs'))).not.toContain(
      'hush',
    );
  });

  test('keep a secret only for the destination that it was stored for', async () => {
    await created(values(), { name: 'orders', activate: true });
    const refusal = async (changed: Record<string, unknown>, name = 'orders') =>
      await ask('', 'POST', { values: values({ password: '***', ...changed }), name, activate: true });
    const refused = {
      status: 400,
      body: { field_issues: [{ path: '/body/values/plugin_config/password', code: 'nothing_stored' }] },
    };
    for (const moved of [{ host: 'mine.example' }, { port: 5433 }, { tls: 'disable' }, { tls_ca: 'mine' }])
      for (const name of ['orders', 'next'])
        expect([moved, await refusal(moved, name)]).toMatchObject([moved, refused]);
    // compared with the version that has the secret, and not with an older one
    await created(values({ host: 'mine.example', password: 'mine' }), { name: 'orders' });
    expect(await refusal({})).toMatchObject(refused);
    await created(values({ host: 'MINE.example', password: '***' }), { name: 'orders', activate: true });
    expect(await inForce()).toEqual([values({ host: 'MINE.example', password: 'mine' })]);
    // an older version has its own destination with its own secret
    expect((await ask('/orders/activate/1', 'PUT')).status).toBe(204);
    expect(await inForce()).toEqual([values()]);
  });

  test('are told all that is wrong at once, by field', async () => {
    const { status, body } = await ask('', 'POST', {
      values: {
        enabled: 'yes',
        streams: [{ stream: 'a b', batch_length: 0 }],
        plugin_config: { host: 'db.example.com', password: '***', port: 'x', colour: 'red' },
        transforms: { filter: [1], set: { 'no.pointer/': 1 } },
        speed: 1,
      },
    });
    expect(status).toBe(400);
    const { field_issues } = body as { field_issues: { path: string }[] };
    expect(field_issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/body/values/enabled',
        '/body/values/speed',
        '/body/values/streams/0/stream',
        '/body/values/streams/0/batch_length',
        '/body/values/plugin_config/password',
        '/body/values/plugin_config/database',
        '/body/values/plugin_config/port',
        '/body/values/plugin_config/colour',
        '/body/values/transforms/filter/0',
        '/body/values/transforms/set/no.pointer~1',
      ]),
    );
    for (const plugin_config of [1, 'x', []])
      expect(await ask('', 'POST', { values: { ...values(), plugin_config } })).toMatchObject({
        status: 400,
        body: { field_issues: [{ path: '/body/values/plugin_config', code: 'wrong_type' }] },
      });
  });

  test('of a connector that this release has no plugin for cannot be stored', async () => {
    // activated by a release that had it
    await region.sql("UPDATE connector_instances SET connector_key = 'iceberg' WHERE id = $1", [instance.id]);
    expect(await ask('', 'POST', { values: values() })).toMatchObject({
      status: 400,
      body: { field_issues: [{ path: '/body/values', code: 'not_available' }] },
    });
  });

  test('are a matter of who may see to connectors', async () => {
    const connectors = await region.key({ environment: ['deployment:connector:manage'] });
    const reader = await region.key({ environment: ['deployment:connector:read'] });
    expect((await ask('', 'POST', { values: values() }, connectors)).status).toBe(201);
    expect((await ask('', 'POST', { values: values() }, reader)).status).toBe(403);
    expect((await ask('', 'GET', undefined, reader)).status).toBe(200);
    expect((await call(`${url}/deployments/${shape.id}/configs`, connectors)).status).toBe(403);
  });

  test('go with their instance, and are not those of another with the same key', async () => {
    await created(values(), { activate: true });
    await region.sql('DELETE FROM connector_instances WHERE id = $1', [instance.id]);
    expect((await ask('')).status).toBe(404);
    expect(await region.sql('SELECT FROM config_names WHERE deployment_id = $1', [shape.id])).toEqual([]);
    expect(await inForce()).toEqual([]);
  });
});
