import { eventSchema } from '@sluice/contracts';
import { createLog, sqlOf } from '@sluice/service';
import { client, eventually } from '@sluice/testing';
import pg from 'pg';
import { auditService, entries } from '#test/audit-service.ts';
import { anEvent, nameOf, record } from '#test/events.ts';
import { logCounts } from './counts.ts';
import { draftOf } from './draft.ts';
import { logService, preparedDraft } from './log.service.ts';

const on = auditService({ per: 'test' });

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();

/** Entries of these ages in days: they were recorded when they happened. */
async function given(tenant: number, ages: Record<string, number>): Promise<void> {
  const pool = new pg.Pool({ connectionString: on.databaseUrl });
  const log = createLog('audit', 'error');
  const counts = { ...logCounts({ pool, log }), grown: () => undefined };
  const entries = logService({ pool, counts, log, now: () => new Date() });
  await entries.append(
    sqlOf(pool),
    Object.entries(ages).map(([name, days]) => {
      const event = eventSchema.parse(
        anEvent({ tenant_id: tenant, data: { name }, occurred_at: daysAgo(days) }),
      );
      return preparedDraft({ ...draftOf(event, 1, null), recorded_at: new Date(event.occurred_at) });
    }),
  );
  await pool.end();
}

const plan = (tenant: number, days: number, version = 1) =>
  on.sql(
    `INSERT INTO tenant_features (tenant_id, version, audit_retention_days, audit_export_enabled) VALUES ($1, $3, $2, false)
     ON CONFLICT (tenant_id) DO UPDATE SET version = excluded.version, audit_retention_days = excluded.audit_retention_days`,
    [tenant, days, version],
  );

const stored = async () =>
  (await on.sql<{ name: string }>("SELECT data->>'name' AS name FROM log_entries ORDER BY occurred_at")).map(
    ({ name }) => name,
  );

test("what is older than the tenant's plan keeps is neither listed nor counted, and goes with its month when nobody has to keep it", async () => {
  const first = await on.start();
  const [key, otherKey] = [await on.key(), await on.key({ tenant: 2 })];
  await first.stop();
  await given(1, { old: 400, months: 100, young: 1 });
  await given(2, { other: 400 });
  await plan(1, 90);
  await plan(2, 1000);
  const audit = await on.start();
  const listed = await entries(audit, key);
  expect(listed.items.map(nameOf)).toEqual(['young']);
  expect(listed.total_results).toBe(1);
  expect((await entries(audit, key, `from=${daysAgo(500)}`)).total_results).toBe(1);
  // the other tenant keeps the oldest month, and what comes after stays until that is gone
  expect((await stored()).sort()).toEqual(['months', 'old', 'other', 'young']);

  await plan(2, 200, 2);
  await audit.stop();
  const again = await on.start();
  await eventually(async () => expect(await stored()).not.toContain('old'), { timeoutMs: 60_000 });
  expect(await stored()).toContain('young');
  const { body } = await client(again.url, key).get('/audit/tenants/1/verify');
  const anchored = (await stored()).includes('months') ? 1 : 2;
  expect(body).toMatchObject({ intact: true, anchor: { seq: anchored }, last: { seq: 3 } });
  // the chain goes on from what is gone
  await record(on, anEvent({ occurred_at: daysAgo(0), data: { name: 'next' } }));
  const later = await client(again.url, key).get('/audit/tenants/1/verify');
  expect(later.body).toMatchObject({ intact: true, last: { seq: 4 } });
  const empty = await client(again.url, otherKey).get('/audit/tenants/2/verify');
  expect(empty.body).toMatchObject({ intact: true, entries: 0, anchor: { seq: 1 }, last: { seq: 1 } });
});

test('a month stays while the plan of one of its tenants is not known, and while a deleted tenant is to be kept', async () => {
  await (await on.start()).stop();
  await given(1, { unknown: 400 });
  await given(2, { deleted: 500 });
  await on.sql("INSERT INTO deleted_tenants (tenant_id, keep_until) VALUES (2, now() + interval '1 day')");
  const keeping = await on.start();
  expect(await stored()).toEqual(['deleted', 'unknown']);
  await keeping.stop();
  await on.sql('UPDATE deleted_tenants SET keep_until = now()');
  await on.start();
  await eventually(async () => expect(await stored()).toEqual(['unknown']), { timeoutMs: 60_000 });
});
