import { readdir } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  connectBroker,
  eventually,
  isStackGiven,
  processesOf,
  publishAndRead,
  aloneOnStack,
  type Login,
  type Stack,
} from '@sluice/testing';
import {
  auditEntries,
  createManaged,
  deploymentsPath,
  untilGone,
  untilInitialized,
  type Created,
  type SupervisorView,
} from './story.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await aloneOnStack();
}, 90_000);
afterAll(() => stack.remove());

const credentialsOf = async ({ deploymentId }: Created) =>
  (
    await stack
      .supervisor('cloud_a')
      .get<Login & Record<string, unknown>>(`/deployments/${deploymentId}/credentials`)
  ).body;

interface Summary extends Record<string, unknown> {
  healthy_deployments: number;
  healthy_nodes: number;
  total_streams: number;
  total_messages: number;
  total_clients: number;
}
const summaries = async (): Promise<Summary[]> => {
  const tenant = `/tenants/${stack.tenant_id}`;
  const paths = [`${tenant}/summary`, `${tenant}/divisions/${stack.division_id}/summary`];
  return Promise.all(paths.map(async (path) => (await stack.supervisor('cloud_a').get<Summary>(path)).body));
};

test('a starter deployment, from its creation to its first thousand messages and its end', async () => {
  const path = `/tenants/${stack.tenant_id}/divisions/${stack.division_id}/deployments/starter`;
  const answer = await stack.main.post(path, { cloud: 'cloud_a', region: 'us-east-1' });
  expect(answer.status).toBe(202);
  const created = {
    environmentId: Number(answer.headers.get('svc-environment')),
    deploymentId: Number(answer.headers.get('svc-deployment')),
  };
  expect(created.environmentId).toBeGreaterThan(0);
  expect(created.deploymentId).toBeGreaterThan(0);
  const { endpoints, nodes } = await untilInitialized(stack, created);
  expect(nodes).toHaveLength(1);

  const login = await credentialsOf(created);
  expect(Object.keys(login).sort()).toEqual(['password', 'username']);
  await expect(connectBroker(endpoints.broker_tcp, { ...login, password: 'wrong' })).rejects.toThrow(
    /authorization/i,
  );
  const connection = await connectBroker(endpoints.broker_tcp, login);
  const texts = await publishAndRead(connection, 1_000);
  expect(texts).toEqual(Array.from({ length: 1_000 }, (_, i) => `message ${i}`));
  await isPaced(connection);

  await eventually(async () => {
    for (const summary of await summaries()) {
      expect(summary).toMatchObject({
        healthy_deployments: 1,
        unhealthy_deployments: 0,
        healthy_nodes: 1,
        unhealthy_nodes: 0,
        total_connectors: 0,
        total_streams: 1,
        total_topics: 10,
        total_partitions: 10,
        total_messages: 1_000,
        total_consumer_groups: 1,
        total_clients: 1,
      });
      expect(summary['total_segments']).toBeGreaterThan(0);
    }
  });
  const { body: main } = await stack.main.get(`/tenants/${stack.tenant_id}/summary`);
  expect(main).toEqual({ total_divisions: 1, total_environments: 1, total_deployments: 1 });

  if (!isStackGiven) {
    const nodeFolders = await readdir(`${stack.home}/nodes/cloud_a`);
    expect(nodeFolders).toHaveLength(1);
    const before = await processesOf(`${stack.home}/nodes`);
    expect(before.length).toBeGreaterThanOrEqual(2);
  }

  const { status, headers } = await stack.main.delete(
    `${deploymentsPath(stack, created.environmentId)}/${created.deploymentId}`,
  );
  expect(status).toBe(202);
  expect(headers.get('svc-request')).toMatch(/^[0-9a-f]{32}$/);
  await untilGone(stack, created);
  await connection.closed();
  if (!isStackGiven) {
    expect(await readdir(`${stack.home}/nodes/cloud_a`)).toEqual([]);
    expect(await processesOf(`${stack.home}/nodes`)).toEqual([]);
  }
  await auditTells(created);
});

