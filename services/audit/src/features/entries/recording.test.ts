import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import { entries, handledBy, inDatabase, setStage, type Replica, type Stage } from '#test/audit-service.ts';
import {
  allHandled,
  anEvent,
  consumerName,
  deadLetters,
  named,
  nameOf,
  namesOf,
  publishAll,
  redeliverAfter,
} from '#test/events.ts';

describe('an event', () => {
  let stage: Stage;
  let audit: Replica;
  let key: string;

  beforeEach(async () => {
    stage = await setStage();
    audit = await stage.start();
    key = await stage.key();
  });
  afterEach(() => stage.end());

  test('that comes twice is one entry', async () => {
    const event = named('once');
    await stage.publish(event);
    await stage.publish(event);
    await stage.publish(named('next'));
    await allHandled(stage);
    expect(await namesOf(audit, key)).toEqual(['once', 'next']);
  });

  test('stays one entry when the whole stream is read anew', async () => {
    await publishAll(stage, ['a', 'b']);
    await allHandled(stage);
    await audit.service.stop();
    const manager = await jetstreamManager(stage.nats);
    await manager.consumers.delete(stage.topology.streams.events.name, consumerName);
    // as if the inbox had forgotten them
    await inDatabase(stage, (client) => client.query('DELETE FROM inbox'));

    const again = await stage.start();
    await stage.publish(named('c'));
    await allHandled(stage);
    expect(await namesOf(again, key)).toEqual(['a', 'b', 'c']);
  });

  test('that happened while no replica ran is recorded at the next start', async () => {
    await audit.service.stop();
    await publishAll(stage, ['a', 'b']);
    const later = await stage.start();
    await allHandled(stage);
    expect(await namesOf(later, key)).toEqual(['a', 'b']);
  });

  test('that makes no sense ends in the dead letters and lets those behind it through', async () => {
    const wrongData = anEvent({ type: 'tenant_created', data: { title: 'no name' } });
    const wrongReference = anEvent({ author: { id: 0, name: 'nobody' } });
    const unstorable = anEvent({ data: { name: 'nul \0' } });
    const poison = [
      'not json',
      '{}',
      ...[wrongData, wrongReference, unstorable].map((event) => JSON.stringify(event)),
    ];
    for (const message of poison) await stage.publish(message);
    await stage.publish(named('good'));
    await allHandled(stage);
    expect(await namesOf(audit, key)).toEqual(['good']);
    expect(await deadLetters(stage)).toEqual(poison);
  });

  test('of a type that only a newer version knows is recorded under its slug', async () => {
    await stage.publish(anEvent({ type: 'broker_painted', data: ['red'] }));
    await stage.publish(anEvent({ type: 'broker_dusted', data: null }));
    await allHandled(stage);
    const { items } = await entries(audit, key);
    expect(items).toMatchObject([
      { type: 'broker_dusted', name: 'broker_dusted', data: null },
      { type: 'broker_painted', name: 'broker_painted', data: ['red'] },
    ]);
  });

  test('keeps fields that only a newer version knows', async () => {
    await stage.publish(anEvent({ data: { name: 'a', colour: 'red' } }));
    await allHandled(stage);
    expect((await entries(audit, key)).items).toMatchObject([{ data: { name: 'a', colour: 'red' } }]);
  });
});

describe('two replicas', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
  });
  afterEach(() => stage.end());

  test('share the events; each is one entry, in the order in which it happened', async () => {
    const replicas = await Promise.all([stage.start(), stage.start()]);
    const key = await stage.key();
    const names = Array.from({ length: 60 }, (_, number) => String(number));
    const occurred_at = '2026-03-01T00:00:00.000Z';
    await Promise.all(names.map((name) => stage.publish(anEvent({ occurred_at, data: { name } }))));
    await allHandled(stage);
    const published = await publishedNames(stage);
    for (const replica of replicas) expect(await namesOf(replica, key)).toEqual(published);
    const handled = await Promise.all(replicas.map(handledBy));
    expect(handled.reduce((sum, count) => sum + count)).toBe(60);
    expect(Math.min(...handled)).toBeGreaterThan(0);
  });

  test('do without each other: what one leaves when it stops, the other records', async () => {
    const [first, second] = await Promise.all([stage.start(), stage.start()]);
    const key = await stage.key();
    const names = Array.from({ length: 80 }, (_, number) => String(number));
    const publishing = publishAll(stage, names);
    await eventually(async () => expect(await handledBy(first)).toBeGreaterThan(0));
    await first.service.stop();
    await publishing;
    // what was on its way to the first when it stopped comes again after this time
    await redeliverAfter(stage, 200);
    await allHandled(stage);
    expect(await namesOf(second, key)).toEqual(names);
  });
});

async function publishedNames({ nats, topology: { streams } }: Stage): Promise<string[]> {
  const { state } = await (await jetstreamManager(nats)).streams.info(streams.events.name);
  const stream = await jetstream(nats).streams.get(streams.events.name);
  const names: string[] = [];
  for (let seq = 1; seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    if (message) names.push(nameOf(message.json<{ data: unknown }>()));
  }
  return names;
}
