import { createHash, createHmac } from 'node:crypto';
import { client, eventually, metricsOf, type ReceivedRequest as Received } from '@sluice/testing';
import { Webhook } from 'standardwebhooks';
import { auditService } from '#test/audit-service.ts';
import { allHandled, allowExport, anEvent, named, record } from '#test/events.ts';
import { SinkServer } from '#test/sink-server.ts';

const on = auditService({ replicas: 2 });
const server = new SinkServer();
const signing_secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const slow = { timeoutMs: 45_000 };
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

let tenant = 0;
let key: string;
beforeEach(async () => {
  tenant++;
  key = await on.key({ tenant });
  server.received.length = 0;
  server.answer = (response) => response.end();
  await allowExport(on, tenant);
});
afterEach(async () => {
  await on.sql('DELETE FROM sinks');
});

const api = (replica = 0, token = key) => client(on.replica(replica).url, token);
const path = () => `/audit/tenants/${tenant}/sink`;
const https = (more: object = {}) => ({ url: `${server.url}/in`, tls_ca: server.authority, ...more });
const put = (body: object, token = key) => api(0, token).put(path(), { interval_seconds: 1, ...body });
const sink = async () =>
  (await api(1).get(path())).body as { status: Record<string, unknown>; https: object };
/** One after the other: what two replicas record at the same time has no order in the chain. */
const happens = async (...names: string[]) => {
  for (const name of names) await record(on, { ...named(name), tenant_id: tenant });
};
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  `${status} ${String(body['code'])}`;
const entriesOf = (type: string) =>
  on.sql<{ data: Record<string, unknown> }>(
    'SELECT data FROM log_entries WHERE tenant_id = $1 AND type = $2',
    [tenant, type],
  );

test('takes each entry in the order of the log, signed, from the configured one on', async () => {
  await happens('a', 'b');
  expect(
    (await put({ https: https({ signing_secret, headers: { 'X-Token': 't0ken' } }), start: 'beginning' }))
      .status,
  ).toBe(204);
  await happens('c');
  // the change of the sink is an entry as well
  await eventually(
    () => expect(server.names.filter((name) => name !== 'none')).toEqual(['a', 'b', 'c']),
    slow,
  );
  for (const { headers, body } of server.received) {
    expect(headers).toMatchObject({ 'x-token': 't0ken', 'content-type': 'application/x-ndjson' });
    new Webhook(signing_secret).verify(body, headers as Record<string, string>, { jsonParse: false });
  }
  const [first] = server.received;
  expect(JSON.parse(first?.body.split('\n')[0] ?? '')).toMatchObject({ seq: 1, prev_hash: '0'.repeat(64) });
  await eventually(async () =>
    expect((await sink()).status).toMatchObject({
      state: 'active',
      position: 4,
      behind: 0,
      delivered: 4,
      missed: 0,
    }),
  );
  // it goes on where it was, and a new one begins with what is next
  server.received.length = 0;
  expect((await put({ https: https({ format: 'json' }) })).status).toBe(204);
  await happens('d');
  await eventually(() => expect(server.received.map(({ body }) => body).join()).toContain('"d"'), slow);
  expect(server.received.every(({ body }) => Array.isArray(JSON.parse(body)))).toBe(true);
});

const authority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

test('shows nothing that opens it, also in entries and errors, and keeps that for the same destination alone', async () => {
  const headers = { Authorization: 'Splunk s3cret-t0ken' };
  await put({ https: https({ headers, signing_secret }) });
  const { https: shown } = await sink();
  expect(shown).toMatchObject({ headers: { Authorization: '***' }, signing_secret: '***' });
  server.answer = (response, { headers: { authorization } }) =>
    response.writeHead(401).end(`${authorization} is not known\n\u0007`);
  await happens('x');
  await eventually(async () => expect((await sink()).status).toMatchObject({ state: 'failing' }), slow);
  expect((await sink()).status['last_error']).toBe('The server answered 401: *** is not known');
  server.answer = (response) => response.end();
  // masked: as they are
  expect((await put({ https: shown, start: 'now' })).status).toBe(204);
  expect((await put({ https: { ...shown, format: 'json' } })).status).toBe(204);
  server.received.length = 0;
  await happens('y');
  await eventually(() => expect(server.received[0]?.headers.authorization).toBe(headers.Authorization), slow);
  for (const moved of [
    { url: 'https://other.example/in' },
    { url: `${server.url}/theirs` },
    { tls_ca: authority },
  ]) {
    const elsewhere = await put({ https: { ...shown, ...moved } });
    expect([elsewhere.status, elsewhere.body['field_issues']]).toEqual([
      400,
      ['headers/Authorization', 'signing_secret'].map(
        (field) =>
          expect.objectContaining({ path: `/body/https/${field}`, code: 'nothing_stored' }) as object,
      ),
    ]);
  }
  await allHandled(on);
  const said = await on.sql('SELECT data FROM log_entries WHERE tenant_id = $1', [tenant]);
  expect(JSON.stringify(said)).not.toMatch(/s3cret|whsec_/);
  const stored = await on.sql('SELECT * FROM sinks');
  expect(JSON.stringify(stored)).not.toMatch(/s3cret|whsec_/);
});

