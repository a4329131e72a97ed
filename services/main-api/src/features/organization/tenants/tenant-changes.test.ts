import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { keyGrantKey, tokenHash } from '@sluice/contracts';
import { client, eventually } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const [replica, second] = [on.replica(0), on.replica(1)];
const region = on.region();
const mails = on.mails();
const a = on.tenants();

describe('a tenant is changed', () => {
  test('in the fields that are given, and the event names those that differ', async () => {
    const acme = await a.tenant();
    const wanted = { name: 'Acme Inc', description: 'Makers of everything', email: 'ops@example.com' };
    const answer = await acme.admin.put(acme.path, { ...wanted, protected: null });
    expect(answer.status).toBe(204);
    expect((await acme.admin.get(acme.path)).body).toMatchObject({ ...wanted, protected: false });
    expect((await region.event('tenant_updated', answer.headers)).data).toEqual({
      changes: wanted,
      former: { name: 'Acme', description: null, email: 'acme@example.com' },
    });
  });

  test('without an event when nothing differs', async () => {
    const acme = await a.tenant();
    const same = [{}, { name: 'Acme' }, { description: null, email: null, name: null }];
    for (const body of same) expect((await acme.admin.put(acme.path, body)).status).toBe(204);
    const next = await acme.admin.put(acme.path, { name: 'Other' });
    await region.event('tenant_updated', next.headers);
    expect(region.eventsOf('tenant_updated', { tenant_id: acme.id })).toHaveLength(1);
  });

  test('and null clears its description, which can be empty', async () => {
    const acme = await a.tenant();
    await acme.admin.put(acme.path, { description: 'Makers of everything' });
    const answer = await acme.admin.put(acme.path, { description: null, name: null });
    expect([answer.status, (await acme.admin.get(acme.path)).body['description']]).toEqual([204, null]);
    expect((await region.event('tenant_updated', answer.headers)).data).toEqual({
      changes: { description: null },
      former: { description: 'Makers of everything' },
    });
  });

  test('not with what is no address, nor by a reader', async () => {
    const acme = await a.tenant();
    expect((await acme.admin.put(acme.path, { email: 'no address' })).status).toBe(400);
    const reader = await acme.with({ tenant: ['info:read'] });
    expect(refusal(await reader.put(acme.path, { name: 'Other' }))).toBe('403 forbidden');
  });

  test('to be protected by its managers, and back by its owner alone', async () => {
    const acme = await a.tenant();
    const member = await acme.member({ tenant: ['info:manage'] });
    expect((await member.put(acme.path, { protected: true })).status).toBe(204);
    expect(refusal(await member.put(acme.path, { protected: false }))).toBe('403 owner_only');
    expect((await member.put(acme.path, { protected: true })).status).toBe(204);
    expect((await acme.admin.put(acme.path, { protected: false })).status).toBe(204);
  });
});

describe("a tenant's mail address", () => {
  test('is changed by the owner alone', async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.admin]);
    const admin = client(replica.url, await member.token({ role_id: acme.roles.admin }));
    const email = 'eve@example.com';
    expect(refusal(await admin.put(acme.path, { name: 'Other', email }))).toBe('403 owner_only');
    expect((await acme.admin.get(acme.path)).body).toMatchObject({ name: 'Acme', email: 'acme@example.com' });
    expect((await admin.put(acme.path, { name: 'Other', email: 'acme@example.com' })).status).toBe(204);
  });

  test('is mailed to the former one, whose codes are void then', async () => {
    const acme = await a.tenant();
    const [former, next] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    await acme.admin.put(acme.path, { email: former, protected: true });
    const action = { action_type: 'delete_tenant', payload: { tenant_id: acme.id } };
    await acme.admin.put(`${acme.path}/request_code`, { action });
    const code = await mails.code(former);
    expect((await acme.admin.put(acme.path, { email: next })).status).toBe(204);
    await eventually(async () =>
      expect((await mails.to(former)).at(-1)).toMatchObject({
        template: 'tenant_email_changed',
        content: { tenant: 'Acme', email: next, changed_by: 'Owner' },
      }),
    );
    expect(refusal(await acme.admin.delete(`${acme.path}?code=${code}`))).toBe('400 protection_code_invalid');
    await acme.admin.put(`${acme.path}/request_code`, { action });
    const valid = await mails.code(next);
    expect((await acme.admin.delete(`${acme.path}?code=${valid}`)).status).toBe(204);
  });
});

