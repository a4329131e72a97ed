import { auditService, entries } from '#test/audit-service.ts';
import { anEvent, deadLetters, record } from '#test/events.ts';

const on = auditService({ per: 'test' });

const deletion = (tenant: number) =>
  anEvent({ type: 'tenant_deleted', tenant_id: tenant, division: null, data: { name: 'Acme' } });

async function rowsOf(tenant: number): Promise<number> {
  const sql = 'SELECT count(*) FROM entries WHERE tenant_id = $1';
  const [row] = await on.sql<{ count: string }>(sql, [tenant]);
  return Number(row?.count);
}

test('nothing is left of a deleted tenant, and nothing of another is touched', async () => {
  const audit = await on.start();
  const key = await on.key({ tenant: 2 });
  await record(on, anEvent(), anEvent(), anEvent({ tenant_id: 2 }));
  expect(await rowsOf(1)).toBe(2);
  await record(on, deletion(1));
  expect(await rowsOf(1)).toBe(0);
  expect((await entries(audit, key, '', 2)).items).toHaveLength(1);
});

test('an event of a deleted tenant that comes late leaves nothing', async () => {
  await on.start();
  await record(on, anEvent(), deletion(1), deletion(1), anEvent());
  expect(await rowsOf(1)).toBe(0);
  expect(await deadLetters(on)).toEqual([]);
});

test('nothing is left either when replicas handle the events of a tenant side by side', async () => {
  await Promise.all([on.start(), on.start(), on.start()]);
  const many = Array.from({ length: 60 }, () => anEvent());
  await record(on, ...many, deletion(1), anEvent());
  expect(await rowsOf(1)).toBe(0);
});