test('that does not take what it is sent is tried again, reported once, and keeps no other waiting', async () => {
  const other = tenant + 100;
  await allowExport(on, other);
  await put({ https: https() });
  server.answer = (response, { path }) => response.writeHead(path === '/in' ? 503 : 200).end();
  await happens('lost?');
  const otherKey = await on.key({ tenant: other });
  const otherPath = `/audit/tenants/${other}/sink`;
  await api(0, otherKey).put(otherPath, {
    interval_seconds: 1,
    https: https({ url: `${server.url}/other` }),
    start: 'now',
  });
  await eventually(async () => expect(await entriesOf('audit_sink_failing')).toHaveLength(1), slow);
  expect((await entriesOf('audit_sink_failing'))[0]?.data).toMatchObject({
    ...{ kind: 'https', destination: server.url },
    reason: 'The server answered 503',
  });
  expect((await sink()).status).toMatchObject({ state: 'failing', behind: expect.any(Number) as number });
  expect(await metricsOf(on.replica(0).url)).toMatch(/sluice_audit_sinks\{state="failing"\} [1-9]/);
  await record(on, { ...named('ok'), tenant_id: other });
  await eventually(() => expect(server.names).toContain('ok'), slow);
  server.answer = (response) => response.end();
  server.received.length = 0;
  await eventually(async () => expect(await entriesOf('audit_sink_recovered')).toHaveLength(1), slow);
  expect(server.names).toContain('lost?');
  await eventually(
    async () => expect((await sink()).status).toMatchObject({ state: 'active', failures: 0 }),
    slow,
  );
  expect(await entriesOf('audit_sink_failing')).toHaveLength(1);
});

test('gets all of it at least once, and nothing is noted by who has lost it meanwhile', async () => {
  await put({ https: https() });
  let held: (() => void) | undefined;
  server.answer = (response) => (held ??= () => void response.end());
  await happens('first');
  await eventually(() => expect(held).toBeDefined(), slow);
  // as if the replica that waits for the answer had been stopped for longer than its lease
  await on.sql("UPDATE sinks SET leased_until = now() - interval '1 second', due_at = now()");
  await eventually(() => expect(server.received.length).toBeGreaterThan(1), slow);
  const [{ fence } = { fence: 0 }] = await on.sql<{ fence: number }>('SELECT fence FROM sinks');
  server.answer = (response) => response.end();
  await on.sql('UPDATE sinks SET position = 0, fence = fence + 10, leased_until = NULL');
  held?.();
  await eventually(async () => expect((await sink()).status['position']).toBeGreaterThan(0), slow);
  // their order does not matter here
  await record(on, ...numbers(1, 700).map((name) => ({ ...named(name), tenant_id: tenant })));
  const missing = () => {
    const names = new Set(server.names);
    return numbers(1, 700).filter((name) => !names.has(name));
  };
  await eventually(() => expect(missing()).toEqual([]), slow);
  const [now] = await on.sql<{ fence: number }>('SELECT fence FROM sinks');
  expect(Number(now?.fence)).toBeGreaterThan(Number(fence) + 10);
}, 120_000);

test('is sent nothing while the plan does not allow it, or it is disabled, and then what has waited', async () => {
  await put({ https: https() });
  await allowExport(on, tenant, false);
  server.received.length = 0;
  await happens('waits');
  expect((await sink()).status).toMatchObject({ state: 'suspended' });
  expect((await put({ https: https() })).body).toMatchObject({
    code: 'feature_not_available',
    feature: 'audit_export_enabled',
  });
  await allowExport(on, tenant);
  await eventually(() => expect(server.names).toContain('waits'), slow);
  await put({ https: https(), enabled: false });
  await happens('later');
  expect((await sink()).status).toMatchObject({ state: 'disabled' });
  expect(server.names).not.toContain('later');
  await put({ https: https() });
  await eventually(() => expect(server.names).toContain('later'), slow);
});

test('gathers new entries for as long as its interval', async () => {
  await put({ https: https(), interval_seconds: 3_600 });
  const untilNext = async () =>
    (
      await on.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM due_at - now())::int AS seconds FROM sinks',
      )
    )[0]?.seconds;
  // it has had its turn
  await eventually(async () => expect(await untilNext()).toBeGreaterThan(3_000), slow);
  await happens('waits');
  expect((await sink()).status['behind']).toBeGreaterThan(0);
  expect(server.names).not.toContain('waits');
  await put({ https: https() });
  await eventually(() => expect(server.names).toContain('waits'), slow);
});