/** The free tier passes 100 KB a second each way: no client is refused, but one that sends more waits. */
async function isPaced(connection: NatsConnection): Promise<void> {
  const [messages, bytes] = [40, 10_000];
  const begun = performance.now();
  for (let sent = 0; sent < messages; sent++) connection.publish('bulk', new Uint8Array(bytes));
  await connection.flush();
  const seconds = (performance.now() - begun) / 1_000;
  // a second's worth may have been saved up before
  expect((messages * bytes) / seconds).toBeLessThan(150_000);
}

async function auditTells({ deploymentId }: Created): Promise<void> {
  const entries = await eventually(async () => {
    const all = await auditEntries(stack, `deployment=${deploymentId}`);
    expect(all.filter(({ type }) => type === 'credentials_read')).not.toEqual([]);
    const found = all.filter(({ type }) => type !== 'credentials_read');
    expect(found.map(({ type }) => type)).toEqual([
      'deployment_created',
      'deployment_initialized',
      'deployment_deleted',
    ]);
    return found;
  });
  const [created, initialized, deleted] = entries;
  for (const entry of entries) {
    expect(entry.division).toEqual({ id: stack.division_id, name: 'default' });
    expect(entry.environment?.name).toBe('sandbox');
    expect(entry.deployment).toEqual({ id: deploymentId, name: created?.data['name'] });
  }
  expect(created?.author?.name).toBeTruthy();
  expect(created?.api_key?.name).toBeTruthy();
  expect(initialized).toMatchObject({ author: null, correlation_id: created?.correlation_id });
  expect(deleted?.correlation_id).not.toBe(created?.correlation_id);
  // the environment that the starter made belongs to the same request
  const together = await auditEntries(stack, `correlation_id=${created?.correlation_id}`);
  expect(together.map(({ type }) => type)).toEqual([
    'environment_created',
    'deployment_created',
    'deployment_initialized',
  ]);
}

