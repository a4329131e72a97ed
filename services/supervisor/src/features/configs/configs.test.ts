import type { BrokerResources, Event } from '@sluice/contracts';
import { aDeployment, client, eventually } from '@sluice/testing';
import { call, connectTo, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

interface Config {
  id: number;
  name: string;
  version: number;
  primary: boolean;
  values: Record<string, unknown>;
  [field: string]: unknown;
}
interface Refusal {
  code: string;
  field_issues: { path: string; code: string; message: string }[];
}

describe('configurations of the broker', () => {
  const region = supervisor({ replicas: 2 });
  const replicas = [region.replica(0), region.replica(1)];
  const limits = { access_rules: 10, configs: 3, broker_connections: 100, broker_disk: 1e9 };
  const shape = aDeployment({ tier: 'small', limits });
  const { id } = shape;
  let key: string;
  let generation = 1;

  beforeAll(async () => {
    key = await region.key();
    await region.apply(shape);
    await untilStatus(replicas[0]!.url, key, id, 'initialized');
  });
  afterEach(() => region.sql('DELETE FROM config_names'));

  const configs = (suffix = '', replica = 0) =>
    `${replicas[replica]!.url}/deployments/${id}/configs${suffix}`;
  const get = async <Body = Config>(suffix: string) => (await call(configs(suffix), key)).body as Body;
  const create = (body: unknown, replica = 0, kind = 'broker') =>
    call(configs(`/${kind}`, replica), key, { method: 'POST', body });
  const created = async (values: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const { status, body } = await create({ values, ...more });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as Config;
  };
  const activate = (name: string, version: number | string, replica = 0) =>
    call(configs(`/broker/${name}/activate/${version}`, replica), key, { method: 'PUT' });
  const remove = (config: { id: number }) => call(configs(`/broker/${config.id}`), key, { method: 'DELETE' });
  const issues = async (values: Record<string, unknown>) => {
    const { status, body } = await create({ values });
    expect(status).toBe(400);
    return (body as Refusal).field_issues.map(({ path, code }) => [path, code]);
  };
  const resize = (resources: BrokerResources) =>
    region.apply({ ...shape, limits: { ...shape.limits, ...resources } }, (generation += 1));

  test('are described by section, with what the product cannot do', async () => {
    const schema = await get<Record<string, { schema: Record<string, unknown>[] }>>('/broker/schema');
    expect(Object.keys(schema)).toEqual(
      expect.arrayContaining(['segment', 'stream', 'topic', 'tcp', 'http', 'websocket', 'quic']),
    );
    expect(schema['message']?.schema).toEqual([
      {
        key: 'BROKER_MESSAGE_MAX_SIZE',
        name: expect.any(String) as string,
        description: expect.any(String) as string,
        default_value: '1MiB',
        kind: 'size',
        editable: true,
        secret: false,
        requirements: [],
        rules: [
          { rule: 'min', value: 1_024 },
          { rule: 'max', value: 67_108_864 },
          { rule: 'at_most', key: 'BROKER_TCP_MAX_PENDING' },
        ],
      },
    ]);
    for (const entry of schema['quic']?.schema ?? [])
      expect(entry).toMatchObject({ editable: false, requirements: [expect.stringContaining('QUIC')] });
  });

  test('have what the tier allows as the default of what the tier limits', async () => {
    const defaults = async () => {
      const schema =
        await get<Record<string, { schema: { key: string; default_value: unknown }[] }>>('/broker/schema');
      const entries = Object.values(schema).flatMap((section) => section.schema);
      return new Map(entries.map((entry) => [entry.key, entry.default_value]));
    };
    const [connections, disk] = ['BROKER_TCP_MAX_CONNECTIONS', 'BROKER_STREAM_MAX_DISK'];
    const first = await defaults();
    expect([first.get(connections), first.get(disk)]).toEqual([100, 1e9]);
    // what the tier says nothing of is left to the broker
    expect(first.get('BROKER_STREAM_MAX_MEMORY')).toBeNull();
    await resize({ broker_connections: 50 });
    await eventually(async () => expect((await defaults()).get(connections)).toBe(50));
    await resize({});
    await eventually(async () => expect((await defaults()).get(connections)).toBe(100));
  });

  test('answer a creation with the version, its address and its id, and show it afterwards', async () => {
    const values = { BROKER_MESSAGE_MAX_SIZE: '2MiB', BROKER_TCP_MAX_PINGS: 3 };
    const reply = await create({ values: { ...values, BROKER_TCP_PING_INTERVAL: null } });
    const config = reply.body as Config;
    expect({ status: reply.status, config }).toEqual({
      status: 201,
      config: {
        ...{ id: expect.any(Number) as number, kind: 'broker', name: 'broker', version: 1, values },
        ...{ primary: false, in_force: false, needs_revalidation: false, author_id: 5, activated_at: null },
        runtime_version: expect.stringMatching(/^2\./) as string,
        rejection: null,
        created_at: expect.any(String) as string,
      },
    });
    expect(reply.headers.get('svc-config')).toBe(String(config.id));
    expect(reply.headers.get('location')).toBe(`/deployments/${id}/configs/broker/${config.id}`);
    expect(await get(`/broker/${config.id}`)).toEqual(config);
    expect(await get('/broker/broker/versions/1')).toEqual(config);
    expect(await get('/broker')).toEqual([config]);
    expect(await get('')).toEqual([config]);
  });

  test('are versions of a name, one of which is primary, whichever name it has', async () => {
    const first = await created({ BROKER_TCP_MAX_PINGS: 3 });
    const second = await created({ BROKER_TCP_MAX_PINGS: 4 });
    const other = await created({ BROKER_TCP_MAX_PINGS: 5 }, { name: 'calm', activate: true });
    expect([first.version, second.version, other.version, other.primary]).toEqual([1, 2, 1, true]);
    expect(await get<Config[]>('/broker/broker/versions')).toMatchObject([{ version: 2 }, { version: 1 }]);
    expect(await get('/broker/primary')).toEqual(other);
    expect((await activate('broker', 1)).status).toBe(204);
    expect(await get('/broker/primary')).toMatchObject({
      id: first.id,
      activated_at: expect.any(String) as string,
    });
    // the newest of each name, and the primary one
    expect((await get<Config[]>('/broker')).map((one) => [one.name, one.version, one.primary])).toEqual([
      ['broker', 2, false],
      ['broker', 1, true],
      ['calm', 1, false],
    ]);
    // active, and not what nodes run by
    const deployment = await call(`${replicas[0]!.url}/deployments/${id}`, key);
    expect(deployment.body).toMatchObject({ configs: [] });
  });

  test('follow the version that the caller knows, where the caller says so: one of two on two replicas', async () => {
    await created({ BROKER_TCP_MAX_PINGS: 3 });
    const read = await call(configs('/broker/broker/versions/1'), key);
    const headers = { 'if-match': String(read.headers.get('etag')) };
    const store = (replica: number) =>
      client(configs('/broker', replica), key).request<{ code?: string; version?: number }>(
        'POST',
        '',
        { values: { BROKER_TCP_MAX_PINGS: 4 + replica } },
        headers,
      );
    const answers = await Promise.all([store(0), store(1)]);
    const outcomes = answers.map(({ status, body }) => `${status} ${body.code ?? body.version}`);
    expect(outcomes.sort()).toEqual(['201 2', '412 changed_meanwhile']);
    // no version of a name is none that is known
    const { status } = await client(configs('/broker'), key).request(
      'POST',
      '',
      { name: 'calm', values: {} },
      headers,
    );
    expect(status).toBe(412);
  });

  test('that were stored before the broker ran have the version that ran first', async () => {
    const early = aDeployment({ tier: 'small', limits });
    await region.apply(early);
    const path = `${replicas[0]!.url}/deployments/${early.id}/configs/broker`;
    const stored = await eventually(async () => {
      const { status, body } = await call(path, key, {
        method: 'POST',
        body: { values: {}, activate: true },
      });
      expect(status).toBe(201);
      return body as Config;
    });
    expect(stored).toMatchObject({ runtime_version: null, needs_revalidation: false });
    const { runtime_version } = await untilStatus(replicas[0]!.url, key, early.id, 'initialized');
    const { body } = await call(`${path}/${stored.id}`, key);
    expect(body).toMatchObject({ runtime_version, needs_revalidation: false });
    expect(runtime_version).toMatch(/^2\./);
    await region.remove(early.id);
  });

  test('are told in the audit log, without their values', async () => {
    const first = await created({ BROKER_TCP_MAX_PINGS: 77 });
    await activate('broker', 1);
    await activate('broker', 1);
    const second = await created({ BROKER_TCP_MAX_PINGS: 78 }, { activate: true });
    await remove(first);
    await eventually(async () => {
      const events = (await messagesAbout<Event>(region, 'events', id)).filter(({ data }) =>
        [first.id, second.id].includes((data as { config_id: number }).config_id),
      );
      expect(events.map(({ type, data }) => [type, data])).toEqual([
        ['config_created', { config_id: first.id, kind: 'broker', name: 'broker', version: 1 }],
        ['config_activated', { config_id: first.id, kind: 'broker', name: 'broker', version: 1 }],
        ['config_created', { config_id: second.id, kind: 'broker', name: 'broker', version: 2 }],
        ['config_activated', { config_id: second.id, kind: 'broker', name: 'broker', version: 2 }],
        ['config_deleted', { config_id: first.id, kind: 'broker', name: 'broker', version: 1 }],
      ]);
    });
  });

  test('are told all that is wrong at once, by field', async () => {
    expect(
      await issues({
        BROKER_TCP_MAX_PINGS: 'many',
        BROKER_TCP_PING_INTERVAL: '1ms',
        BROKER_MESSAGE_MAX_SIZE: '65MiB',
        BROKER_QUIC_ENABLED: true,
        'BROKER/NO~KEY': 1,
      }),
    ).toEqual([
      ['/body/values/BROKER_MESSAGE_MAX_SIZE', 'too_large'],
      ['/body/values/BROKER_TCP_PING_INTERVAL', 'too_small'],
      ['/body/values/BROKER_TCP_MAX_PINGS', 'wrong_type'],
      ['/body/values/BROKER_QUIC_ENABLED', 'not_editable'],
      ['/body/values/BROKER~1NO~0KEY', 'unknown_key'],
    ]);
    expect(await issues({ BROKER_MESSAGE_MAX_SIZE: '2MiB', BROKER_TCP_MAX_PENDING: '1MiB' })).toEqual([
      ['/body/values/BROKER_MESSAGE_MAX_SIZE', 'too_large'],
    ]);
    expect(await issues({ BROKER_TCP_MAX_CONNECTIONS: 101, BROKER_STREAM_MAX_DISK: '1GiB' })).toEqual([
      ['/body/values/BROKER_STREAM_MAX_DISK', 'too_large'],
      ['/body/values/BROKER_TCP_MAX_CONNECTIONS', 'too_large'],
    ]);
    // one for each field
    expect(await issues({ BROKER_TCP_MAX_CONNECTIONS: 'many' })).toEqual([
      ['/body/values/BROKER_TCP_MAX_CONNECTIONS', 'wrong_type'],
    ]);
    expect(await issues({ x: 'x'.repeat(40_000) })).toEqual([['/body/values', 'too_long']]);
    expect(await get('/broker')).toEqual([]);
  });

  test.each([['7'], ['7a'], [''], ['a b'], ['x'.repeat(101)]])('cannot be named %j', async (name) => {
    const { status, body } = await create({ name, values: {} });
    expect([status, (body as Refusal).field_issues[0]?.path]).toEqual([400, '/body/name']);
  });

  test('get numbers without a gap, also when many are stored at once on two replicas', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => create({ values: {} }, n % 2)));
    expect(answers.map(({ body }) => (body as Config).version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });

  test('have one primary version, whoever activates what at once', async () => {
    for (let n = 0; n < 4; n++) await created({});
    const answers = await Promise.all(
      [1, 2, 3, 4].map((version) => activate('broker', version, version % 2)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const versions = await get<Config[]>('/broker/broker/versions');
    expect(versions.filter(({ primary }) => primary)).toHaveLength(1);
  });

  test('stay within the limit of the plan, which counts names, also when many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => create({ name: `name-${n}`, values: {} }, n % 2)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201))
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { code: 'limit_reached', limit: { name: 'deployment_configs_limit', value: 3 } },
      });
    const [one] = await get<Config[]>('/broker');
    expect((await create({ name: one?.name, values: {} })).status).toBe(201);
    const allow = (names: number) =>
      region.sql(`UPDATE deployments SET spec = jsonb_set(spec, '{limits,configs}', '${names}')`);
    await allow(1);
    expect((await create({ name: one?.name, values: {} })).status).toBe(201);
    await allow(3);
  });

  test('have a hundred versions at most', async () => {
    await created({});
    await region.sql(
      `INSERT INTO configs (deployment_id, kind, name, version, sealed_values, created_at)
       SELECT deployment_id, kind, name, n, sealed_values, now() FROM configs, generate_series(2, 100) n`,
    );
    expect(await create({ values: {} })).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', limit: { name: 'config_versions', value: 100 } },
    });
  });

  test('can be deleted unless they are primary, and no number comes again', async () => {
    const first = await created({}, { activate: true });
    const second = await created({});
    expect(await remove(first)).toMatchObject({ status: 409, body: { code: 'config_is_primary' } });
    const answers = await Promise.all([remove(second), remove(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await created({})).version).toBe(3);
  });

  test('that name nothing are not found, and numbers that are none are refused', async () => {
    await created({});
    for (const suffix of [
      '/broker/primary',
      '/broker/9007199254740990',
      '/broker/other/versions',
      '/broker/broker/versions/2',
    ])
      expect([suffix, (await call(configs(suffix), key)).status]).toEqual([suffix, 404]);
    for (const kind of ['brokers', 'connector:sink:none', 'connector:drain:x', 'connector:sink:', 'x'])
      for (const suffix of ['', '/schema', '/primary'])
        expect([kind, suffix, (await call(configs(`/${kind}${suffix}`), key)).status]).toEqual([
          kind,
          suffix,
          404,
        ]);
    expect((await create({ values: {} }, 0, 'connector:sink:none')).status).toBe(404);
    for (const version of ['1e0', '-1', '01']) expect((await activate('broker', version)).status).toBe(400);
    expect((await activate('broker', '9223372036854775807')).status).toBe(404);
    expect((await call(configs('/broker/x'), key)).body).toMatchObject({ code: 'malformed_id' });
  });

  test('are stored encrypted', async () => {
    await created({ BROKER_WEBSOCKET_ALLOWED_ORIGINS: ['https://hush.example.com'] });
    const rows = await region.sql('SELECT configs::text AS text FROM configs');
    expect(JSON.stringify(rows)).not.toContain('hush');
  });

  test('are no matter of who may only see to connectors', async () => {
    await created({});
    const connectors = await region.key({ environment: ['deployment:connector:manage'] });
    const readers = await region.key({ environment: ['deployment:config:read'] });
    expect((await call(configs('/broker'), connectors)).status).toBe(403);
    expect((await call(configs('/broker'), readers)).status).toBe(200);
    const creation = { method: 'POST', body: { values: {} } };
    expect((await call(configs('/broker'), readers, creation)).status).toBe(403);
    expect((await call(configs('/connector:sink:none'), connectors, creation)).status).toBe(404);
  });

  test('that were found valid for another version of the broker are listed, and activating checks them anew', async () => {
    await created({}, { activate: true });
    const newest = await created({});
    await region.sql("UPDATE configs SET runtime_version = '2.9.0' WHERE version = 1");
    const due = () => get<Config[]>('?needs_revalidation=true');
    expect(await due()).toMatchObject([{ version: 1, needs_revalidation: true }]);
    expect(await get<Config[]>('/broker?needs_revalidation=false')).toMatchObject([{ id: newest.id }]);
    expect((await activate('broker', 1)).status).toBe(204);
    expect(await due()).toEqual([]);
  });

  test('that are not valid any more cannot be activated, and what the tier allows is a ceiling', async () => {
    await created({ BROKER_TCP_MAX_CONNECTIONS: 90 });
    await resize({ broker_connections: 80 });
    const refusal = await eventually(async () => {
      const { status, body } = await activate('broker', 1);
      expect(status).toBe(400);
      return body as Refusal;
    });
    expect(refusal.field_issues).toEqual([
      {
        path: '/path/version',
        code: 'too_large',
        message: expect.stringMatching(/^BROKER_TCP_MAX_CONN.* 80/) as string,
      },
    ]);
    await resize({});
  });

  test('are seen by a client of the broker once they are in force, which its connection outlives', async () => {
    const everybody = { broker_http: false, broker_tcp: true, broker_websocket: false, broker_udp: false };
    const allow = (name: string) =>
      call(`${replicas[0]!.url}/deployments/${id}/access_rules`, key, {
        method: 'POST',
        body: { name, cidr_blocks: ['0.0.0.0/0'], rules: everybody },
      });
    await allow('before');
    const deployment = await untilStatus(replicas[0]!.url, key, id, 'initialized');
    // nats-server refuses whoever has not logged in yet when it takes up another configuration
    const connection = await eventually(() => connectTo(replicas[0]!.url, key, deployment));
    expect(connection.info?.max_payload).toBe(2 ** 20);
    const config = await created({ BROKER_MESSAGE_MAX_SIZE: '2KiB', BROKER_TCP_MAX_CONNECTIONS: 2 });
    await region.sql("INSERT INTO configs_applied VALUES ($1, 'broker', $2)", [id, config.id]);
    await allow('after');
    expect(await get(`/broker/${config.id}`)).toMatchObject({ primary: false, in_force: true });
    expect(await remove(config)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    const second = await eventually(() => connectTo(replicas[0]!.url, key, deployment));
    expect(second.info?.max_payload).toBe(2_048);
    await expect(connectTo(replicas[0]!.url, key, deployment)).rejects.toThrow(
      /connections exceeded|ECONNRESET|EPIPE/i,
    );
    await connection.flush();
    await Promise.all([connection.close(), second.close()]);
  });

  test('of a deployment that is being deleted cannot be changed', async () => {
    const config = await created({});
    await region.sql(`UPDATE deployments SET deleted_by = '{"correlation_id": null}', status = 'stopped'`);
    try {
      for (const answer of [await create({ values: {} }), await activate('broker', 1), await remove(config)])
        expect(answer).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    } finally {
      await region.sql("UPDATE deployments SET deleted_by = NULL, status = 'initialized'");
    }
  });

  test('go with their deployment', async () => {
    await created({}, { activate: true });
    await region.remove(id, { uid: shape.uid });
    await eventually(async () => expect(await region.sql('SELECT FROM config_names')).toEqual([]), {
      timeoutMs: 20_000,
    });
  });
});
