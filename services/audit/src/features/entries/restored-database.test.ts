import { eventually, metricsOf, testFolder } from '@sluice/testing';
import { auditService, verified, type Replica } from '#test/audit-service.ts';
import { allHandled, consumerState, deadLetters, named, namesOf, publishAll } from '#test/events.ts';

const patience = { timeoutMs: 30_000 };

describe('after a restore of its database', () => {
  const on = auditService({ per: 'test', replicas: 1, own: 'postgres' });
  const audit = on.replica();

  const chain = () =>
    on.sql("SELECT seq, recorded_at, encode(hash, 'hex') AS hash FROM log_entries ORDER BY seq");

  test('the log has all events that the stream still has, each once, and is what two replicas had published', async () => {
    const folder = await testFolder();
    const start = () => on.start({ AUDIT_HEADS_DIR: folder, AUDIT_HEADS_MINUTES: '0.001' });
    const key = await on.key();
    await publishAll(on, ['a', 'b', 'c']);
    await allHandled(on);
    await audit.stop();
    const restore = await on.own.backUp();
    const before = await Promise.all([start(), start()]);
    await Promise.all(Array.from({ length: 40 }, (_, number) => on.publish(named(`at once ${number}`))));
    await allHandled(on);
    const [one] = before;
    const names = await namesOf(one, key);
    const verify = (replica: Replica) => verified(replica, key);
    await eventually(async () => expect((await verify(one)).published_heads.agreed).toBeGreaterThan(0));
    expect(await verify(one)).toMatchObject({ intact: true, entries: 43, database_restored_at: null });
    const published = await chain();
    await Promise.all(before.map((replica) => replica.stop()));

    // all replicas are ended, and the files are put back
    await restore();
    const again = await on.start({ AUDIT_HEADS_DIR: folder, AUDIT_HEADS_MINUTES: '600' });
    await eventually(async () => expect(await namesOf(again, key)).toEqual(names), patience);
    expect(await chain()).toEqual(published);
    expect(await verify(again)).toMatchObject({
      intact: true,
      entries: 43,
      database_restored_at: expect.any(String) as string,
    });
    expect(await metricsOf(again.url)).toMatch(/^sluice_database_restored_timestamp_seconds [1-9]/m);

    await on.sql('ALTER TABLE log_entries DISABLE TRIGGER USER');
    await on.sql("UPDATE log_entries SET author_name = 'Mallory' WHERE seq = 20");
    expect(await verify(again)).toMatchObject({ intact: false, break: { seq: 20, reason: 'changed' } });
  }, 90_000);

  test('a replica that runs while another state of the database comes up reads the events again', async () => {
    const key = await on.key();
    await publishAll(on, ['a']);
    await allHandled(on);
    const restore = await on.own.backUp();
    await eventually(() => publishAll(on, ['b', 'c']));
    await allHandled(on);
    await eventually(async () => expect(await namesOf(audit, key)).toEqual(['a', 'b', 'c']), patience);

    await restore();
    await eventually(async () => expect(await namesOf(audit, key)).toEqual(['a', 'b', 'c']), patience);
  }, 90_000);
});

describe('without a restore', () => {
  const on = auditService({ per: 'test', replicas: 1 });
  const audit = on.replica();

  test.each(['a message that makes no sense', 'an event'])(
    'a start after %s makes no new consumer',
    async (last) => {
      await on.key();
      await publishAll(on, ['a']);
      if (last !== 'an event') await on.publish('not json');
      await allHandled(on);
      const { created } = await consumerState(on);
      await audit.stop();
      await on.start();
      await publishAll(on, ['b']);
      await allHandled(on);
      expect((await consumerState(on)).created).toBe(created);
      expect(await deadLetters(on)).toHaveLength(last === 'an event' ? 0 : 1);
    },
  );
});
