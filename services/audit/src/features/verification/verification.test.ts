import { hashOfEntry, idOf, type TenantId } from '@sluice/contracts';
import { auditService, verified } from '#test/audit-service.ts';
import { anEvent, record } from '#test/events.ts';
import { countingRows } from '#test/rows.ts';
import { entriesBetween } from '../audit-log/log-entries.store.ts';
import { checkChain } from './chain-check.ts';

const on = auditService({ replicas: 1 });
const audit = on.replica();

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
  const verify = () => verified(audit, token, tenant);
  /** As the owner of the server can. */
  const forge = async (statement: string) => {
    await on.sql(
      `SET session_replication_role = replica; ${statement.replaceAll('$1', String(tenant))}; RESET session_replication_role`,
    );
  };
  return { tenant, verify, forge };
}

test('a log that is as it was recorded is intact', async () => {
  const { tenant, verify } = await aLog();
  const [last] = await entriesBetween(on.database, idOf<TenantId>(tenant), 12, 12);
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
  expect(await verified(audit, token, 999)).toMatchObject({
    intact: true,
    entries: 0,
    anchor: null,
    last: null,
  });
});

/** Statements about an entry of tenant $1. */
const at = (seq: number) => `WHERE tenant_id = $1 AND seq = ${seq}`;
const changed = (set: string, seq: number) => `UPDATE log_entries SET ${set} ${at(seq)}`;
const removed = (seq: number) => `DELETE FROM log_entries ${at(seq)}`;
/** adds a copy of an entry */
const copied = (seq: number, changes: string) =>
  `INSERT INTO log_entries SELECT (jsonb_populate_record(e, ${changes})).* FROM log_entries e ${at(seq)}`;
const later = `jsonb_build_object('event_id', gen_random_uuid(), 'recorded_at', e.recorded_at + interval '1 second')`;

test.each([
  ['whose text is changed', changed(`data = '{"name": "x"}'`, 5), 5, 'changed'],
  ['whose author is changed', changed('author_id = 8', 6), 6, 'changed'],
  ['that got a name without an id', changed("user_name = 'x'", 6), 6, 'changed'],
  ['that is removed', removed(4), 4, 'missing'],
  ['that is removed as the first', removed(1), 1, 'missing'],
  ['that is removed as the last', removed(12), 12, 'missing'],
  ['that is added between others', copied(7, later), 7, 'added'],
  ['that is added beside the last', copied(12, later), 12, 'added'],
  ['that is added at the end', copied(12, `'{"seq": 13}'`), 13, 'added'],
  [
    'that has changed places with the next',
    [changed('seq = -1', 8), changed('seq = 8', 9), changed('seq = 9', -1)].join('; '),
    8,
    'changed',
  ],
])('an entry %s is found', async (_, statement, seq, reason) => {
  const { tenant, verify, forge } = await aLog();
  await forge(statement);
  const found = await verify();
  expect(found).toMatchObject({ intact: false, break: { seq, reason } });
  expect(found.last?.seq ?? 0).toBe(reason === 'added' ? Math.min(seq, 12) : seq - 1);
  // also where each entry is read by itself
  const log = countingRows(on.database);
  const bounds = { entries: 5, bytes: 1 };
  const { broken } = await checkChain(
    { database: log.database, now: new Date() },
    idOf<TenantId>(tenant),
    new Map(),
    bounds,
  );
  expect(broken).toEqual(found.break);
  expect(Math.max(...log.rows)).toBe(1);
});

test.each([
  ['is added before the first', copied(1, `'{"seq": 0}'`), 0],
  [
    'is there, though an anchor says that it is gone',
    `INSERT INTO log_anchors (tenant_id, seq, hash) SELECT tenant_id, seq, hash FROM log_entries ${at(3)}`,
    1,
  ],
])('an entry that %s is found', async (_, statement, seq) => {
  const { verify, forge } = await aLog();
  await forge(statement);
  expect(await verify()).toMatchObject({ intact: false, entries: 0, break: { seq, reason: 'added' } });
});

test('a log of large entries is verified a few of them at a time', async () => {
  const tenant = idOf<TenantId>((tenants += 1));
  const name = 'x'.repeat(200_000);
  await record(on, ...Array.from({ length: 12 }, () => anEvent({ tenant_id: tenant, data: { name } })));
  const log = countingRows(on.database);
  const checked = await checkChain({ database: log.database, now: new Date() }, tenant, new Map());
  expect(checked).toMatchObject({ entries: 12, broken: undefined });
  // a mebibyte of them
  expect(log.rows).toEqual([5, 5, 2]);
});

test('an entry that got a hash that fits what it says now is found by the one after it', async () => {
  const { tenant, verify, forge } = await aLog();
  const [entry] = await entriesBetween(on.database, idOf<TenantId>(tenant), 5, 5);
  if (!entry) throw new Error('there is none');
  const hash = hashOfEntry({ ...entry, type: 'division_deleted' }, entry.prev_hash);
  await forge(
    `UPDATE log_entries SET type = 'division_deleted', hash = '\\x${hash}' WHERE tenant_id = $1 AND seq = 5`,
  );
  expect(await verify()).toMatchObject({ intact: false, break: { seq: 6, reason: 'unlinked' } });
});
