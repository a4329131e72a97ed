import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually, metricsOf } from '@sluice/testing';
import { auditService, entries, handledBy, type AuditService } from '#test/audit-service.ts';
import {
  allHandled,
  anEvent,
  consumerName,
  deadLetters,
  named,
  nameOf,
  namesOf,
  publishAll,
} from '#test/events.ts';

describe('an event', () => {
  const on = auditService({ per: 'test', replicas: 1 });
  const audit = on.replica();
  let key: string;

  beforeEach(async () => {
    key = await on.key();
  });

  test('that comes twice is one entry', async () => {
    const event = named('once');
    await on.publish(event);
    await on.publish(event);
    await on.publish(named('next'));
    await allHandled(on);
    expect(await namesOf(audit, key)).toEqual(['once', 'next']);
  });

  test('is recorded at the time of NATS where the clock of its sender is wrong by more than a minute', async () => {
    const inAnHour = () => new Date(Date.now() + 3_600_000);
    const sent = anEvent({ data: { name: 'wrong' }, occurred_at: inAnHour().toISOString() });
    const before = Date.now();
    await on.publish(sent, inAnHour());
    // the outbox has kept it for an hour, which says nothing of the clock
    const late = anEvent({ data: { name: 'late' }, occurred_at: new Date(before - 3_600_000).toISOString() });
    await on.publish(late, new Date());
    await on.publish(anEvent({ data: { name: 'right' }, occurred_at: new Date().toISOString() }), new Date());
    await allHandled(on);
    const { items } = await entries(audit, key);
    expect(items.map(nameOf)).toEqual(['right', 'wrong', 'late']);
    const [, wrong, kept] = items;
    expect(Math.abs(Date.parse(wrong!.timestamp) - before)).toBeLessThan(30_000);
    expect(kept).toMatchObject({ timestamp: late.occurred_at });
    const rows = await on.sql("SELECT as_sent FROM log_entries WHERE data ->> 'name' = 'wrong'");
    expect(rows).toEqual([{ as_sent: sent }]);
    const metrics = await metricsOf(audit.url);
    expect(metrics).toMatch(/sluice_audit_sender_clock_seconds\{sender="main-api"\} -?0(\.|$)/m);
  });

  test('that makes no sense ends in the dead letters and lets those behind it through', async () => {
    const without = (field: string) =>
      JSON.stringify(Object.fromEntries(Object.entries(anEvent()).filter(([name]) => name !== field)));
    const unstorable = anEvent({ data: { name: 'nul \0' } });
    const incomplete = ['id', 'type', 'occurred_at', 'tenant_id'].map(without);
    const poison = ['not json', '{}', JSON.stringify(unstorable), ...incomplete];
    for (const message of poison) await on.publish(message);
    await on.publish(named('good'));
    await allHandled(on);
    expect(await namesOf(audit, key)).toEqual(['good']);
    expect(await deadLetters(on)).toEqual(poison);
  });

  test('of a type that only a newer version knows is recorded under its slug', async () => {
    await on.publish(anEvent({ type: 'broker_painted', data: ['red'] }));
    await on.publish(anEvent({ type: 'broker_dusted', data: null }));
    await allHandled(on);
    const { items } = await entries(audit, key);
    expect(items).toMatchObject([
      { type: 'broker_dusted', name: 'broker_dusted', data: null, unvalidated: true },
      { type: 'broker_painted', name: 'broker_painted', data: ['red'], unvalidated: true },
    ]);
  });

  test('of a form that only a newer version knows is recorded as it came, and read as what it is after the upgrade', async () => {
    const group = { id: 'group-7', name: 'Operators' };
    const sent = [
      anEvent({ type: 'tenant_created', data: { title: 'no name' } }),
      { ...anEvent(), author: group },
      anEvent({ type: 'tenant_deleted', tenant_id: 2, data: null }),
    ];
    for (const event of sent) await on.publish(JSON.stringify(event));
    await on.publish(named('good'));
    await allHandled(on);
    const { items } = await entries(audit, key);
    expect(items).toMatchObject([
      { data: { name: 'good' } },
      { type: 'division_created', author: null, data: { name: 'Payments' }, unvalidated: true },
      { type: 'tenant_created', name: 'Tenant created', data: { title: 'no name' }, unvalidated: true },
    ]);
    expect(items[0]).not.toHaveProperty('unvalidated');
    expect(
      await on.sql('SELECT as_sent FROM log_entries WHERE as_sent IS NOT NULL ORDER BY position'),
    ).toEqual(sent.map((event) => ({ as_sent: event })));
    expect(await on.sql('SELECT tenant_id FROM deleted_tenants')).toEqual([{ tenant_id: 2 }]);
    expect(await deadLetters(on)).toEqual([]);

    // as the release after would have found it
    await on.sql(
      `SET session_replication_role = replica;
       UPDATE log_entries SET as_sent = as_sent || '{"author": null}' WHERE type = 'division_created' AND as_sent IS NOT NULL;
       RESET session_replication_role`,
    );
    expect((await entries(audit, key)).items[1]).not.toHaveProperty('unvalidated');
  });

  test('is recorded without what it has for other services alone', async () => {
    const data = { email: 'ada@example.com', roles: ['admin'] };
    await on.publish(anEvent({ type: 'invitation_accepted', data: { ...data, tenant: 'Acme' } }));
    await allHandled(on);
    expect(await on.sql('SELECT data FROM log_entries')).toEqual([{ data }]);
  });
});

