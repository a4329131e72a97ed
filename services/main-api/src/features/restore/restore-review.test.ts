import { runAdmin } from '@sluice/admin';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Event } from '@sluice/contracts';
import { createLog, createPool, migrate } from '@sluice/service';
import { client, eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestPerson, TestTenant } from '#test/tenants.ts';

const on = mainApi({ per: 'test', replicas: 0 });
const a = on.tenants();

interface Key extends Record<string, unknown> {
  id: number;
  token: string;
}

const admin = (url: string, tenant: TestTenant) => client(url, tenant.key);

async function addKey(url: string, tenant: TestTenant, name: string, role: object): Promise<Key> {
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const made = await admin(url, tenant).post<Key>(`${tenant.path}/api_keys`, { name, expiry_at, ...role });
  expect(made.status).toBe(201);
  return made.body;
}

/** For each table its columns that can be written. */
const tables = `SELECT table_name, string_agg(quote_ident(column_name), ', ') AS columns
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' GROUP BY table_name`;

/** Copies all rows and the places of all sequences into a schema of its own. */
const copy = `DO $$ DECLARE t record; BEGIN
  CREATE SCHEMA copy;
  FOR t IN ${tables} LOOP EXECUTE format('CREATE TABLE copy.%I AS SELECT %s FROM public.%1$I', t.table_name, t.columns); END LOOP;
  CREATE TABLE copy.places AS SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public';
END $$`;

/** Puts the copy in the place of all rows, as a restore into another server would. */
const restore = `DO $$ DECLARE t record; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR t IN ${tables} LOOP EXECUTE format('DELETE FROM public.%I', t.table_name); END LOOP;
  FOR t IN ${tables} LOOP
    EXECUTE format('INSERT INTO public.%I (%s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM copy.%1$I', t.table_name, t.columns);
  END LOOP;
  PERFORM setval(format('public.%I', sequencename)::regclass, last_value) FROM copy.places WHERE last_value IS NOT NULL;
  UPDATE database_identity SET identity = 'the server that the copy was made of';
END $$`;

/** Waits until NATS has all events: they are evidence. */
const untilSent = () => eventually(async () => expect(await on.sql('SELECT 1 FROM outbox')).toEqual([]));

/** The database is copied, `since` happens, and the database is restored from the copy; main-api does not run then. */
async function restoreAfter(since: () => Promise<void>): Promise<void> {
  await on.sql(copy);
  await since();
  await untilSent();
  await on.stopAll();
  await on.sql(restore);
}

/** Starts two replicas. @returns where they are */
async function startBoth(): Promise<[string, string]> {
  const [one, other] = await Promise.all([on.start(), on.start()]);
  return [one.url, other.url];
}

const statusOf = async (url: string, tenant: TestTenant, token: string, path = '') =>
  (await client(url, token).get(`${tenant.path}${path}`)).status;

const answerOf = async (url: string, tenant: TestTenant, token: string, path = '') =>
  refusal(await client(url, token).get(`${tenant.path}${path}`));

const untilReviewed = () =>
  eventually(
    async () =>
      expect(await on.sql('SELECT review, complete FROM grant_bucket')).toEqual([
        { review: false, complete: true },
      ]),
    { timeoutMs: 20_000 },
  );

const restoreAdmin = (...args: string[]) => runAdmin(['restore', ...args], on.environment);

interface Listed {
  id: number;
  kind: string;
  about: string;
  person: string | null;
}

const listed = async () => JSON.parse(await restoreAdmin('review', '--json')) as Listed[];

async function addRole(
  url: string,
  tenant: TestTenant,
  name: string,
  permissions: string[],
): Promise<number> {
  const body = { name, permissions: { tenant: permissions } };
  return (await admin(url, tenant).post<{ id: number }>(`${tenant.path}/roles`, body)).body.id;
}

