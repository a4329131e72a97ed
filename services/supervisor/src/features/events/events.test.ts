import { compileRole, keyGrantKey, rolePermissionsSchema, tokenHash } from '@sluice/contracts';
import { client, follow, insertInitialized, putGrant, type Followed } from '@sluice/testing';
import { createLog, createPool } from '@sluice/service';
import { idOf, type TenantId } from '@sluice/contracts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor();
const tenant = idOf<TenantId>(1);
const id = 3_000_000;
let key: string;
let followed: Followed[] = [];

beforeAll(async () => {
  const parts = { drivers: simulatedDrivers({ runningFrom: 1 }) };
  await Promise.all([region.startWith(parts), region.startWith(parts)]);
  const pool = createPool(region.databaseUrl, 1, createLog('test', 'error'));
  await insertInitialized(pool, 1, { firstId: id });
  await pool.end();
  key = await region.key('admin', { tenant_id: tenant });
});
afterEach(() => {
  for (const stream of followed) stream.leave();
  followed = [];
});

async function feed(who = key, of = tenant): Promise<Followed> {
  const url = `${region.replica(1).url}/tenants/${of}/events/stream`;
  const stream = await follow(url, { 'svc-api-key': who });
  followed.push(stream);
  return stream;
}

async function next(stream: Followed): Promise<string> {
  const { event, data } = (await stream.next()) ?? { event: 'nothing', data: {} };
  if (event !== 'change') return `${event} ${String(data['reason'])}`;
  return `${String(data['change'])} ${String(data['kind'])} ${String(data['id'])}`;
}

test('tells of what requests and the region itself change in deployments', async () => {
  const stream = await feed();
  const rules = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
  const admin = client(region.replica(0).url, key);
  const at = `/deployments/${id}`;
  const rule = await admin.post(`${at}/access_rules`, {
    ...{ name: 'office', cidr_blocks: ['192.0.2.0/24'], rules },
  });
  expect(rule.status).toBe(201);
  const event = await stream.next();
  expect(event?.data).toEqual({
    ...{ kind: 'access_rule', id: rule.body['id'], change: 'created', deployment_id: id },
    ...{ division_id: expect.any(Number) as number, environment_id: expect.any(Number) as number },
    ...{ revision: expect.any(Number) as number, changed_at: expect.any(String) as string },
  });
  await region.sql(`UPDATE deployments SET status = 'stopped' WHERE id = $1`, [id]);
  expect(await next(stream)).toBe(`updated deployment ${id}`);
  const config = await admin.post(`${at}/configs/broker`, { values: {} });
  expect(await next(stream)).toBe(`created config ${config.headers.get('svc-config')}`);
  await admin.put(`${at}/backups/schedule`, { enabled: false, cron: '0 3 * * *', keep: 3 });
  await region.sql(
    `INSERT INTO backups (deployment_id, name, backup_type, created_by) VALUES ($1, 'one', 'manual', '{}')`,
    [id],
  );
  const seen = [await next(stream)];
  while (!seen.at(-1)?.startsWith('created backup ')) seen.push(await next(stream));
});

test('records each change of what is shown, and not what is the work of the region alone', async () => {
  const since = async () =>
    (
      await region.sql<{ said: string }>(
        `SELECT concat_ws(' ', change, kind, object_id) AS said FROM object_changes WHERE revision > $1 ORDER BY revision`,
        [last],
      )
    ).map(({ said }) => said);
  const [{ last } = { last: 0 }] = await region.sql<{ last: number }>(
    'SELECT coalesce(max(revision), 0) AS last FROM object_changes',
  );
  const run = (text: string) => region.sql(text.replaceAll('$id', String(id)));
  await run(`UPDATE deployments SET traceparent = 'x', revision = revision + 1 WHERE id = $id`);
  await run(`UPDATE nodes SET last_heartbeat_at = now() WHERE deployment_id = $id`);
  await run(`INSERT INTO network_links (id, deployment_id, kind, name, wanted, status, created_by, created_at)
             OVERRIDING SYSTEM VALUE VALUES (7, $id, 'cloud_a_peering', 'link', '{}', 'pending', '{}', now())`);
  await run(
    `UPDATE network_links SET fence = fence + 1, leased_until = now(), due_at = now() + interval '1 hour' WHERE id = 7`,
  );
  await run(`UPDATE network_links SET status = 'active' WHERE id = 7`);
  await run(`UPDATE network_links SET deleted_at = now() WHERE id = 7`);
  await run(`INSERT INTO tasks (id, deployment_id, node_id, submission, runtime, action, created_by, deadline)
             OVERRIDING SYSTEM VALUE VALUES (8, $id, $id, gen_random_uuid(), 'broker', 'restart', '{}', now() + interval '1 hour')`);
  await run(`UPDATE tasks SET status = 'completed', finished_at = now() WHERE id = 8`);
  await run(`UPDATE deployments SET username = 'another' WHERE id = $id`);
  await run(`DELETE FROM access_rules WHERE deployment_id = $id`);
  expect((await since()).filter((said) => /network_link|task 8|credentials|access_rule/.test(said))).toEqual([
    'created network_link 7',
    'updated network_link 7',
    'deleted network_link 7',
    'created task 8',
    'updated task 8',
    'updated credentials',
    expect.stringContaining('deleted access_rule'),
  ]);
});

test('tells of what the caller may read alone, and ends with the key', async () => {
  const environment = ['deployment:read'];
  const permissions = compileRole(rolePermissionsSchema.parse({ environment }));
  const reader = await region.key('admin', { tenant_id: tenant, permissions });
  const stream = await feed(reader);
  await region.sql(
    `INSERT INTO access_rules (deployment_id, name, protocols, cidr_blocks, created_at) VALUES ($1, 'hidden', '{}', '{}', now())`,
    [id],
  );
  await region.sql(
    `INSERT INTO backups (deployment_id, name, backup_type, created_by) VALUES ($1, 'two', 'manual', '{}')`,
    [id],
  );
  expect(await next(stream)).toContain('created backup');
  const grants = { nats: region.nats, topology: region.topology };
  await putGrant(grants, keyGrantKey(tenant, tokenHash(reader)), null);
  const rest = await stream.rest();
  expect(rest.at(-1)).toEqual({ event: 'end', data: { reason: 'forbidden' } });
});

test('is none for other tenants', async () => {
  expect((await feed(await region.key('admin', { tenant_id: idOf<TenantId>(2) }))).response.status).toBe(403);
});
