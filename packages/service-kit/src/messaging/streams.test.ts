import { jetstreamManager } from '@nats-io/jetstream';
import { client, eventually } from '@sluice/testing';
import { consume, make, sight, sighted } from '../../test/messages.ts';
import { widgetService, type WidgetService } from '../../test/widget-service.ts';

const on = widgetService({ per: 'test' });
// neither has grants: the buckets of those are not what this is about
const ownersOptions = { ownsStreams: true, authorizes: false };
const othersOptions = { ownsStreams: false, authorizes: false };

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
