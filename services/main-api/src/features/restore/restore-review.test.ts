import { client, eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

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

/** The database is copied, `since` happens, and the database is restored from the copy. @returns where main-api runs then */
async function restoreAfter(since: () => Promise<void>): Promise<string> {
  await a.sql(copy);
  await since();
  await on.stopAll();
  await a.sql(restore);
  return (await on.start()).url;
}

const statusOf = async (url: string, tenant: TestTenant, token: string, path = '') =>
  (await client(url, token).get(`${tenant.path}${path}`)).status;

const untilReviewed = () =>
  eventually(
    async () =>
      expect(await a.rows('SELECT review, complete FROM grant_bucket')).toEqual([
        { review: false, complete: true },
      ]),
    { timeoutMs: 20_000 },
  );

const readTenant = { permissions: { tenant: ['info:read'] } };

test('a key that was deleted since the copy was made does not work again, and is deleted again', async () => {
  const { url: before } = await on.start();
  const tenant = await a.tenant();
  const doomed = await addKey(before, tenant, 'doomed', readTenant);
  const kept = await addKey(before, tenant, 'kept', readTenant);
  const url = await restoreAfter(async () => {
    const path = `${tenant.path}/api_keys/${doomed.id}`;
    expect((await admin(before, tenant).delete(path)).status).toBe(204);
  });
  expect(await statusOf(url, tenant, doomed.token)).not.toBe(200);
  await untilReviewed();
  expect(await statusOf(url, tenant, doomed.token)).toBe(401);
  expect(await statusOf(url, tenant, kept.token)).toBe(200);
  const names = await a.rows('SELECT name FROM api_keys WHERE id = ANY ($1)', [[doomed.id, kept.id]]);
  expect(names).toEqual([{ name: 'kept' }]);
});

test('a role that was reduced since the copy was made stays reduced for its keys', async () => {
  const { url: before } = await on.start();
  const tenant = await a.tenant();
  const role = await admin(before, tenant).post<{ id: number }>(`${tenant.path}/roles`, {
    name: 'reader',
    permissions: { tenant: ['info:read', 'role:read'] },
  });
  const role_id = role.body.id;
  const key = await addKey(before, tenant, 'reader', { role_id });
  expect(await statusOf(before, tenant, key.token, '/roles')).toBe(200);
  const url = await restoreAfter(async () => {
    const permissions = { tenant: ['info:read'] };
    const put = await admin(before, tenant).put(`${tenant.path}/roles/${role_id}`, { permissions });
    expect(put.status).toBe(204);
    expect(await statusOf(before, tenant, key.token, '/roles')).toBe(403);
  });
  await untilReviewed();
  expect(await statusOf(url, tenant, key.token)).toBe(200);
  expect(await statusOf(url, tenant, key.token, '/roles')).toBe(403);
  // whatever is published again from the restored role does not enlarge it
  const permissions = { tenant: ['info:read', 'role:read', 'member:read'] };
  expect((await admin(url, tenant).put(`${tenant.path}/roles/${role_id}`, { permissions })).status).toBe(204);
  expect(await statusOf(url, tenant, key.token, '/roles')).toBe(403);
});

test('grants are not changed before what was taken away is known', async () => {
  const { url } = await on.start();
  const tenant = await a.tenant();
  await eventually(async () => expect(await statusOf(url, tenant, tenant.key)).toBe(200));
  await a.sql('UPDATE grant_bucket SET review = true');
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const body = { name: 'early', expiry_at, ...readTenant };
  await eventually(async () => {
    await a.sql('UPDATE grant_bucket SET review = true');
    const { status, body: problem } = await admin(url, tenant).post(`${tenant.path}/api_keys`, body);
    expect([status, problem['code']]).toEqual([503, 'unavailable']);
  });
  await eventually(async () =>
    expect((await admin(url, tenant).post(`${tenant.path}/api_keys`, { ...body, name: 'late' })).status).toBe(
      201,
    ),
  );
});
