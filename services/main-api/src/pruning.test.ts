import { createLog, createPool, prune, pruningStatement } from '@sluice/service';
import { eventually, statementsWithoutIndex } from '@sluice/testing';
import { itemsOf, mainApi } from '#test/main-api.ts';
import { pruningRules } from './pruning.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();
const rules = pruningRules(400);

/** Prunes everything, as the service does once in a while. */
async function pruneAll(): Promise<void> {
  const pool = createPool(on.databaseUrl, 1, createLog('tests', 'error'));
  for (const rule of rules) await prune(pool, rule);
  await pool.end();
}

const old = (days: number) => `now() - interval '${days} days'`;
/** What is left of rows, by a text that names them. */
const left = async (table: string, column: string) =>
  (await on.sql<{ name: string }>(`SELECT ${column}::text AS name FROM ${table} ORDER BY 1`)).map(
    ({ name }) => name,
  );

test('what has ended goes a day after its end; what lives stays', async () => {
  const { owner } = await a.tenant();
  const [{ id: keyId } = { id: 0 }] = await on.sql<{ id: number }>('SELECT max(id)::int AS id FROM api_keys');
  // idle for two days, or open for too long; ended an hour ago; not ended
  await on.sql(`INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
    VALUES (${owner.id}, 'x', 'idle', ${old(9)}, ${old(3)}, ${old(2)}, now() + interval '1 day'),
      (${owner.id}, 'x', 'long', ${old(9)}, ${old(3)}, now() + interval '1 day', ${old(2)}),
      (${owner.id}, 'x', 'just', ${old(9)}, ${old(1)}, ${old(0.1)}, now()),
      (${owner.id}, 'x', 'live', ${old(9)}, ${old(1)}, now() + interval '1 day', now() + interval '1 day')`);
  await on.sql(
    `INSERT INTO sign_in_intents (state_sha256, source, expires_at) VALUES ('old', 'x', ${old(2)}), ('new', 'x', now())`,
  );
  await on.sql(`INSERT INTO device_sign_ins
      (device_code_sha256, user_code_sha256, token_sha256, machine, network, poll_seconds, created_at, expires_at)
    VALUES ('old', 'old', 'x', 'x', 'x', 5, ${old(2)}, ${old(2)}), ('new', 'new', 'x', 'x', 'x', 5, now(), now())`);
  await on.sql(`INSERT INTO pending_sign_ins (token_sha256, source, subject, email_verified, expires_at)
    VALUES ('old', 'x', 's', true, ${old(2)}), ('new', 'x', 's', true, now())`);
  await on.sql(
    `INSERT INTO former_tokens (token_sha256, api_key_id, expires_at) VALUES ('old', ${keyId}, ${old(2)}), ('new', ${keyId}, now())`,
  );
  await on.sql(`INSERT INTO mail_allowances (subject, whole_at) VALUES ('old', ${old(2)}), ('new', now())`);
  await on.sql(`INSERT INTO removed_deployments (uid, deployment_id, removed_at)
    VALUES (gen_random_uuid(), 1, ${old(401)}), (gen_random_uuid(), 2, ${old(399)})`);
  await pruneAll();
  expect(await left('sessions', 'token_sha256')).toEqual(['just', 'live']);
  expect(await left('sign_in_intents', 'state_sha256')).toEqual(['new']);
  expect(await left('device_sign_ins', 'device_code_sha256')).toEqual(['new']);
  expect(await left('pending_sign_ins', 'token_sha256')).toEqual(['new']);
  expect(await left('former_tokens', 'token_sha256')).toEqual(['new']);
  expect(await left('mail_allowances', 'subject')).toEqual(['new']);
  expect(await left('removed_deployments', 'deployment_id')).toEqual(['2']);
});

test('what was answered or has expired can be read for ninety days; what waits stays', async () => {
  const { id, owner } = await a.tenant();
  const invitation = (email: string, status: string, days: number) =>
    `(${id}, '${email}', '${status}', ${owner.id}, ${old(days + 7)}, ${old(days)})`;
  await on.sql(`INSERT INTO invitations (tenant_id, email, status, invited_by, created_at, expires_at) VALUES
    ${invitation('accepted', 'accepted', 91)}, ${invitation('rejected', 'rejected', 89)}, ${invitation('expired', 'pending', 91)},
    ${invitation('pending', 'pending', -3)}, ${invitation('taken back', 'deleted', 2)}, ${invitation('counted', 'deleted', -1)}`);
  const request = (status: string, decided: string) =>
    `(${id}, ${owner.id}, '${status}', ${old(200)}, ${decided})`;
  await on.sql(`INSERT INTO join_requests (tenant_id, user_id, status, created_at, decided_at) VALUES
    ${request('approved', old(91))}, ${request('rejected', old(89))}, ${request('pending', 'null')}`);
  await pruneAll();
  expect(await left('invitations', 'email')).toEqual(['counted', 'pending', 'rejected']);
  expect(await left('join_requests', 'status')).toEqual(['pending', 'rejected']);
});

