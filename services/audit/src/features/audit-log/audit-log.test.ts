import { randomUUID } from 'node:crypto';
import { idOf, type TenantId } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { auditService } from '#test/audit-service.ts';
import { anEvent, linked, nameOf, record } from '#test/events.ts';
import { entriesBetween } from './log-entries.store.ts';

const on = auditService({ per: 'test' });

/** The tenant's log as the database has it, in the order of its chain. */
const logOf = (tenant: number) => entriesBetween(on.database, idOf<TenantId>(tenant), 1, 10_000);

async function expectChain(tenant: number, names: string[]): Promise<void> {
  const log = await logOf(tenant);
  expect(log.map(nameOf)).toEqual(names);
  linked(log);
}

test('each tenant has a chain of its own, over everything that its entries say, as they are read back', async () => {
  await on.start();
  const odd = {
    ...{
      name: 'odd',
      numbers: [1e21, 1e-7, 5e-324, -0, 0.1, 2 ** 53],
      ключ: 'ü\u2028"\\',
      b: { z: null, a: [] },
    },
    ...(JSON.parse('{"__proto__": {"x": 1}}') as object),
  };
  const whole = anEvent({
    id: randomUUID().toUpperCase(),
    correlation_id: randomUUID().toUpperCase(),
    occurred_at: '2026-03-01T12:00:00.123456Z',
    data: odd,
    // what means something in the text of an array
    division: { id: 4, name: 'NULL' },
    environment: { id: 5, name: '{"a\\",NULL}' },
    deployment: { id: 6, name: ' d,\n\te', uid: randomUUID() },
    user: { id: 8, name: '\\x00' },
    author: { id: 9, name: '' },
  });
  const unknown = anEvent({ type: 'broker_painted', data: { name: 'unknown' } });
  await record(on, whole, anEvent({ tenant_id: 2, data: { name: 'other' } }), unknown);
  await expectChain(1, ['odd', 'unknown']);
  await expectChain(2, ['other']);
  const refs = ({ division, environment, deployment, user, author }: Partial<typeof whole>) =>
    [division, environment, deployment, user, author].map((ref) => ref?.name);
  expect(refs((await logOf(1))[0] as Partial<typeof whole>)).toEqual(refs(whole));
  // another tenant's chain, another hash
  const [[one], [other]] = await Promise.all([logOf(1), logOf(2)]);
  expect(one?.hash).not.toBe(other?.hash);
});

test('replicas add to the same chains at the same time', async () => {
  await Promise.all([on.start(), on.start()]);
  const events = Array.from({ length: 400 }, (_, number) =>
    anEvent({ tenant_id: 1 + (number % 7), data: { name: String(number) } }),
  );
  await Promise.all(events.map((event) => on.publish(event)));
  await eventually(
    async () => expect(await on.sql('SELECT count(*)::int FROM log_entries')).toEqual([{ count: 400 }]),
    { timeoutMs: 60_000 },
  );
  for (let tenant = 1; tenant <= 7; tenant++) {
    const names = (await logOf(tenant)).map(nameOf);
    expect(new Set(names).size).toBe(tenant === 1 ? 58 : 57);
    await expectChain(tenant, names);
  }
});

test('no role changes, removes or empties what is recorded, the owner included', async () => {
  await on.start();
  await record(on, anEvent());
  const [{ partition } = { partition: '' }] = await on.sql<{ partition: string }>(
    'SELECT tableoid::regclass::text AS partition FROM log_entries',
  );
  for (const table of ['log_entries', partition])
    for (const statement of [`UPDATE ${table} SET type = 'x'`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
      await expect(on.sql(statement)).rejects.toThrow('the audit log is only added to');
  expect(await logOf(1)).toHaveLength(1);
});