/** Sends a change that has to succeed. */
async function change(url: string, tenant: TestTenant, method: string, path: string, body?: object) {
  const answer = await admin(url, tenant).request(method, `${tenant.path}${path}`, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

const rolesOf = async ({ id }: TestPerson) =>
  (
    await on.sql<{ name: string }>(
      `SELECT r.name FROM roles r JOIN member_roles mr ON mr.role_id = r.id
       JOIN memberships m ON m.id = mr.membership_id WHERE m.user_id = $1 AND m.active ORDER BY r.id`,
      [id],
    )
  ).map(({ name }) => name);

/** The data of the events of a type that were sent, or wait for it. */
const eventsOf = async (type: string) =>
  (
    await on.sql<{ data: unknown }>(
      `SELECT payload::jsonb -> 'data' AS data FROM
         (SELECT id, subject, payload FROM outbox UNION ALL SELECT id, subject, payload FROM outbox_sent) AS sent
       WHERE subject LIKE '%.' || $1 ORDER BY id`,
      [type],
    )
  ).map(({ data }) => data);

/** Asks all the time whether a key works. @returns ends it, and says which answers there were */
function watch(urls: () => string[], tenant: TestTenant, { token }: Key) {
  const seen = new Set<number>();
  let watching = true;
  const asking = (async () => {
    while (watching) {
      for (const url of urls()) seen.add(await statusOf(url, tenant, token).catch(() => 503));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    watching = false;
    await asking;
    return seen;
  };
}

const readTenant = { permissions: { tenant: ['info:read'] } };

test('what was taken away since the copy stays away, and what was given waits for an operator', async () => {
  const { url: before } = await on.start();
  const tenant = await a.tenant();
  const [doomed, kept] = [
    await addKey(before, tenant, 'doomed', readTenant),
    await addKey(before, tenant, 'kept', readTenant),
  ];
  const shrinking = await addRole(before, tenant, 'shrinking', ['info:read', 'role:read']);
  const growing = await addRole(before, tenant, 'growing', ['info:read']);
  const reader = await addKey(before, tenant, 'reader', { role_id: shrinking });
  const grown = await addKey(before, tenant, 'grown', { role_id: growing });
  const rotated = await addKey(before, tenant, 'rotated', readTenant);
  const gone = await a.tenant();
  const [removed, revoked, given] = [
    await tenant.person([tenant.roles.viewer]),
    await tenant.person([tenant.roles.viewer, tenant.roles.developer]),
    await tenant.person([tenant.roles.viewer]),
  ];
  await change(before, tenant, 'POST', '/invitations', { email: 'guest@example.com', roles: [shrinking] });
  let made: Key | undefined;
  let next: Key | undefined;
  await restoreAfter(async () => {
    expect((await admin(before, gone).delete(gone.path)).status).toBe(204);
    const rotation = `${tenant.path}/api_keys/${rotated.id}/rotate`;
    next = (await admin(before, tenant).post<Key>(rotation, { grace_seconds: 3_600 })).body;
    await change(before, tenant, 'DELETE', `/api_keys/${doomed.id}`);
    await change(before, tenant, 'PUT', `/roles/${shrinking}`, { permissions: { tenant: ['info:read'] } });
    const permissions = { tenant: ['info:read', 'role:read'] };
    await change(before, tenant, 'PUT', `/roles/${growing}`, { name: 'grown', permissions });
    await change(before, tenant, 'DELETE', `/members/${removed.id}`);
    await change(before, tenant, 'PUT', `/members/${revoked.id}`, { roles: [tenant.roles.viewer] });
    const members = { members: [given.id] };
    await change(before, tenant, 'PUT', `/roles/${tenant.roles.developer}/members/assign`, members);
    await change(before, tenant, 'PUT', `/roles/${growing}/members/assign`, members);
    const [invitation] = await on.sql('SELECT id FROM invitations');
    await change(before, tenant, 'DELETE', `/invitations/${Number(invitation?.['id'])}`);
    made = await addKey(before, tenant, 'made', { role_id: growing });
    expect(await statusOf(before, tenant, doomed.token)).toBe(401);
  });
  let urls: string[] = [];
  const watched = watch(() => urls, tenant, doomed);
  urls = await startBoth();
  await untilReviewed();
  const everywhere = (token: string, path: string, expected: string) =>
    eventually(async () => {
      for (const url of urls) expect(await answerOf(url, tenant, token, path)).toEqual(expected);
    });

  // taken away
  await everywhere(doomed.token, '', '401 unauthenticated');
  await everywhere(kept.token, '', '200');
  await everywhere(reader.token, '/roles', '403 forbidden');
  expect(
    await on.sql("SELECT permissions -> 'tenant' AS kept FROM roles WHERE id = $1", [shrinking]),
  ).toEqual([{ kept: ['info:read'] }]);
  expect(await on.sql('SELECT 1 FROM memberships WHERE user_id = $1', [removed.id])).toEqual([]);
  expect([await rolesOf(revoked), await rolesOf(given)]).toEqual([['viewer'], ['viewer']]);
  expect(await on.sql('SELECT status FROM invitations')).toEqual([{ status: 'deleted' }]);
  expect(await eventsOf('member_removed')).toHaveLength(1);
  await everywhere(gone.key, '', '401 unauthenticated');
  expect(await on.sql('SELECT DISTINCT active FROM memberships WHERE tenant_id = $1', [gone.id])).toEqual([
    { active: false },
  ]);

  // given: frozen, or not in force
  const token = made?.token ?? '';
  await everywhere(token, '', '401 credential_frozen');
  await everywhere(rotated.token, '', '200');
  await everywhere(next?.token ?? '', '', '401 credential_frozen');
  await everywhere(grown.token, '', '401 credential_frozen');
  const differences = await listed();
  const expected = [
    ['key_enlarged', `key 'grown' (${grown.id})`],
    ['key_made', `key 'made' (${made?.id})`],
    ['key_made', `key 'rotated' (${rotated.id})`],
    ['member_enlarged', 'member gets the roles developer, growing'],
    ['role_enlarged', `role 'growing' (${growing}) grants more`],
    ['tenant_deleted', 'the tenant was deleted; its 1 members are inactive'],
  ];
  expect(differences.map(({ kind, about }) => [kind, about]).sort()).toEqual(expected);
  expect(await restoreAdmin('review')).toMatch(/key_made +\d+ .*apply: the key is taken over; reject: /);
  const metrics = await (await fetch(`${urls[0]}/metrics`)).text();
  expect(metrics).toContain('sluice_restore_review_pending 6');

  // two operators at once: each difference is decided once
  const printed = await Promise.all([restoreAdmin('apply', '--all'), restoreAdmin('apply', '--all')]);
  const lines = printed.flatMap((text) => text.split('\n')).filter((line) => line !== 'There are none.');
  expect(lines.sort()).toEqual(differences.map(({ id }) => `${id}: applied.`).sort());
  expect(await eventsOf('restore_difference_decided')).toHaveLength(6);
  const [{ id } = { id: 0 }] = differences;
  expect(await restoreAdmin('reject', String(id))).toBe(`${id}: was applied before; nothing is changed.`);
  expect(await restoreAdmin('review')).toBe('There are none.');
  await everywhere(token, '/roles', '200');
  await everywhere(grown.token, '/roles', '200');
  for (const one of [rotated.token, next?.token ?? '']) await everywhere(one, '', '200');
  expect(await on.sql('SELECT 1 FROM tenants WHERE id = $1', [gone.id])).toEqual([]);
  expect(await rolesOf(given)).toEqual(['developer', 'viewer', 'growing']);

  // what is published again from the role does not enlarge what was limited
  const permissions = { tenant: ['info:read', 'role:read', 'member:read'] };
  await change(urls[0] ?? '', tenant, 'PUT', `/roles/${shrinking}`, { permissions });
  await everywhere(reader.token, '/roles', '403 forbidden');
  expect([...(await watched())].filter((status) => status < 400)).toEqual([]);
}, 180_000);

test('keys that no bucket can judge are frozen, and events name those that were deleted', async () => {
  const { url: before } = await on.start();
  const tenant = await a.tenant();
  const [kept, doomed, rotated, unwanted] = [
    await addKey(before, tenant, 'kept', readTenant),
    await addKey(before, tenant, 'doomed', readTenant),
    await addKey(before, tenant, 'rotated', readTenant),
    await addKey(before, tenant, 'unwanted', readTenant),
  ];
  await restoreAfter(async () => {
    await change(before, tenant, 'DELETE', `/api_keys/${doomed.id}`);
    await change(before, tenant, 'POST', `/api_keys/${rotated.id}/rotate`, { grace_seconds: 0 });
    await addKey(before, tenant, 'made', readTenant);
  });
  await (await jetstreamManager(on.nats)).streams.delete(`KV_${on.topology.buckets.grants}`);

  // killed between the comparison with the bucket and that with the events
  await on.sql(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
  );
  await on.sql(
    'CREATE TRIGGER refuse BEFORE DELETE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse()',
  );
  await on.start();
  await eventually(async () => expect((await listed()).map(({ kind }) => kind)).toContain('key_unjudged'));
  await on.stopAll();
  expect(await on.sql('SELECT review FROM grant_bucket')).toEqual([{ review: true }]);
  await on.sql('DROP TRIGGER refuse ON api_keys');

  let urls: readonly string[] = await startBoth();
  await untilReviewed();
  const everywhere = (token: string, expected: string) =>
    eventually(async () => {
      for (const url of urls) expect(await answerOf(url, tenant, token)).toEqual(expected);
    });
  for (const { token } of [kept, unwanted]) await everywhere(token, '401 credential_frozen');
  for (const { token } of [doomed, rotated]) await everywhere(token, '401 unauthenticated');
  const differences = await listed();
  const about = differences.map(({ kind, about: what }) => `${kind}: ${what}`).sort();
  expect(about).toEqual([
    "key_made: key 'made', whose token is not known",
    "key_made: key 'rotated', whose token is not known",
    `key_unjudged: key 'kept' (${kept.id})`,
    expect.stringMatching(/^key_unjudged: key 'key .*'/) as string,
    `key_unjudged: key 'unwanted' (${unwanted.id})`,
  ]);
  const idOf = (what: string) => String(differences.find((one) => one.about.startsWith(what))?.id);

  await expect(restoreAdmin('apply', idOf("key 'made'"))).rejects.toThrow('make another key');
  expect(await restoreAdmin('review')).toContain('failed before: The token of the key is not known');
  expect(await restoreAdmin('reject', idOf("key 'made'"), idOf("key 'unwanted'"))).toMatch(
    /^\d+: rejected\.\n\d+: rejected\.$/,
  );
  await everywhere(unwanted.token, '401 unauthenticated');
  expect(await on.sql("SELECT 1 FROM api_keys WHERE name = 'unwanted'")).toEqual([]);

  // decided while no main-api runs
  await on.stopAll();
  const applying = restoreAdmin('apply', idOf("key 'kept'"));
  urls = await startBoth();
  expect(await applying).toBe(`${idOf("key 'kept'")}: applied.`);
  await everywhere(kept.token, '200');
  await everywhere(tenant.key, '401 credential_frozen');
}, 180_000);

/** The database of an audit service that has recorded these events. */
async function auditDatabase(events: readonly Event[]): Promise<TestDatabase> {
  const database = await testDatabase();
  const pool = createPool(database.url, 1, createLog('tests', 'error'));
  await migrate(pool, new URL('../../../../audit/migrations/', import.meta.url));
  await pool.query('SELECT make_log_partition(current_date)');
  await pool.query(
    `INSERT INTO log_entries (tenant_id, seq, recorded_at, event_id, position, type, author_id, author_name, user_id, user_name,
       data, occurred_at, prev_hash, hash)
     SELECT tenant_id, position, now(), id, position, type, (author ->> 'id')::bigint, author ->> 'name', ("user" ->> 'id')::bigint,
       "user" ->> 'name', data, occurred_at, '', ''
     FROM jsonb_to_recordset($1::jsonb)
       AS event (id uuid, type text, tenant_id bigint, author jsonb, "user" jsonb, data jsonb, occurred_at timestamptz, position bigint)`,
    [JSON.stringify(events.map((event, position) => ({ ...event, position })))],
  );
  await pool.end();
  return database;
}

test('where NATS has lost the events as well, the audit log has the changes of members and roles', async () => {
  const { url: before } = await on.start();
  const tenant = await a.tenant();
  const [kept, removed, given] = [
    await addKey(before, tenant, 'kept', readTenant),
    await tenant.person([tenant.roles.viewer]),
    await tenant.person([tenant.roles.viewer]),
  ];
  const shrinking = await addRole(before, tenant, 'shrinking', ['info:read', 'role:read']);
  await untilSent();
  let audit: TestDatabase | undefined;
  await restoreAfter(async () => {
    await change(before, tenant, 'DELETE', `/members/${removed.id}`);
    await change(before, tenant, 'PUT', `/members/${given.id}`, { roles: [tenant.roles.developer] });
    await change(before, tenant, 'PUT', `/roles/${shrinking}`, { permissions: { tenant: ['info:read'] } });
    await untilSent();
    const sent = await on.sql('SELECT payload::jsonb AS event FROM outbox_sent ORDER BY id');
    audit = await auditDatabase(sent.map(({ event }) => event as Event));
  });
  await on.deleteNamespace();
  const [url] = await startBoth();
  await untilReviewed();
  try {
    expect(await answerOf(url, tenant, kept.token)).toBe('401 credential_frozen');
    const kinds = async () => (await listed()).map(({ kind }) => kind).sort();
    expect(await kinds()).toEqual(['events_lost', 'key_unjudged', 'key_unjudged']);
    expect(await rolesOf(removed)).toEqual(['viewer']);

    const AUDIT_DATABASE_URL = audit?.url;
    const compare = () => runAdmin(['restore', 'audit-log'], { ...on.environment, AUDIT_DATABASE_URL });
    expect(await compare()).toMatch(/^\d+: applied\.\nmain-api has compared \d+ entries of the audit log\.$/);
    expect(await on.sql('SELECT 1 FROM memberships WHERE user_id = $1', [removed.id])).toEqual([]);
    expect(await rolesOf(given)).toEqual([]);
    expect(
      await on.sql("SELECT permissions -> 'tenant' AS kept FROM roles WHERE id = $1", [shrinking]),
    ).toEqual([{ kept: ['info:read'] }]);
    expect(await kinds()).toEqual(['key_unjudged', 'key_unjudged', 'member_enlarged']);
    await expect(compare()).rejects.toThrow('No events are lost');
  } finally {
    await audit?.drop();
  }
}, 180_000);

test('grants are not changed before what was taken away is known', async () => {
  const { url } = await on.start();
  const tenant = await a.tenant();
  await eventually(async () => expect(await statusOf(url, tenant, tenant.key)).toBe(200));
  await on.sql('UPDATE grant_bucket SET review = true');
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const body = { name: 'early', expiry_at, ...readTenant };
  await eventually(async () => {
    await on.sql('UPDATE grant_bucket SET review = true');
    const answer = await admin(url, tenant).post(`${tenant.path}/api_keys`, body);
    expect(refusal(answer)).toBe('503 unavailable');
  });
  await eventually(async () =>
    expect((await admin(url, tenant).post(`${tenant.path}/api_keys`, { ...body, name: 'late' })).status).toBe(
      201,
    ),
  );
});