test('is a bucket at the address, of the region, by the keys and under the name that its settings say', async () => {
  const keys = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI-s3cret' };
  const bucketAt = { endpoint: server.url, region: 'eu-north-7', bucket: 'logs', prefix: 'acme/' };
  const s3 = { ...bucketAt, ...keys, path_style: true, tls_ca: server.authority };
  const tried = async (settings: object) => {
    expect((await put({ s3: settings, enabled: false })).status).toBe(204);
    await on.sql('UPDATE sinks SET tested_at = NULL');
    return (await api().post(`${path()}/test`)).body;
  };
  expect(await tried(s3)).toEqual({ taken: true, reason: null });
  const [request] = server.received;
  expect(request?.path).toMatch(/^\/logs\/acme\/sluice-test\.ndjson\.gz(\?|$)/);
  expect(request?.headers.authorization).toContain('Credential=AKIDEXAMPLE/');
  expect(request?.headers.authorization).toContain('/eu-north-7/s3/aws4_request');
  expect(request?.headers.authorization).toContain(`Signature=${request && awsSignature(request, keys)}`);
  // the bucket is in the name of a server that there is not, or no known authority vouches for this one
  for (const other of [{ path_style: false }, { tls_ca: null }])
    expect(await tried({ ...s3, ...other })).toMatchObject({ taken: false });
  expect(server.received).toHaveLength(1);
});

/** What a PUT of an object has to be signed with, by version 4 of the signatures of AWS. */
function awsSignature({ path: at, headers }: Received, { secret_access_key }: { secret_access_key: string }) {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const [resource = '', query = ''] = at.split('?');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const digest = String(headers['x-amz-content-sha256']);
  const canonical = ['PUT', resource, query, signed.join(''), names, digest].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, hash].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (before, part) => createHmac('sha256', before).update(part).digest(),
      `AWS4${secret_access_key}`,
    );
  return createHmac('sha256', key).update(text).digest('hex');
}

test('tells of entries whose retention was over before it took them', async () => {
  await happens('a', 'b', 'c');
  await put({ https: https(), start: 'beginning', enabled: false });
  await on.sql('UPDATE sinks SET position = 0');
  await on.sql(
    `SET session_replication_role = replica; DELETE FROM log_entries WHERE tenant_id = ${tenant} AND seq <= 2`,
  );
  await put({ https: https() });
  await eventually(async () => expect((await sink()).status).toMatchObject({ missed: 2 }), slow);
  expect(server.names.slice(0, 1)).toEqual(['c']);
});