describe('two replicas', () => {
  const on = auditService({ per: 'test' });

  test('record each event once, in the order of the stream', async () => {
    const replicas = await Promise.all([on.start(), on.start()]);
    const key = await on.key();
    const names = Array.from({ length: 60 }, (_, number) => String(number));
    const occurred_at = '2026-03-01T00:00:00.000Z';
    await Promise.all(names.map((name) => on.publish(anEvent({ occurred_at, data: { name } }))));
    await allHandled(on);
    const published = await publishedNames(on);
    for (const replica of replicas) expect(await namesOf(replica, key)).toEqual(published);
    expect(await positions(on)).toEqual(published.map((_, index) => index + 1));
    const handled = await Promise.all(replicas.map(handledBy));
    expect(handled.reduce((sum, count) => sum + count)).toBe(60);
  });

  test('do not wait for what a third one got and has not ended: it is recorded in its place', async () => {
    const first = await on.start();
    await publishAll(on, ['0']);
    await allHandled(on);
    await first.stop();
    const names = Array.from({ length: 20 }, (_, number) => String(number));
    await publishAll(on, names.slice(1));
    const third = await jetstream(on.nats).consumers.get(on.topology.streams.events.name, consumerName);
    const taken = await third.fetch({ max_messages: 5, expires: 5_000 });
    const got = [];
    for await (const { seq } of taken) got.push(seq);
    expect(got).toEqual([2, 3, 4, 5, 6]);
    await on.start();
    await eventually(async () => expect(await positions(on)).toHaveLength(20));
    await allHandled(on);
    expect(await positions(on)).toEqual(names.map((_, index) => index + 1));
  });
});

/** The places of tenant 1's entries in the stream, in the order of their chain. */
async function positions(on: AuditService): Promise<number[]> {
  const rows = await on.sql<{ position: string }>('SELECT position FROM log_entries ORDER BY seq');
  return rows.map(({ position }) => Number(position));
}

async function publishedNames({ nats, topology: { streams } }: AuditService): Promise<string[]> {
  const { state } = await (await jetstreamManager(nats)).streams.info(streams.events.name);
  const stream = await jetstream(nats).streams.get(streams.events.name);
  const names: string[] = [];
  for (let seq = 1; seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    if (message) names.push(nameOf(message.json<{ data: unknown }>()));
  }
  return names;
}
