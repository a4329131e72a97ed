import { entries, inDatabase, setStage, type Stage } from '#test/audit-service.ts';
import { anEvent, deadLetters, record } from '#test/events.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.end());

const deletion = (tenant: number) =>
  anEvent({ type: 'tenant_deleted', tenant_id: tenant, division: null, data: { name: 'Acme' } });

async function rowsOf(tenant: number): Promise<number> {
  let count = -1;
  await inDatabase(stage, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM entries WHERE tenant_id = $1',
      [tenant],
    );
    count = Number(rows[0]?.count);
  });
  return count;
}

test('nothing is left of a deleted tenant, and nothing of another is touched', async () => {
  const audit = await stage.start();
  const key = await stage.key({ tenant: 2 });
  await record(stage, anEvent(), anEvent(), anEvent({ tenant_id: 2 }));
  expect(await rowsOf(1)).toBe(2);
  await record(stage, deletion(1));
  expect(await rowsOf(1)).toBe(0);
  expect((await entries(audit, key, '', 2)).items).toHaveLength(1);
});

test('an event of a deleted tenant that comes late leaves nothing', async () => {
  await stage.start();
  await record(stage, anEvent(), deletion(1), deletion(1), anEvent());
  expect(await rowsOf(1)).toBe(0);
  expect(await deadLetters(stage)).toEqual([]);
});

test('nothing is left either when replicas handle the events of a tenant side by side', async () => {
  await Promise.all([stage.start(), stage.start(), stage.start()]);
  const many = Array.from({ length: 60 }, () => anEvent());
  await record(stage, ...many, deletion(1), anEvent());
  expect(await rowsOf(1)).toBe(0);
});
