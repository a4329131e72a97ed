import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { idOf, type DeploymentSpec, type DivisionId, type UserId } from '@sluice/contracts';
import { isRoot, unprivilegedUser } from '@sluice/system';
import { aDeployment, connectBroker, eventually } from '@sluice/testing';
import { call, connectTo, untilGone, untilStatus, type Deployment } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const correlation = '6f1d4f5e-0f6f-4d59-9e57-6c1f7f0b7a11';
const cause = { author: { id: idOf<UserId>(5), name: 'Ada' }, api_key: null, correlation_id: correlation };
const off = { broker_http: false, broker_tcp: false, broker_websocket: false, broker_udp: false };
const everywhere = { name: 'all', cidr_blocks: ['0.0.0.0/0'] };

describe('a deployment', () => {
  const region = supervisor({ replicas: 1 });
  let url: string;
  let key: string;

  beforeAll(async () => {
    ({ url } = region.replica());
    key = await region.key();
  });

  async function deploy(more: Partial<DeploymentSpec> = {}): Promise<Deployment> {
    const shape = aDeployment(more);
    await region.apply(shape, 1, { cause });
    return await untilStatus(url, key, shape.id, 'initialized');
  }

  const addRule = async ({ id }: Deployment, rule: object) => {
    const { status, body } = await call(`${url}/deployments/${id}/access_rules`, key, {
      method: 'POST',
      body: rule,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return (body as { id: number }).id;
  };

  test('of the free tier serves a stock client, and both summaries count what it holds', async () => {
    const deployment = await deploy({ division: { id: idOf<DivisionId>(200), name: 'counted' } });
    const client = await connectTo(url, key, deployment);
    const manager = await jetstreamManager(client);
    await manager.streams.add({ name: 'ORDERS', subjects: ['orders.*'] });
    const stream = jetstream(client);
    await Promise.all(
      Array.from({ length: 1_000 }, (_, number) => stream.publish('orders.new', String(number))),
    );
    await eventually(async () => {
      for (const path of ['/tenants/1/summary', '/tenants/1/divisions/200/summary']) {
        expect((await call(url + path, key)).body).toMatchObject({
          healthy_deployments: 1,
          unhealthy_deployments: 0,
          healthy_nodes: 1,
          total_streams: 1,
          total_topics: 1,
          total_messages: 1_000,
          total_clients: 1,
        });
      }
    });
    await client.close();
  });

  // who is not root has nothing to leave, and only Linux tells whose a process is in /proc
  const asRoot = isRoot && process.platform === 'linux' ? test : test.skip;
  asRoot('has an agent, a gateway and a broker that are not root', async () => {
    const { nodes } = await deploy();
    const users = await region.usersOf(nodes[0]?.id ?? 0);
    expect(users).toEqual([unprivilegedUser, unprivilegedUser, unprivilegedUser]);
  });

  test('refuses a wrong password', async () => {
    const deployment = await deploy();
    await expect(
      connectBroker(deployment.endpoints.broker_tcp, { username: 'user', password: 'wrong' }),
    ).rejects.toThrow();
  });

  test('reports each status in order and tells its initialization once', async () => {
    const { id, name, code } = await deploy();
    const reports = await eventually(async () => {
      const found = await messagesAbout<{ type: string; data: object }>(region, 'reports', id);
      expect(found.length).toBeGreaterThanOrEqual(8);
      return found;
    });
    const statuses = [
      'creating',
      'creating_subnet',
      'securing_network',
      'configuring_dns',
      'configuring_certificates',
      'waiting_for_nodes',
      'deploying_nodes',
      'initialized',
    ];
    // what else is told of it then, its connectors, is no status
    expect(reports.slice(0, statuses.length).map(({ type, data }) => ({ type, ...data }))).toMatchObject(
      statuses.map((status, index) => ({ type: 'deployment_status', version: index + 1, status })),
    );
    expect(await messagesAbout(region, 'events', id)).toMatchObject([
      {
        type: 'deployment_initialized',
        author: null,
        correlation_id: correlation,
        deployment: { id, name },
        environment: { id: 3, name: 'sandbox' },
        data: { name, code },
      },
    ]);
  });

  test('of another tier lets nobody in before a rule does, and cuts who came in by a rule once it is deleted', async () => {
    const deployment = await deploy({ tier: 'small' });
    await expect(connectTo(url, key, deployment)).rejects.toThrow();

    await addRule(deployment, { ...everywhere, name: 'web', rules: { ...off, broker_websocket: true } });
    await expect(connectTo(url, key, deployment)).rejects.toThrow();

    const rule = await addRule(deployment, { ...everywhere, rules: { ...off, broker_tcp: true } });
    const client = await connectTo(url, key, deployment);
    await client.flush();
    const address = `${url}/deployments/${deployment.id}/access_rules/${rule}`;
    expect((await call(address, key, { method: 'DELETE' })).status).toBe(204);
    await client.closed();
    await expect(connectTo(url, key, deployment)).rejects.toThrow();
  });

  test('keeps connections that a changed rule still admits, and cuts the others', async () => {
    const deployment = await deploy({ tier: 'small' });
    const loopback = { name: 'all', cidr_blocks: ['127.0.0.0/8'], rules: { ...off, broker_tcp: true } };
    const rule = await addRule(deployment, loopback);
    const kept = await connectTo(url, key, deployment, { reconnect: false });
    const [host, port] = String(deployment.endpoints.broker_tcp).split(':');
    const other = connect({ host: host!, port: Number(port), localAddress: '127.0.0.2' });
    await once(other, 'data');
    // by a reset: a broker that refuses says so
    const cut = expect(once(other, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
    const body = { ...loopback, cidr_blocks: ['127.0.0.1/32'] };
    const address = `${url}/deployments/${deployment.id}/access_rules/${rule}`;
    expect((await call(address, key, { method: 'PUT', body })).status).toBe(200);
    await cut;
    await kept.flush();
    await kept.close();
  });

  test('lets nobody in by a rule that is past its end', async () => {
    const deployment = await deploy({ tier: 'small' });
    const validTo = new Date(Date.now() + 1_500);
    await addRule(deployment, {
      ...everywhere,
      rules: { ...off, broker_tcp: true },
      valid_to: validTo.toISOString(),
    });
    const client = await connectTo(url, key, deployment);
    await client.closed();
    expect(Date.now()).toBeGreaterThanOrEqual(validTo.getTime());
    await expect(connectTo(url, key, deployment)).rejects.toThrow();
  });

  test('tells of rules that are added and deleted, with who did it', async () => {
    const deployment = await deploy({ tier: 'small' });
    const rule = await addRule(deployment, {
      ...everywhere,
      rules: { ...off, broker_tcp: true },
      remarks: 'for now',
    });
    await call(`${url}/deployments/${deployment.id}/access_rules/${rule}`, key, { method: 'DELETE' });
    const data = {
      cidrs: ['0.0.0.0/0'],
      description: 'for now',
      rules: { ...off, broker_tcp: true },
    };
    const by = { author: { id: idOf<UserId>(5), name: 'Ada' }, api_key: { id: 9, name: 'ci' } };
    await eventually(async () =>
      expect(await messagesAbout(region, 'events', deployment.id)).toMatchObject([
        { type: 'deployment_initialized', author: null },
        { type: 'access_rule_added', ...by, data },
        { type: 'access_rule_deleted', ...by, data },
      ]),
    );
  });

  test('that is deleted leaves no process, no folder and no row, and is not found any more', async () => {
    const deployment = await deploy();
    const client = await connectTo(url, key, deployment);
    const processes = await region.processesOf(deployment.nodes[0]!.id);
    expect(processes).toEqual({ agents: 1, gateways: 1, brokers: 1 });

    await region.remove(deployment.id, { cause });
    await client.closed();
    await untilGone(url, key, deployment.id);
    expect(await region.processesOf(deployment.nodes[0]!.id)).toEqual({ agents: 0, gateways: 0, brokers: 0 });
    expect(await readdir(region.nodesFolder)).not.toContain(String(deployment.nodes[0]!.id));
    const tables = ['nodes', 'access_rules', 'reconciliations', 'dns_records', 'deployment_conditions'];
    for (const table of tables) {
      const rows = await region.sql(`SELECT FROM ${table} WHERE deployment_id = $1`, [deployment.id]);
      expect(rows).toEqual([]);
    }
    await eventually(async () => {
      const reports = await messagesAbout<{ type: string; data: object }>(region, 'reports', deployment.id);
      expect(reports.slice(-2).map(({ type, data }) => ({ type, ...data }))).toMatchObject([
        { type: 'deployment_status', status: 'deleting' },
        { type: 'deployment_removed' },
      ]);
    });
  });
});
