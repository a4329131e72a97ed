import { eventually } from '@sluice/testing';
import { auditService } from '#test/audit-service.ts';
import { allHandled, consumerState, deadLetters, namesOf, publishAll } from '#test/events.ts';

const patience = { timeoutMs: 30_000 };

describe('after a restore of its database', () => {
  const on = auditService({ per: 'test', replicas: 1, own: 'postgres' });
  const audit = on.replica();

  const chain = () =>
    on.sql("SELECT seq, recorded_at, encode(hash, 'hex') AS hash FROM log_entries ORDER BY seq");

  test('the log has all events that the stream still has, each once, with the hashes that were published', async () => {
    const key = await on.key();
    await publishAll(on, ['a', 'b', 'c']);
    await allHandled(on);
    await audit.stop();
    const restore = await on.own.backUp();
    const before = await on.start();
    await publishAll(on, ['d', 'e', 'f']);
    await allHandled(on);
    expect(await namesOf(before, key)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const published = await chain();
    await before.stop();

    await restore();
    const again = await on.start();
    await eventually(
      async () => expect(await namesOf(again, key)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']),
      patience,
    );
    expect(await chain()).toEqual(published);
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
