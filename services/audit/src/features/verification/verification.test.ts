import { hashOfEntry, idOf, type TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service-kit';
import { client } from '@sluice/testing';
import { auditService } from '#test/audit-service.ts';
import { anEvent, record } from '#test/events.ts';
import { entriesBetween } from '../../stores/log-entries.store.ts';
import type { components } from '../../generated/api.ts';

type Verification = components['schemas']['AuditVerification'];

const on = auditService({ replicas: 1 });
const audit = on.replica();
const sql: Sql = { query: (text, values = []) => on.sql(text, [...values]) as never };

let tenants = 1000;

/** A tenant with 12 entries. */
async function aLog() {
  const tenant = (tenants += 1);
  const token = await on.key({ tenant });
  await record(
    on,
    ...Array.from({ length: 12 }, (_, number) =>
      anEvent({ tenant_id: tenant, data: { name: `n${number}` } }),
    ),
  );
  const verify = async () => {
    const { status, body } = await client(audit.url, token).get<Verification>(
      `/audit/tenants/${tenant}/verify`,
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  /** As whoever owns the server can. */
  const forge = async (statement: string) => {
    await on.sql(
      `SET session_replication_role = replica; ${statement.replaceAll('$1', String(tenant))}; RESET session_replication_role`,
    );
  };
  return { tenant, verify, forge };
}

test('a log that is as it was recorded is intact', async () => {
  const { tenant, verify } = await aLog();
  const [last] = await entriesBetween(sql, idOf<TenantId>(tenant), 12, 12);
  expect(await verify()).toMatchObject({
    intact: true,
    break: null,
    entries: 12,
    anchor: null,
    last: { seq: 12, hash: last?.hash },
  });
});

test('the log of a tenant without entries is intact', async () => {
  const token = await on.key({ tenant: 999 });
  const { body } = await client(audit.url, token).get<Verification>('/audit/tenants/999/verify');
  expect(body).toMatchObject({ intact: true, entries: 0, anchor: null, last: null });
});

test.each([
  [
    'whose text is changed',
    `UPDATE log_entries SET data = '{"name": "x"}' WHERE tenant_id = $1 AND seq = 5`,
    5,
    'changed',
  ],
  [
    'whose author is changed',
    `UPDATE log_entries SET author_id = 8 WHERE tenant_id = $1 AND seq = 6`,
    6,
    'changed',
  ],
  ['that is removed', 'DELETE FROM log_entries WHERE tenant_id = $1 AND seq = 4', 4, 'missing'],
  ['that is removed as the first', 'DELETE FROM log_entries WHERE tenant_id = $1 AND seq = 1', 1, 'missing'],
  ['that is removed as the last', 'DELETE FROM log_entries WHERE tenant_id = $1 AND seq = 12', 12, 'missing'],
  [
    'that is added between others',
    `INSERT INTO log_entries SELECT (jsonb_populate_record(e, jsonb_build_object('event_id', gen_random_uuid(), 'recorded_at',
       e.recorded_at + interval '1 second'))).* FROM log_entries e WHERE tenant_id = $1 AND seq = 7`,
    7,
    'added',
  ],
  [
    'that is added at the end',
    `INSERT INTO log_entries SELECT (jsonb_populate_record(e, '{"seq": 13}')).* FROM log_entries e WHERE tenant_id = $1 AND seq = 12`,
    13,
    'added',
  ],
  [
    'that has changed places with the next',
    `UPDATE log_entries SET seq = -1 WHERE tenant_id = $1 AND seq = 8; UPDATE log_entries SET seq = 8 WHERE tenant_id = $1 AND seq = 9;
     UPDATE log_entries SET seq = 9 WHERE tenant_id = $1 AND seq = -1`,
    8,
    'changed',
  ],
])('an entry %s is found', async (_, statement, seq, reason) => {
  const { verify, forge } = await aLog();
  await forge(statement);
  const found = await verify();
  expect(found).toMatchObject({ intact: false, break: { seq, reason } });
  expect(found.last?.seq ?? 0).toBe(reason === 'added' ? (seq === 13 ? 12 : 7) : seq - 1);
});

test('an entry that got a hash that fits what it says now is found by the one after it', async () => {
  const { tenant, verify, forge } = await aLog();
  const [entry] = await entriesBetween(sql, idOf<TenantId>(tenant), 5, 5);
  if (!entry) throw new Error('there is none');
  const hash = hashOfEntry({ ...entry, type: 'division_deleted' }, entry.prev_hash);
  await forge(
    `UPDATE log_entries SET type = 'division_deleted', hash = '\\x${hash}' WHERE tenant_id = $1 AND seq = 5`,
  );
  expect(await verify()).toMatchObject({ intact: false, break: { seq: 6, reason: 'unlinked' } });
});

test('needs audit:read of the tenant', async () => {
  const division = await on.key({ tenant: 998, role: { division: ['audit:read'] }, division: 3 });
  const other = await on.key({ tenant: 997 });
  for (const token of [division, other])
    expect((await client(audit.url, token).get('/audit/tenants/998/verify')).status).toBe(403);
});
