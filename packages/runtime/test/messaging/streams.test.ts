import { Schedule } from '@sluice/controller';
import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { client, eventually, say, collectedLog } from '@sluice/testing';
import { Registry } from '@prometheus-io/client';
import { consume, make, origin, sight, sighted } from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';
import { ConsumerLag } from '@sluice/messaging';

const on = widgetService({ per: 'test' });
// neither has grants: the buckets of those are not what this is about
const ownersOptions = { ownsStreams: true, authorizes: false };
const othersOptions = { ownsStreams: false, authorizes: false };
const deletion = { deployment_id: idOf<DeploymentId>(1), uid: randomUUID(), cause: origin.cause };

/** What `/readyz` says is unavailable. */
async function unready({ url }: WidgetService): Promise<string[]> {
  const { body } = await client(url).get<{ checks: Record<string, string> }>('/readyz');
  return Object.keys(body.checks).filter((name) => body.checks[name] !== 'ok');
}

const streamNames = async () => {
  const names: string[] = [];
  for await (const name of (await jetstreamManager(on.nats)).streams.names()) names.push(name);
  return Object.values(on.topology.streams)
    .map(({ name }) => name)
    .filter((name) => names.includes(name));
};

describe('streams that are not there', () => {
  beforeEach(async () => {
    await on.deleteNamespace();
  });

  test('are made by their owner, as they are declared', async () => {
    const owner = await on.widgets({}, ownersOptions);
    const { config } = await (await jetstreamManager(on.nats)).streams.info(on.topology.streams.mails.name);
    expect(config).toMatchObject({
      subjects: [`${on.namespace}.mails.>`],
      retention: 'workqueue',
      storage: 'file',
      max_age: 7 * 24 * 3_600 * 1e9,
      duplicate_window: 120e9,
    });
    expect(await unready(owner)).toEqual([]);
  });

  test('leave the other services unready until the owner has made them; then these go on by themselves', async () => {
    const waiting = await on.widgets({}, othersOptions);
    await consume(waiting, sight);
    await make(waiting, 'a');
    expect(await unready(waiting)).toEqual(['streams', 'consumers']);
    expect(await streamNames()).toEqual([]);

    await on.widgets({}, ownersOptions);
    await eventually(async () => expect(await sighted(waiting)).toEqual(['a']));
    await eventually(async () => expect(await unready(waiting)).toEqual([]));
  });

  test('are waited for without the services that do not use them', async () => {
    const user = await on.widgets({}, { ...othersOptions, streams: ['mails'] });
    expect(await unready(user)).toEqual(['streams']);
    await on.makeStreams();
    await (await jetstreamManager(on.nats)).streams.delete(on.topology.streams.events.name);
    await eventually(async () => expect(await unready(user)).toEqual([]));
  });
});

test('a stream that is declared otherwise than it is there is adapted by its owner', async () => {
  const manager = await jetstreamManager(on.nats);
  const { name, subjects } = on.topology.streams.events;
  await manager.streams.update(name, { max_age: 3_600e9 });
  await on.widgets({}, othersOptions);
  expect((await manager.streams.info(name)).config.max_age).toBe(3_600e9);
  await on.widgets({}, ownersOptions);
  expect((await manager.streams.info(name)).config).toMatchObject({ subjects, max_age: 30 * 24 * 3_600e9 });
});

test('commands beyond the share of a region wait in the outbox, and hold up no other region', async () => {
  const sender = await on.widgets({}, ownersOptions);
  const { streams } = await jetstreamManager(on.nats);
  const { name } = on.topology.streams.commands;
  expect((await streams.info(name)).config).toMatchObject({
    discard: 'new',
    discard_new_per_subject: true,
    max_bytes: 512 * 2 ** 20,
    max_msgs_per_subject: 100_000,
  });
  await sender.stop();
  await streams.update(name, { max_msgs_per_subject: 2 });
  const widgets = await on.widgets({}, othersOptions);
  const send = (cloud: string, region: string) =>
    widgets.work(origin, async (tx) => tx.command({ cloud, region }, 'deployment_delete', deletion));
  const waiting = () => on.sql<{ subject: string }>('SELECT subject FROM outbox');
  for (let count = 0; count < 3; count++) await send('cloud_a', 'us-east-1');
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  await send('cloud_b', 'us-central1');
  await eventually(async () =>
    expect((await streams.info(name, { subjects_filter: '>' })).state.subjects).toEqual({
      [on.topology.subjects.command('cloud_a', 'us-east-1', 'deployment_delete')]: 2,
      [on.topology.subjects.command('cloud_b', 'us-central1', 'deployment_delete')]: 1,
    }),
  );
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  expect(await on.sql('TABLE outbox_dead_letters')).toEqual([]);

  // the region is back
  await streams.deleteMessage(name, 1);
  await eventually(async () => expect(await waiting()).toEqual([]), { timeoutMs: 20_000 });
});

test('how far consumers are, and whether that is near to the end of their stream, is measured', async () => {
  const { log, lines } = collectedLog();
  const reader = await on.widgets({}, othersOptions);
  const consumer = await consume(reader, sight);
  await consumer.stop();
  await make(reader, 'a');
  await make(reader, 'b');
  const metrics = new Registry();
  const events = { ...on.topology.streams.events, maxAgeSeconds: 4 };
  const { job } = new ConsumerLag({ nats: on.nats, topology: on.topology, streams: [events], metrics, log });
  const schedule = new Schedule({ log, metrics });
  schedule.add({ ...job, every: 0.05 });
  const labels = `{stream="${events.name}",consumer="reader"}`;
  await eventually(async () =>
    expect(await metrics.metrics()).toContain(`sluice_consumer_pending${labels} 2`),
  );
  const alarms = () => lines.filter(({ level }) => level === 'error');
  await eventually(() =>
    expect(alarms()).toEqual([expect.objectContaining({ consumer: 'reader', kept_seconds: 4 })]),
  );
  await consume(reader, sight);
  await eventually(async () =>
    expect(await metrics.metrics()).toContain(`sluice_consumer_oldest_seconds${labels} 0`),
  );
  await say(on, 'main-api', on.topology.subjects.deadLetter('reader'), 'put aside');
  await eventually(async () =>
    expect(await metrics.metrics()).toContain('sluice_dead_letters{consumer="reader"} 1'),
  );
  await schedule.stop();
});

test('streams that NATS has lost are made again, and readiness tells of it meanwhile', async () => {
  const [owner, other] = [await on.widgets({}, ownersOptions), await on.widgets({}, othersOptions)];
  await consume(other, sight);
  await make(other, 'a');
  await eventually(async () => expect(await sighted(other)).toEqual(['a']));

  await owner.stop();
  await on.deleteNamespace();
  await eventually(async () =>
    expect(await unready(other)).toEqual(expect.arrayContaining(['streams', 'consumers'])),
  );
  await make(other, 'b');
  await on.widgets({}, ownersOptions);
  await eventually(async () => expect(await sighted(other)).toEqual(['a', 'b']));
  await eventually(async () => expect(await unready(other)).toEqual([]));
});
