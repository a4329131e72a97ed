import { client } from '@sluice/testing';
import { auditService, entries } from '#test/audit-service.ts';
import { allHandled, anEvent, deadLetters, record } from '#test/events.ts';

const on = auditService({ per: 'test' });

const deletion = (tenant: number, more: object = {}) =>
  anEvent({ type: 'tenant_deleted', tenant_id: tenant, division: null, data: { name: 'Acme', ...more } });

const typesOf = async (tenant: number) =>
  (
    await on.sql<{ type: string }>('SELECT type FROM log_entries WHERE tenant_id = $1 ORDER BY seq', [tenant])
  ).map(({ type }) => type);

test('the log of a deleted tenant is closed with its deletion, and stays', async () => {
  const audit = await on.start();
  const [key, other] = [await on.key(), await on.key({ tenant: 2 })];
  await record(on, anEvent(), anEvent({ tenant_id: 2 }));
  expect((await entries(audit, key)).items).toHaveLength(1);
  await record(on, deletion(1));
  expect(await typesOf(1)).toEqual(['division_created', 'tenant_deleted']);
  // the key is still known here: its tenant has nothing to read any more
  expect((await client(audit.url, key).get('/audit/tenants/1')).status).toBe(404);
  expect((await entries(audit, other, '', 2)).items).toHaveLength(1);
});

test('an event of a deleted tenant that comes late is recorded, too, and opens nothing', async () => {
  const audit = await on.start();
  const key = await on.key();
  const late = anEvent();
  await record(on, deletion(1), deletion(1), late);
  expect(await typesOf(1)).toEqual(['tenant_deleted', 'tenant_deleted', 'division_created']);
  expect((await client(audit.url, key).get('/audit/tenants/1')).status).toBe(404);
  expect(await deadLetters(on)).toEqual([]);
});

test('refused attempts that are reported when the tenant is gone are not recorded by any replica', async () => {
  await Promise.all([on.start(), on.start()]);
  const refused = (tenant: number) =>
    anEvent({
      ...{ type: 'owner_action_refused', tenant_id: tenant, division: null },
      data: {
        ...{ operation: 'deleteTenant', code: 'owner_only', ids: { tenant_id: tenant }, address: '::1' },
        ...{ since: '2026-03-01T12:00:00.000Z', times: 3 },
      },
    });
  await record(on, refused(1));
  await record(on, deletion(1));
  await record(on, refused(1), anEvent());
  expect(await typesOf(1)).toEqual(['owner_action_refused', 'tenant_deleted', 'division_created']);
  // at the same time, so that it is decided which was first
  const tenants = Array.from({ length: 20 }, (_, index) => 10 + index);
  const both = tenants.flatMap((tenant) => [deletion(tenant), refused(tenant), refused(tenant)]);
  await Promise.all([...both, refused(2)].map((event) => on.publish(event)));
  await allHandled(on);
  for (const tenant of tenants) expect((await typesOf(tenant)).at(-1)).toBe('tenant_deleted');
  expect(await typesOf(2)).toEqual(['owner_action_refused']);
});

test("it is kept for as long as the tenant's plan said", async () => {
  await on.start();
  const days = (retention?: number) => (retention === undefined ? {} : { audit_retention_days: retention });
  // the event's own time says nothing: it may be old when it comes, or wrong
  const long = { occurred_at: '2020-01-01T00:00:00.000Z' };
  await record(
    on,
    { ...deletion(1, days(90)), ...long },
    deletion(2, days(90)),
    deletion(3, days(0)),
    deletion(4),
  );
  await record(on, anEvent({ tenant_id: 5, ...long }));
  const kept = await on.sql(
    `SELECT tenant_id::int, round(extract(epoch FROM keep_until - now()) / 86400)::int AS days
     FROM deleted_tenants ORDER BY tenant_id`,
  );
  expect(kept).toEqual([
    { tenant_id: 1, days: 90 },
    { tenant_id: 2, days: 90 },
    { tenant_id: 3, days: 7 },
    { tenant_id: 4, days: 365 },
  ]);
  for (const tenant of [1, 2, 3, 4, 5]) expect(await typesOf(tenant)).toHaveLength(1);
});