describe('a managed deployment', () => {
  let environmentId: number;
  let created: Created;
  let view: SupervisorView;
  let login: Login;
  const rulesPath = () => `/deployments/${created.deploymentId}/access_rules`;
  const only = (...protocols: string[]) =>
    Object.fromEntries(
      ['broker_http', 'broker_tcp', 'broker_websocket', 'broker_udp'].map((name) => [
        name,
        protocols.includes(name),
      ]),
    );
  const addRule = (name: string, rules: object, more: object = {}) =>
    stack
      .supervisor('cloud_a')
      .post<{ id: number }>(rulesPath(), { name, cidr_blocks: [stack.clientBlock], rules, ...more });
  const removeRule = (id: number) => stack.supervisor('cloud_a').delete(`${rulesPath()}/${id}`);

  beforeAll(async () => {
    const environment = await stack.main.post<{ id: number }>(
      `/tenants/${stack.tenant_id}/divisions/${stack.division_id}/environments`,
      { name: 'production' },
    );
    environmentId = environment.body.id;
    created = await createManaged(stack, environmentId, 'orders');
    view = await untilInitialized(stack, created);
    login = await credentialsOf(created);
  }, 60_000);

  test('refuses all connections until a rule lets the address in', async () => {
    expect((await stack.supervisor('cloud_a').get(rulesPath())).body).toEqual([]);
    await expect(connectBroker(view.endpoints.broker_tcp, login)).rejects.toThrow();
    expect(await isLetIn(view.endpoints.broker_websocket)).toBe(false);
    const elsewhere = await addRule('elsewhere', only('broker_tcp'), { cidr_blocks: ['192.0.2.0/24'] });
    expect(elsewhere.status).toBe(201);
    await expect(connectBroker(view.endpoints.broker_tcp, login)).rejects.toThrow();
    expect((await removeRule(elsewhere.body.id)).status).toBe(204);
  });

  test('lets in by the named protocols only, and a deleted rule cuts the open connection', async () => {
    const rule = await addRule('tcp only', only('broker_tcp'));
    expect(rule.status).toBe(201);
    expect(rule.headers.get('svc-access-rule')).toBe(String(rule.body.id));
    const connection: NatsConnection = await connectBroker(view.endpoints.broker_tcp, login);
    await connection.flush();
    expect(await isLetIn(view.endpoints.broker_websocket)).toBe(false);
    const closed = connection.closed();
    expect((await removeRule(rule.body.id)).status).toBe(204);
    await closed;
    await expect(connectBroker(view.endpoints.broker_tcp, login)).rejects.toThrow();
  });

  test('a rule past its valid_to admits no client', async () => {
    const rule = await addRule('for a moment', only('broker_tcp'), {
      valid_to: new Date(Date.now() + 3_000).toISOString(),
    });
    expect(rule.status).toBe(201);
    const connection = await connectBroker(view.endpoints.broker_tcp, login);
    await connection.closed();
    await expect(connectBroker(view.endpoints.broker_tcp, login)).rejects.toThrow();
    await removeRule(rule.body.id);
  });

  const region = () => stack.supervisor('cloud_a');
  const below = (path: string) => `/deployments/${created.deploymentId}/${path}`;
  const statuses = () =>
    Promise.all([
      region().get<{ status: string }>(`/deployments/${created.deploymentId}`),
      stack.main.get<{ status: string }>(`${deploymentsPath(stack, environmentId)}/${created.deploymentId}`),
    ]).then((answers) => answers.map(({ body }) => body.status));

  test('goes by a configuration once it is told to, and back, and clients see it', async () => {
    const rule = await addRule('for the configuration', only('broker_tcp'));
    const reconfigured = async (values: object) => {
      const config = await region().post<{ id: number }>(below('configs/broker'), { values, activate: true });
      expect([config.status, config.headers.get('svc-config')]).toEqual([201, String(config.body.id)]);
      const task = await region().post(below('tasks'), { type: 'broker:reconfigure' });
      expect(task.status).toBe(202);
      const id = Number(task.headers.get('svc-task'));
      await eventually(async () => {
        const { body } = await region().get<{ id: number; status: string }[]>(below('tasks'));
        expect(body.find((one) => one.id === id)).toMatchObject({ status: 'completed', error: null });
      });
    };
    const largest = async () => {
      const connection = await connectBroker(view.endpoints.broker_tcp, login);
      const { info } = connection;
      await connection.close();
      return info?.max_payload;
    };
    const before = await largest();
    await reconfigured({ BROKER_MESSAGE_MAX_SIZE: '2KiB' });
    expect(await largest()).toBe(2_048);
    await reconfigured({});
    expect(await largest()).toBe(before);
    await removeRule(rule.body.id);
  });

  test('is stopped and started, and both layers say so', async () => {
    for (const [action, status] of [
      ['stop', 'stopped'],
      ['start', 'initialized'],
    ]) {
      const asked = await region().post(below(`activities/broker/${action}`));
      expect(asked.status).toBe(202);
      await eventually(async () => expect(await statuses()).toEqual([status, status]), { timeoutMs: 20_000 });
    }
    const { body } = await region().get<{ items: object[] }>(below('activities?results=2'));
    expect(body.items).toMatchObject([
      { runtime: 'broker', action: 'start', status: 'completed' },
      { runtime: 'broker', action: 'stop', status: 'completed' },
    ]);
  });

  test('runs a connector, from the catalogue to its messages, its pause and its end', async () => {
    const connectors = `${deploymentsPath(stack, environmentId)}/${created.deploymentId}/connectors`;
    const offered = async () => {
      const { body } = await stack.main.get<{ items: { key: string }[] }>(
        `${connectors}?type=source&results=100`,
      );
      return body.items.find(({ key }) => key === 'random');
    };
    const live = async () => (await region().get<object[]>(below('connectors/instances'))).body;
    const configured = (enabled: boolean) =>
      region().post(below('configs/connector:source:numbers'), {
        activate: true,
        values: {
          enabled,
          streams: [{ stream: 'numbers', topics: ['numbers.made'] }],
          plugin_config: { interval: '10ms', batch: 50, limit: 200 },
        },
      });
    await eventually(async () => expect(await offered()).toMatchObject({ available: true, instances: [] }));
    const activation = { connector_type: 'source', connector_key: 'random', instance_key: 'numbers' };
    expect((await stack.main.post(`${connectors}/activate`, activation)).status).toBe(202);
    const isEverywhere = async (status: string) => {
      expect(await live()).toMatchObject([{ key: 'numbers', status }]);
      expect(await offered()).toMatchObject({ instances: [{ key: 'numbers', status }] });
    };
    await eventually(() => isEverywhere('active'), { timeoutMs: 20_000 });

    const rule = await addRule('for the connector', only('broker_tcp'));
    expect((await configured(true)).status).toBe(201);
    const connection = await connectBroker(view.endpoints.broker_tcp, login);
    const manager = await jetstreamManager(connection);
    await eventually(async () => expect((await manager.streams.info('numbers')).state.messages).toBe(200), {
      timeoutMs: 20_000,
    });
    await connection.close();
    await removeRule(rule.body.id);

    expect((await configured(false)).status).toBe(201);
    await eventually(() => isEverywhere('inactive'));
    const [instance] = (await live()) as { id: number }[];
    expect((await region().delete(below(`connectors/instances/${instance?.id}`))).status).toBe(204);
    expect(await live()).toEqual([]);
    await eventually(async () => expect(await offered()).toMatchObject({ instances: [] }));
  }, 60_000);

  test('is upgraded while it runs, keeps what it holds, and has it in its history', async () => {
    const rule = await addRule('for the upgrade', only('broker_tcp'));
    const before = await connectBroker(view.endpoints.broker_tcp, login);
    await publishAndRead(before, 20);
    await before.close();
    const path = `${deploymentsPath(stack, environmentId)}/${created.deploymentId}`;
    const asked = await stack.main.post(`${path}/upgrade`, { tier: 'medium', storage: { size: 60 } });
    expect(asked.status).toBe(202);
    const upgraded = { tier: 'medium', storage: { size: 60 }, upgrades: [{ status: 'completed' }] };
    await eventually(async () => expect((await stack.main.get(path)).body).toMatchObject(upgraded), {
      timeoutMs: 30_000,
    });
    const now = await untilInitialized(stack, created);
    expect(now).toMatchObject({ tier: 'medium' });
    const after = await connectBroker(now.endpoints.broker_tcp, login);
    const { state } = await (await jetstreamManager(after)).streams.info('orders');
    expect(state.messages).toBe(20);
    await after.close();
    await removeRule(rule.body.id);
    await eventually(async () => {
      const entries = await auditEntries(
        stack,
        `deployment=${created.deploymentId}&types=deployment_upgraded`,
      );
      expect(entries.map(({ data }) => data)).toMatchObject([{ from_tier: 'small', to_tier: 'medium' }]);
    });
  }, 60_000);
});

/** Whether the other side keeps a fresh connection open, rather than resetting it. */
function isLetIn(endpoint: string | null): Promise<boolean> {
  const [host = '', port = ''] = (endpoint ?? '').split(':');
  return new Promise((resolve) => {
    const socket = connectSocket(Number(port), host);
    const decide = (letIn: boolean) => {
      socket.destroy();
      resolve(letIn);
    };
    socket.once('error', () => decide(false));
    socket.once('close', () => decide(false));
    socket.once('connect', () => socket.write('GET / HTTP/1.1\r\nHost: broker\r\n\r\n'));
    // a WebSocket endpoint answers plain HTTP with an error, but it answers
    socket.once('data', () => decide(true));
  });
}
