import {
  newApiToken,
  idOf,
  type NodeId,
  type Permission,
  type TenantId,
  type EnvironmentId,
  type DivisionId,
} from '@sluice/contracts';
import { loadApiDocument, operationsOf } from '@sluice/http';
import { aDeployment, eventually } from '@sluice/testing';
import { call, untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
/** those that need a key */
const operations = operationsOf(document)
  .filter(({ operation }) => operation['x-permission'] !== 'public')
  .map(({ path, method }) => [method.toUpperCase(), path] as const);
/** what paths name; everything else by the id 1 */
const named: Record<string, string | number> = {
  ...{ division_id: 2, environment_id: 3, config_kind: 'broker', config_name: 'broker' },
};
const bodies: Record<string, unknown> = {
  POST: {
    name: 'office',
    cidr_blocks: ['192.0.2.0/24'],
    rules: { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false },
  },
};

describe('the Supervisor API', () => {
  const region = supervisor({
    replicas: 1,
    // all operations are asked at once, as no client does
    environment: {
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
      ADDRESS_RATE_LIMIT_BURST: '100000',
    },
  });
  let url: string;
  let id: number;
  let nodes: NodeId[];
  let admin: string;

  beforeAll(async () => {
    ({ url } = region.replica());
    admin = await region.key();
    const shapes = [
      aDeployment(),
      aDeployment({
        division: { id: idOf<DivisionId>(20), name: 'other' },
        environment: { id: idOf<EnvironmentId>(30), name: 'live' },
      }),
      aDeployment({ tenant_id: idOf<TenantId>(2) }),
    ];
    id = shapes[0]!.id;
    nodes = shapes.slice(0, 2).map((shape) => shape.nodes[0]!.id);
    for (const shape of shapes) await region.apply(shape);
    await untilStatus(url, admin, id, 'initialized');
    await untilStatus(url, admin, shapes[1]!.id, 'initialized');
    await untilStatus(
      url,
      await region.key('admin', { tenant_id: idOf<TenantId>(2) }),
      shapes[2]!.id,
      'initialized',
    );
  });

  const request = (method: string, path: string, key: string | undefined, deployment: number | string = id) =>
    call(
      url +
        path
          .replace('{deployment_id}', String(deployment))
          .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(named[name] ?? 1)),
      key,
      { method, body: bodies[method] },
    );

  describe.each(operations)('%s %s', (method, path) => {
    test('refuses no key, a malformed one and an unknown one', async () => {
      for (const key of [undefined, 'nonsense', `svc_${'a'.repeat(49)}`, newApiToken()]) {
        expect(await request(method, path, key)).toMatchObject({
          status: 401,
          body: { code: 'unauthenticated' },
        });
      }
    });

    test('refuses an expired key', async () => {
      const key = await region.key('admin', { expires_at: new Date(Date.now() - 1_000).toISOString() });
      expect((await request(method, path, key)).status).toBe(401);
    });

    test("answers another tenant's key as if nothing were there", async () => {
      const key = await region.key('admin', { tenant_id: idOf<TenantId>(2) });
      expect((await request(method, path, key)).status).toBe(path.includes('{tenant_id}') ? 403 : 404);
    });

    // the feed of changes tells such a key of nothing
    if (path.includes('{tenant_id}') && !path.endsWith('/events/stream')) {
      test('refuses a key without any permission', async () => {
        expect(await request(method, path, await region.key({}))).toMatchObject({
          status: 403,
          body: { code: 'forbidden' },
        });
      });
    }

    if (path.includes('{deployment_id}')) {
      test('answers ids that name nothing with 404 and malformed ones with 400', async () => {
        for (const missing of ['1', '0', '9007199254740993', '9223372036854775807']) {
          expect((await request(method, path, admin, missing)).status).toBe(404);
        }
        for (const malformed of ['x', '-1', '1.5', '9223372036854775808']) {
          expect(await request(method, path, admin, malformed)).toMatchObject({
            status: 400,
            body: { code: 'malformed_id' },
          });
        }
      });

      test('answers keys that see nothing of its place as if it were not there', async () => {
        const elsewhere = { divisions: { 20: { environment: ['deployment:manage'] } } };
        const everywhere = { division: ['environment:read'], environment: ['deployment:manage'] };
        const closed = { ...everywhere, divisions: { 2: { environments: { 3: [] } } } };
        const closedWithDivision = { ...everywhere, divisions: { 2: { environment: [] } } };
        for (const permissions of [
          ...[{}, { tenant: ['division:read'] }, elsewhere],
          ...[closed, closedWithDivision],
        ]) {
          const key = await region.key(permissions);
          const answers = [await request(method, path, key), await request(method, path, key, '999999')];
          expect(answers.map(({ status }) => status)).toEqual([404, 404]);
          for (const { body } of answers) expect(body).toMatchObject({ code: 'not_found' });
        }
      });

      test('refuses a key that sees its environment and lacks the permission', async () => {
        const narrowed = { 2: { environments: { 3: ['info:read'] } } };
        for (const role of [
          { environment: ['info:read'] },
          { environment: ['deployment:manage'], divisions: narrowed },
        ])
          expect(await request(method, path, await region.key(role))).toMatchObject({
            status: 403,
            body: { code: 'forbidden' },
          });
      });
    }
  });

  test.each<[string, string, number]>([
    ['viewer', '', 200],
    ['viewer', '/credentials', 403],
    ['viewer', '/access_rules', 403],
    ['viewer', '/network/info', 403],
    ['developer', '', 200],
    ['developer', '/credentials', 200],
    ['developer', '/access_rules', 403],
    ['developer', '/network/info', 200],
    ['billing', '', 404],
  ])('lets the role %s read /deployments/{id}%s: %i', async (role, path, status) => {
    const key = await region.key(role as 'viewer');
    expect((await call(`${url}/deployments/${id}${path}`, key)).status).toBe(status);
  });

  test.each<[Permission<'environment'>, string, string, object | undefined, number]>([
    ['deployment:network:read', 'GET', 'certificates', undefined, 200],
    ['deployment:read', 'GET', 'certificates', undefined, 403],
    ['deployment:manage', 'POST', 'certificates/rotate', undefined, 202],
    ['deployment:network:manage', 'POST', 'certificates/rotate', undefined, 403],
    // who may is told what is wrong
    ['deployment:manage', 'POST', 'credentials/rotate', { grace_seconds: 86_401 }, 400],
    ['deployment:network:manage', 'POST', 'credentials/rotate', { grace_seconds: 86_401 }, 403],
    ['deployment:read', 'GET', 'backups/schedule', undefined, 200],
    ['deployment:config:read', 'GET', 'backups/schedule', undefined, 403],
    ['deployment:manage', 'PUT', 'backups/schedule', {}, 400],
    ['deployment:read', 'PUT', 'backups/schedule', {}, 403],
    ['deployment:manage', 'POST', 'retry', undefined, 409],
    ['deployment:read', 'POST', 'retry', undefined, 403],
    ['deployment:manage', 'POST', 'nodes/{node}/enrolment', undefined, 409],
    ['deployment:read', 'POST', 'nodes/{node}/enrolment', undefined, 403],
    ['deployment:manage', 'POST', 'nodes/{node}/accept_data_loss', undefined, 409],
    ['deployment:task:manage', 'POST', 'nodes/{node}/accept_data_loss', undefined, 403],
    ['deployment:telemetry:read', 'GET', 'metrics', undefined, 200],
    ['deployment:telemetry:read', 'GET', 'heartbeats', undefined, 200],
    ['deployment:telemetry:read', 'GET', 'logs', undefined, 200],
    ['deployment:read', 'GET', 'logs', undefined, 403],
  ])('with %s alone %s …/%s %j is %i', async (permission, method, path, body, status) => {
    const key = await region.key({ environment: [permission] });
    const at = `${url}/deployments/${id}/${path.replace('{node}', String(nodes[0]))}`;
    expect((await call(at, key, { method, body })).status).toBe(status);
  });

  test('shows a deployment', async () => {
    const { body } = await call(`${url}/deployments/${id}`, admin);
    expect(body).toMatchObject({
      id,
      tenant_id: 1,
      division_id: 2,
      environment_id: 3,
      status: 'initialized',
      status_reason: null,
      network_mode: 'public',
      cidr: expect.stringMatching(/^10\.\d+\.\d+\.0\/24$/) as string,
      network: {
        public_ips: ['127.0.0.1'],
        private_ips: [expect.stringMatching(/^10\.\d+\.\d+\.10$/)],
        dns: [
          {
            domain: expect.stringMatching(/^orders-\w+\.sluice\.localhost$/) as string,
            address: '127.0.0.1',
          },
        ],
      },
      configs: [],
      nodes: [{ name: 'node-1', status: 'healthy', storage_type: 'local_ssd' }],
    });
  });

  test('shows the network with ports, and the default rule of the free tier', async () => {
    const { body } = await call(`${url}/deployments/${id}/network/info`, admin);
    expect(body).toMatchObject({
      ports: { broker_tcp: expect.any(Number) as number, broker_udp: null },
      access_rules: [
        {
          name: 'default',
          cidr_blocks: ['0.0.0.0/0'],
          rules: { broker_http: true, broker_tcp: true, broker_websocket: true, broker_udp: true },
        },
      ],
    });
  });

  test.each([
    ['cloud_a', { account_id: '123456789012', identity_arn: 'arn', external_id: 'x', vpc_id: 'vpc-1' }],
    ['cloud_b', { project_id: 'acme-streaming', service_account_email: 'a@b.example', vpc_name: 'default' }],
  ])(
    'shows the block of the network of a customer on %s, and no address of its own pool',
    async (cloud, to) => {
      const reshape = (change: string) =>
        region.sql(`UPDATE deployments SET spec = ${change} WHERE id = $1`, [id]);
      const access = JSON.stringify({ [cloud]: { ...to, vpc_cidr: '172.20.0.0/16' } });
      await reshape(`jsonb_set(spec, '{cloud_access}', '${access}')`);
      const shown = await call(`${url}/deployments/${id}`, admin);
      const info = await call(`${url}/deployments/${id}/network/info`, admin);
      await reshape(`spec - 'cloud_access'`);
      expect(shown.body).toMatchObject({
        ...{ cidr: '172.20.0.0/16', network: { private_ips: [] }, nodes: [{ private_ip: null }] },
      });
      expect(info.body).toMatchObject({ cidr: '172.20.0.0/16', private_ips: [] });
    },
  );

  test('stores the password sealed only', async () => {
    const { body } = await call(`${url}/deployments/${id}/credentials`, admin);
    const { password } = body as { password: string };
    expect(password).toMatch(/^\w{32}$/);
    const [row] = await region.sql<{ row: string }>(
      'SELECT d::text AS row FROM deployments d WHERE id = $1',
      [id],
    );
    expect(row?.row).not.toContain(password);
  });

  describe('summaries', () => {
    const summary = async (key: string, path = '/tenants/1/summary') => await call(url + path, key);

    test("count the tenant's own deployments, and a division's", async () => {
      expect(await summary(admin)).toMatchObject({
        status: 200,
        body: { healthy_deployments: 2, unhealthy_deployments: 0, healthy_nodes: 2, unhealthy_nodes: 0 },
      });
      expect((await summary(admin, '/tenants/1/divisions/20/summary')).body).toMatchObject({
        healthy_deployments: 1,
      });
    });

    test('have zeros for a division without deployments here', async () => {
      const { status, body } = await summary(admin, '/tenants/1/divisions/999/summary');
      expect(status).toBe(200);
      expect(Object.values(body as object).every((count) => count === 0)).toBe(true);
    });

    test('leave out divisions and environments that grant the caller nothing', async () => {
      const role = { tenant: ['info:read'], division: ['info:read'], environment: ['info:read'] };
      const nothing = { permissions: [], environment: [], environments: {} };
      const key = await region.key({ ...role, divisions: { 20: nothing } });
      expect((await summary(key)).body).toMatchObject({ healthy_deployments: 1, healthy_nodes: 1 });
      const noEnvironment = await region.key({ ...role, divisions: { 2: { environments: { 3: [] } } } });
      expect((await summary(noEnvironment)).body).toMatchObject({ healthy_deployments: 1 });
    });

    test('of the tenant are refused to a division-scoped key, and so are those of other divisions', async () => {
      const key = await region.key({ division: [], divisions: { 20: { permissions: ['info:read'] } } });
      expect((await summary(key)).status).toBe(403);
      expect((await summary(key, '/tenants/1/divisions/2/summary')).status).toBe(403);
      expect((await summary(key, '/tenants/1/divisions/20/summary')).status).toBe(200);
    });

    test('of a division are for who holds info:read in it or in the tenant', async () => {
      const ofDivision = async (role: Parameters<typeof region.key>[0]) =>
        (await summary(await region.key(role), '/tenants/1/divisions/20/summary')).status;
      expect(await ofDivision({ tenant: ['info:read'] })).toBe(200);
      expect(await ofDivision({ division: ['info:read'] })).toBe(200);
      expect(await ofDivision({ tenant: ['division:read'], division: ['environment:read'] })).toBe(403);
    });

    test('count nodes that have fallen silent as unhealthy, without what they held', async () => {
      const replica = await region.start({ NODE_UNREACHABLE_SECONDS: '1' });
      const agents = await Promise.all(nodes.map((node) => region.agentOf(node)));
      for (const agent of agents) process.kill(agent, 'SIGSTOP');
      await eventually(async () =>
        expect((await call(`${replica.url}/tenants/1/summary`, admin)).body).toMatchObject({
          healthy_deployments: 0,
          unhealthy_deployments: 2,
          healthy_nodes: 0,
          unhealthy_nodes: 2,
          total_streams: 0,
        }),
      );
      const { body } = await call(`${replica.url}/deployments/${id}`, admin);
      expect(body).toMatchObject({ nodes: [{ status: 'unreachable' }] });
      for (const agent of agents) process.kill(agent, 'SIGCONT');
      await eventually(async () =>
        expect((await call(`${replica.url}/deployments/${id}`, admin)).body).toMatchObject({
          nodes: [{ status: 'healthy' }],
        }),
      );
      await replica.stop();
    });
  });
});