describe('a tenant is deleted', () => {
  test('by its owner only', async () => {
    const acme = await a.tenant();
    const member = await acme.member({ tenant: ['info:manage', 'division:manage', 'member:manage'] });
    expect(refusal(await member.delete(acme.path))).toBe('403 owner_only');
    expect((await acme.admin.get(acme.path)).status).toBe(200);
  });

  test('not before its deployments are gone to the last', async () => {
    const acme = await a.tenant();
    const starter = await acme.starter();
    const id = Number(starter.body['id']);
    expect(refusal(await acme.admin.delete(acme.path))).toBe('409 has_deployments');
    await acme.admin.delete(String(starter.headers.get('location')));
    expect(refusal(await acme.admin.delete(acme.path))).toBe('409 has_deployments');
    await region.removed(id);
    expect((await acme.admin.delete(acme.path)).status).toBe(204);
  });

  test('with everything in it: no row, no grant, and no key that is accepted', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const divisionPath = acme.divisionPath;
    await acme.admin.post(`${divisionPath}/environments`, { name: 'production' });
    await acme.admin.put(divisionPath, { protected: true });
    await acme.admin.delete(`${divisionPath}?code=00000000`);
    await acme.admin.put(divisionPath, { protected: false });
    await acme.admin.put(acme.path, { protected: true });
    await acme.admin.put(acme.path, { protected: false });
    const bound = await acme.with({ division: ['environment:read'] }, acme.division);
    const member = await acme.member({ tenant: ['info:read'] });
    await fill(acme);
    const before = await a.everythingStored('tenant_id', acme.id);
    const tables = ['protection_codes', 'api_keys', 'invitations', 'join_requests', 'idempotent_requests'];
    for (const table of tables) expect(before).toContain(`${table} (`);
    // the last use of its key is stored some seconds later, unless it was within the last minute
    await on.sql('UPDATE api_keys SET last_used_at = now() WHERE tenant_id = $1', [other.id]);
    const untouched = await a.everythingStored('tenant_id', other.id);

    const deleted = await acme.admin.delete(acme.path);
    expect(deleted.status).toBe(204);
    for (const key of [acme.admin, bound, member])
      expect(refusal(await key.get(acme.path))).toBe('401 unauthenticated');
    expect(refusal(await client(second.url, acme.key).delete(acme.path))).toBe('401 unauthenticated');
    expect(await a.everythingStored('tenant_id', acme.id)).toBe('');
    expect(await a.everythingStored('default_tenant_id', acme.id)).toBe('');
    expect(await a.everythingStored('owner_id', acme.owner.id)).toBe('');
    expect(await a.everythingStored('user_id', acme.owner.id)).toMatch(/^sessions /);
    expect(await a.everythingStored('tenant_id', other.id)).toBe(untouched);
    expect(await storedGrant(acme, acme.key)).toBe(false);
    expect(await storedGrant(other, other.key)).toBe(true);

    await region.event('tenant_deleted', deleted.headers);
    const events = region.events.filter(({ tenant_id }) => tenant_id === acme.id);
    expect(events.at(-1)).toMatchObject({
      type: 'tenant_deleted',
      data: { name: 'Acme', audit_retention_days: 90 },
    });
  });

  test('once, when two replicas are asked at once', async () => {
    const acme = await a.tenant();
    expect(await acme.race((to) => to.delete(acme.path))).toEqual(['204', '404 not_found']);
  });

  test('with what is added to it at the same time, unless that comes too late', async () => {
    const acme = await a.tenant();
    const to = client(second.url, acme.key);
    const [deleted, ...created] = await a.atOnce(acme.id, [
      () => acme.admin.delete(acme.path),
      () => to.post(`${acme.path}/divisions`, { name: 'late' }),
      () => to.post(`${acme.path}/roles`, { name: 'late', permissions: { tenant: ['info:read'] } }),
    ]);
    expect(deleted?.status).toBe(204);
    for (const { status } of created) expect([201, 404]).toContain(status);
    expect(await a.everythingStored('tenant_id', acme.id)).toBe('');
  });
});

/** Adds what no request with a key can: a session of the owner, whose default the tenant is, and people at the door. */
async function fill({ id, owner }: TestTenant): Promise<void> {
  await on.sql('UPDATE users SET default_tenant_id = $1 WHERE id = $2', [id, owner.id]);
  await on.sql(
    `INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
     VALUES ($1, 'test', $2, now(), now(), now() + interval '1 hour', now() + interval '1 hour')`,
    [owner.id, tokenHash(randomUUID())],
  );
  await on.sql(
    `INSERT INTO invitations (tenant_id, email, invited_by, created_at, expires_at)
     VALUES ($1, 'guest@example.com', $2, now(), now() + interval '1 day')`,
    [id, owner.id],
  );
  await on.sql(
    'INSERT INTO invitation_roles (invitation_id, role_id) SELECT i.id, r.id FROM invitations i JOIN roles r USING (tenant_id)',
  );
  await on.sql('INSERT INTO join_requests (tenant_id, user_id) VALUES ($1, $2)', [id, owner.id]);
  await on.sql(
    "INSERT INTO idempotent_requests (tenant_id, api_key_id, key, fingerprint) VALUES ($1, 1, 'a', 'b')",
    [id],
  );
}

async function storedGrant(tenant: TestTenant, token: string): Promise<boolean> {
  const { nats, topology } = on;
  const { grants } = topology.buckets;
  const bucket = await jetstream(nats).streams.get(`KV_${grants}`);
  const key = keyGrantKey(tenant.id, tokenHash(token));
  const newest = await bucket.getMessage({ last_by_subj: `$KV.${grants}.${key}` });
  return newest !== null && newest.header.get('KV-Operation') !== 'DEL';
}