test('instances of connectors that a region has refused are shown for a week', async () => {
  const acme = await a.tenant();
  const { body } = await acme.starter();
  const instance = (key: string, refused: string) =>
    `(${String(body['id'])}, 'sink', 'http', 'x', '${key}', ${old(200)}, ${refused})`;
  await on.sql(`INSERT INTO connector_instances (deployment_id, connector_type, connector_key, name, key, created_at, refused_at)
    VALUES ${instance('old', old(8))}, ${instance('new', old(6))}, ${instance('wanted', 'null')}`);
  await pruneAll();
  expect(await left('connector_instances', 'key')).toEqual(['new', 'wanted']);
});

test('of codes for deletions, those without a state go', async () => {
  const { id } = await a.tenant();
  const codes = [
    ['issued', 'now()', 'null', '{}'],
    ['used', old(2), 'null', '{}'],
    ['locked', 'null', 'now()', '{}'],
    ['wrong', old(2), 'null', '{now}'],
    ['nothing', 'null', 'null', '{}'],
  ];
  for (const [name, issued, locked, wrong] of codes)
    await on.sql(
      `WITH division AS (INSERT INTO divisions (tenant_id, name) VALUES (${id}, '${name}') RETURNING id)
       INSERT INTO protection_codes (tenant_id, division_id, issued_at, locked_until, wrong_at)
       SELECT ${id}, id, ${issued}, ${locked}, '${wrong}' FROM division`,
    );
  await pruneAll();
  const kept = await on.sql(
    'SELECT d.name FROM protection_codes c JOIN divisions d ON d.id = c.division_id ORDER BY 1',
  );
  expect(kept).toEqual([{ name: 'issued' }, { name: 'locked' }, { name: 'wrong' }]);
});

test('a key that expired ninety days ago is deleted with its event at the start of a service; younger ones are listed', async () => {
  const acme = await a.tenant();
  const create = async (name: string) => {
    const expiry_at = new Date(Date.now() + 60_000).toISOString();
    const { body } = await acme.admin.post(`${acme.path}/api_keys`, { name, expiry_at, permissions: {} });
    return Number(body['id']);
  };
  const [gone, shown] = [await create('gone'), await create('shown')];
  await on.sql(`UPDATE api_keys SET expiry_at = ${old(91)} WHERE id = ${gone}`);
  await on.sql(`UPDATE api_keys SET expiry_at = ${old(89)} WHERE id = ${shown}`);
  const roles = () => on.sql(`SELECT 1 FROM roles WHERE kind = 'api_key' AND tenant_id = ${acme.id}`);
  expect(await roles()).toHaveLength(2);
  await on.start();
  await eventually(() =>
    expect(region.eventsOf('api_key_deleted', {})).toMatchObject([
      { tenant_id: acme.id, author: null, data: { name: 'gone' } },
    ]),
  );
  const keys = itemsOf(await acme.admin.get(`${acme.path}/api_keys`)).map(({ id }) => id);
  expect([keys.includes(shown), keys.includes(gone)]).toEqual([true, false]);
  expect(await roles()).toHaveLength(1);
});

test('an index leads to all of these, and to the domains that are locked', async () => {
  const pool = createPool(on.databaseUrl, 1, createLog('tests', 'error'));
  const query = async (text: string) => (await pool.query<{ 'QUERY PLAN': string }>(text)).rows;
  const statements = [
    ...rules.map(pruningStatement),
    'SELECT FROM api_keys WHERE expiry_at < now() ORDER BY expiry_at LIMIT $1',
    "SELECT FROM tenants WHERE id <> 1 AND block_external_invitations AND lower(email_domain) = ANY ('{a.b,b}')",
  ];
  expect(await statementsWithoutIndex(query, statements)).toEqual([]);
  await pool.end();
});
