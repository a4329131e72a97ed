import { client, eventually } from '@sluice/testing';
import pg from 'pg';
import { auditService } from '#test/audit-service.ts';
import { allHandled, consumerState, deadLetters, namesOf, publishAll, redeliverAfter } from '#test/events.ts';

describe('nothing is lost and nothing is recorded twice when the database', () => {
  const on = auditService({ per: 'test', own: 'postgres', replicas: 1 });
  const audit = on.replica();
  const names = Array.from({ length: 40 }, (_, number) => String(number));

  test('is away for a while', async () => {
    const key = await on.key();
    await publishAll(on, names.slice(0, 1));
    await allHandled(on);

    await on.own.stop();
    await publishAll(on, names.slice(1, 20));
    const { status, body } = await client(audit.url, key).get<{ code: string }>('/audit/tenants/1');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' });
    expect((await client(audit.url).get('/readyz')).status).toBe(503);
    await on.own.start();
    await publishAll(on, names.slice(20));

    await allHandled(on);
    expect(await namesOf(audit, key)).toEqual(names);
    expect(await deadLetters(on)).toEqual([]);
  });
});

describe('events that NATS delivers again, since their service is slow', () => {
  const on = auditService({ per: 'test', replicas: 1 });

  test('are not suspected to have ended it, and recorded together', async () => {
    await on.sql('CREATE TABLE suspected (sequence bigint)');
    await on.sql(`CREATE FUNCTION suspect() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO suspected VALUES (NEW.sequence); RETURN NULL; END $$`);
    await on.sql(
      'CREATE TRIGGER suspect AFTER INSERT ON message_attempts FOR EACH ROW EXECUTE FUNCTION suspect()',
    );
    const names = Array.from({ length: 20 }, (_, number) => String(number));
    await inTransaction(on.databaseUrl, async (client) => {
      await client.query('LOCK TABLE log_heads IN EXCLUSIVE MODE');
      await redeliverAfter(on, 50);
      await publishAll(on, names);
      await eventually(async () =>
        expect((await consumerState(on)).delivered.consumer_seq).toBeGreaterThan(3 * names.length),
      );
      await redeliverAfter(on, 60_000);
      await client.query('COMMIT');
    });
    await allHandled(on);
    expect(await namesOf(on.replica(), await on.key())).toEqual(names);
    expect(await on.sql('SELECT * FROM suspected')).toEqual([]);
  });
});

async function inTransaction(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await work(client);
  } finally {
    await client.end();
  }
}