test('can be tried, once in ten seconds, and says what came of it', async () => {
  await put({ https: https(), enabled: false });
  const [first, second] = await Promise.all([api(0).post(`${path()}/test`), api(1).post(`${path()}/test`)]);
  const [tried, refused] = first.status === 200 ? [first, second] : [second, first];
  expect(tried.body).toEqual({ taken: true, reason: null });
  expect([refused.status, refused.body['code']]).toEqual([429, 'sink_test_throttled']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(server.received).toEqual([
    expect.objectContaining({ headers: expect.objectContaining({ 'svc-audit-test': 'true' }) as object }),
  ]);
  await on.sql('UPDATE sinks SET tested_at = NULL');
  server.answer = (response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
  expect((await api().post(`${path()}/test`)).body).toEqual({
    taken: false,
    reason: 'The server answered 302',
  });
  await on.sql('UPDATE sinks SET tested_at = NULL');
  await put({ https: https({ tls_ca: null }), enabled: false });
  expect((await api().post(`${path()}/test`)).body).toMatchObject({
    taken: false,
    reason: expect.stringContaining('certificate') as string,
  });
});

test('each change is an entry; the same once more is none; two at once are one sink', async () => {
  const bodies = [https(), https({ format: 'json' })];
  const answers = await Promise.all(bodies.map((body, replica) => api(replica).put(path(), { https: body })));
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect(await on.sql('SELECT 1 FROM sinks')).toHaveLength(1);
  await api().put(path(), { https: https() });
  await api().put(path(), { https: https() });
  expect((await api().delete(path())).status).toBe(204);
  expect((await api().delete(path())).status).toBe(404);
  expect((await api().get(path())).status).toBe(404);
  await eventually(async () => expect(await entriesOf('audit_sink_deleted')).toHaveLength(1), slow);
  expect([2, 3]).toContain((await entriesOf('audit_sink_updated')).length);
});

test('is changed only as the client knows it, however far it has come meanwhile', async () => {
  const change = (seconds: number, tag: string) =>
    api().request('PUT', path(), { interval_seconds: seconds, https: https() }, { 'if-match': tag });
  // there is none yet
  expect(codeOf(await change(1, '*'))).toBe('412 changed_meanwhile');
  const create = (replica: number) =>
    api(replica).request('PUT', path(), { https: https() }, { 'if-none-match': '*' });
  const created = await Promise.all([create(0), create(1)]);
  expect(created.map(({ status }) => status).sort()).toEqual([204, 412]);
  const read = await api().get(path());
  const tag = String(read.headers.get('etag'));
  await happens('a');
  await eventually(async () => expect((await sink()).status).toMatchObject({ position: 2 }), slow);
  // a client that has it is told that it went on
  const now = await api().request('GET', path(), undefined, { 'if-none-match': tag });
  expect([now.status, now.headers.get('etag') === tag]).toEqual([200, false]);

  expect((await change(2, tag)).status).toBe(204);
  expect(codeOf(await change(3, tag))).toBe('412 changed_meanwhile');
  expect(codeOf(await change(3, `W/${String(now.headers.get('etag'))}`))).toBe('412 changed_meanwhile');
  expect((await api().get(path())).body).toMatchObject({ interval_seconds: 2 });
});

test('is said by who may change settings and read the log', async () => {
  const reader = await on.key({ tenant, role: { tenant: ['audit:read'] } });
  const manager = await on.key({ tenant, role: { tenant: ['settings:manage'] } });
  const both = await on.key({ tenant, role: { tenant: ['settings:manage', 'audit:read'] } });
  for (const [token, status] of [
    [reader, 403],
    [manager, 403],
    [both, 204],
  ] as const)
    expect((await put({ https: https() }, token)).status).toBe(status);
  expect((await api(0, reader).get(path())).status).toBe(200);
  expect((await api(0, manager).get(path())).status).toBe(403);
  for (const [token, status] of [
    [reader, 403],
    [manager, 204],
  ] as const)
    expect((await api(0, token).delete(path())).status).toBe(status);
  expect((await api(0, reader).post(`${path()}/test`)).status).toBe(403);
  expect((await api(0, manager).post(`${path()}/test`)).status).toBe(404);
});

const bucket = { bucket: 'logs', access_key_id: 'a', secret_access_key: 's' };
test.each<[string, object]>([
  ['https', {}],
  ['https', { https: { url: 'https://siem.example' }, s3: bucket }],
  ['https/url', { https: { url: 'http://siem.example' } }],
  ['https/url', { https: { url: 'https://ada:secret@siem.example' } }],
  ['https/url', { https: { url: 'https://10.1.2.3/in' } }],
  ['https/url', { https: { url: 'https:///in' } }],
  ['https/url', { https: { url: 'https://siem.example:0/in' } }],
  ['https/url', { https: { url: 'https://[::ffff:10.1.2.3]/in' } }],
  ['https/url', { https: { url: 'https://169.254.169.254/latest' } }],
  ['https/url', { https: { url: 'https://0x0a010203/in' } }],
  ['https/url', { https: { url: 'https://[fd00::1]/in' } }],
  ['https/headers/Host', { https: { url: 'https://siem.example', headers: { Host: 'x' } } }],
  ['https/headers/a b', { https: { url: 'https://siem.example', headers: { 'a b': 'x' } } }],
  ['https/headers/x', { https: { url: 'https://siem.example', headers: { X: 'x', x: 'y' } } }],
  ['https/headers/x', { https: { url: 'https://siem.example', headers: { x: 'a\nb: c' } } }],
  ['https/signing_secret', { https: { url: 'https://siem.example', signing_secret: '***' } }],
  ['s3/endpoint', { s3: { ...bucket, endpoint: 'https://192.168.1.1' } }],
  ['s3/endpoint', { s3: { ...bucket, endpoint: 'https:///logs' } }],
  ['s3/endpoint', { s3: { ...bucket, endpoint: 'https://storage.example:0' } }],
  ['s3/secret_access_key', { s3: { ...bucket, secret_access_key: '***' } }],
])('%s is refused: %j', async (field, body) => {
  const { status, body: answer } = await put(body);
  expect([status, (answer['field_issues'] as { path: string }[])[0]?.path]).toEqual([400, `/body/${field}`]);
});

test('gets the deletion of its tenant, and is deleted with its settings a day later', async () => {
  await put({ https: https() });
  await record(on, anEvent({ type: 'tenant_deleted', tenant_id: tenant, data: { name: 'Acme' } }));
  await eventually(() => expect(server.names).toContain('Acme'), slow);
  await on.sql("UPDATE deleted_tenants SET deleted_at = now() - interval '25 hours'");
  await on.start();
  await eventually(async () => expect(await on.sql('SELECT 1 FROM sinks')).toEqual([]), slow);
});
