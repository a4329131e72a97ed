import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/nats-core';
import { ConfigRefused, TryLater } from '@sluice/connectors';
import { eventually } from '@sluice/testing';
import { reportOf, TestNode, testSink, untilStatus } from '#test/connectors.ts';

const node = new TestNode();
beforeAll(() => node.start());
afterAll(() => node.close());

let streams = 0;
/** A stream of the test's own with messages `0` … */
async function streamWith(count: number): Promise<string> {
  const name = `s${++streams}`;
  await node.addStream(name);
  await publish(name, ...Array.from({ length: count }, (_, index) => String(index)));
  return name;
}
async function publish(stream: string, ...texts: string[]): Promise<void> {
  for (const text of texts) await jetstream(node.client).publish(`${stream}.new`, text);
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const reading = (stream: string, more: Record<string, unknown> = {}) => ({
  streams: [{ stream, poll_interval: '20ms', ...more }],
  plugin_config: { name: stream },
});
const pending = async (stream: string, consumer: string) => {
  const { num_pending, num_ack_pending } = await (
    await jetstreamManager(node.client)
  ).consumers.info(stream, consumer);
  return { num_pending, num_ack_pending };
};

/** The dead letters of an instance: content, and reason. */
async function lettersOf(
  key: string,
): Promise<{ text: string; reason: string; about: Record<string, string> }[]> {
  const manager = await jetstreamManager(node.client);
  const found = [];
  const { state } = await manager.streams.info('sluice-dead-letters');
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
    const message = await manager.streams.getMessage('sluice-dead-letters', { seq });
    if (message?.subject !== `sluice.dead_letters.${key}`) continue;
    const about = Object.fromEntries(message.header.keys().map((name) => [name, message.header.get(name)]));
    found.push({ text: message.string(), reason: about['Sluice-Reason'] ?? '', about });
  }
  return found;
}

test('a sink takes all there is, in order, in batches no longer than configured, and acknowledges it', async () => {
  const stream = await streamWith(25);
  const destination = node.destination(stream);
  const sizes: number[] = [];
  destination.onWrite = (batch) => (sizes.push(batch.length), []);
  const instance = node.instance(reading(stream, { batch_length: 10 }));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(destination.texts).toEqual(numbers(25)));
  expect(sizes).toEqual([10, 10, 5]);
  await eventually(async () =>
    expect(await pending(stream, `connector-${instance.key}`)).toEqual({
      num_pending: 0,
      num_ack_pending: 0,
    }),
  );
  expect(await untilStatus(runtime, instance, { status: 'Running', config_version: 1 })).toMatchObject({
    metrics: { messages_consumed: 25, messages_processed: 25, messages_sent: 25, errors: 0 },
  });
  expect(runtime.status).toMatchObject({ connected: true, totals: { running_sinks: 1, running_sources: 0 } });
});

test('it takes those of its topics alone, and ids differ for ever', async () => {
  const stream = await streamWith(1);
  await jetstream(node.client).publish(`${stream}.old`, 'old');
  const destination = node.destination(stream);
  const runtime = await node.runtime();
  runtime.apply({
    broker: node.access,
    instances: [node.instance(reading(stream, { topics: [`${stream}.old`] }))],
  });
  await eventually(() => expect(destination.texts).toEqual(['old']));
  const [{ id, topic } = { id: '', topic: '' }] = destination.taken;
  expect(topic).toBe(`${stream}.old`);
  expect(id).toMatch(new RegExp(`^${stream}\\.2\\.[0-9a-z]{10,}$`));
});

test('what the destination does not take now comes again, in order, until it does', async () => {
  const stream = await streamWith(6);
  const destination = node.destination(stream);
  destination.onWrite = () => {
    if (destination.attempts < 5)
      throw destination.attempts === 1 ? new TryLater('slow down', 5) : new Error('it is away');
    return [];
  };
  const instance = node.instance(reading(stream, { batch_length: 3 }));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(destination.texts).toEqual(numbers(6)));
  // the last batch is counted once it is acknowledged
  await eventually(() => expect(reportOf(runtime, instance)?.metrics['messages_sent']).toBe(6));
  expect(reportOf(runtime, instance)?.metrics).toMatchObject({
    errors: 4,
    messages_consumed: 6,
    messages_sent: 6,
  });
});

test('it counts as an error, with the reason, as long as attempts fail', async () => {
  const stream = await streamWith(1);
  const destination = node.destination(stream);
  destination.onWrite = () => {
    throw new Error('it is away');
  };
  const instance = node.instance(reading(stream));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await untilStatus(runtime, instance, { status: 'Error', reason: 'it is away' });
  destination.onWrite = () => [];
  await untilStatus(runtime, instance, { status: 'Running', reason: null });
});

test('what it will never take becomes a dead letter with the reason, and the others go on', async () => {
  const stream = await streamWith(0);
  const about = headers();
  about.set('Kind', 'odd');
  about.set('Nats-Msg-Id', 'one');
  await jetstream(node.client).publish(`${stream}.new`, 'bad', { headers: about });
  await publish(stream, 'good');
  const destination = node.destination(stream);
  destination.onWrite = (batch) =>
    batch.flatMap(({ id, payload }) =>
      Buffer.from(payload).toString() === 'bad' ? [{ id, reason: 'no such\ncolumn' }] : [],
    );
  const instance = node.instance(reading(stream));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(destination.texts).toEqual(['good']));
  await eventually(async () =>
    expect(await lettersOf(instance.key)).toEqual([
      {
        text: 'bad',
        reason: 'no such column',
        about: expect.objectContaining({
          Kind: 'odd',
          'Sluice-Instance': instance.key,
          'Sluice-Stream': stream,
          'Sluice-Topic': `${stream}.new`,
          'Sluice-Message': expect.stringContaining(`${stream}.1.`) as string,
        }) as Record<string, string>,
      },
    ]),
  );
  expect((await lettersOf(instance.key))[0]?.about['Nats-Msg-Id']).not.toBe('one');
});

test('a message that is not what the schema says becomes one too; filters and transforms apply to the others', async () => {
  const stream = await streamWith(0);
  await publish(stream, '{"a":{"b":1},"secret":2}', 'no json', '{"a":{"b":2},"secret":3}');
  const destination = node.destination(stream);
  const instance = node.instance({
    ...reading(stream, { schema: 'json' }),
    transforms: {
      filter: [{ field: '/a/b', equals: 1 }],
      drop: ['/secret'],
      rename: { '/a': 'z' },
      set: { '/n/m': true },
    },
  });
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(destination.texts).toEqual(['{"z":{"b":1},"n":{"m":true}}']));
  await eventually(async () => expect(await lettersOf(instance.key)).toMatchObject([{ text: 'no json' }]));
  await untilStatus(runtime, instance, {
    metrics: {
      messages_produced: 0,
      messages_consumed: 3,
      messages_processed: 1,
      messages_sent: 1,
      messages_filtered: 1,
      errors: 1,
    },
  });
});

test('an attempt that hangs is ended at its limit, and a new sink tries again; others are not held up', async () => {
  const [stuck, quick] = [await streamWith(1), await streamWith(0)];
  const [hanging, working] = [node.destination(stuck), node.destination(quick)];
  const signals: AbortSignal[] = [];
  hanging.onWrite = (_, signal) => (signals.push(signal), new Promise(() => undefined));
  const instances = [node.instance(reading(stuck)), node.instance(reading(quick))] as const;
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances });
  await eventually(() => expect(signals).toHaveLength(1));
  await publish(quick, ...numbers(50));
  await eventually(() => expect(working.texts).toEqual(numbers(50)));
  await eventually(() => expect(hanging.opened).toBeGreaterThan(1));
  expect(signals[0]?.aborted).toBe(true);
  expect(reportOf(runtime, instances[0])?.reason).toMatch(/^it did not end within/);
  hanging.onWrite = () => [];
  await eventually(() => expect(hanging.texts).toEqual(['0']));
});

test('one whose configuration can never work says so, and is not tried again', async () => {
  const stream = await streamWith(1);
  let opened = 0;
  const refusing = {
    ...testSink(node.destinations, 'refusing'),
    type: 'sink' as const,
    open: async () => {
      opened++;
      throw new ConfigRefused('there is no table of this name');
    },
  };
  const instance = node.instance(reading(stream), { connector_key: 'refusing' });
  const runtime = await node.runtime([refusing]);
  runtime.apply({ broker: node.access, instances: [instance] });
  await untilStatus(runtime, instance, {
    status: 'Error',
    reason: 'the configuration is refused: there is no table of this name',
  });
  // whatever it is told again
  runtime.apply({ broker: node.access, instances: [instance] });
  expect(opened).toBe(1);
});

test('unknown plugins, and configurations that break the rules, are refused with all that is wrong', async () => {
  const unknown = node.instance(null, { connector_key: 'telex' });
  const wrong = node.instance({
    streams: [{ stream: 'a b', batch_length: 0 }, 7],
    plugin_config: { nme: 'secret' },
    transforms: { filter: [{}] },
    more: 1,
  });
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [unknown, wrong] });
  await untilStatus(runtime, unknown, { status: 'Error', reason: 'this node does not have the sink telex' });
  const { reason } = await untilStatus(runtime, wrong, { status: 'Error' });
  for (const part of [
    'more is no value',
    'streams.0.stream has to match',
    'streams.0.batch_length has to be at least 1',
    'streams.1 has to be an object',
    'transforms.filter.0 has to have either',
    'plugin_config.name is required',
    'plugin_config.nme is not a key',
  ])
    expect(reason).toContain(part);
  expect(reason).not.toContain('secret');
});

test('without a configuration, or with one that is not enabled, it does nothing; enabled it goes on where it was', async () => {
  const stream = await streamWith(2);
  const destination = node.destination(stream);
  const bare = node.instance(null);
  const runtime = await node.runtime();
  const apply = (version: number | null, enabled = true) => {
    const config =
      version === null ? null : { id: version, version, values: { ...reading(stream), enabled } };
    runtime.apply({ broker: node.access, instances: [{ ...bare, config }] });
  };
  apply(null);
  await untilStatus(runtime, bare, { status: 'Stopped', config_version: null });
  apply(1);
  await eventually(() => expect(destination.texts).toEqual(['0', '1']));
  apply(2, false);
  await untilStatus(runtime, bare, { status: 'Stopped', config_version: 2 });
  await publish(stream, '2');
  apply(3);
  await eventually(() => expect(destination.texts).toEqual(['0', '1', '2']));
});

test('it waits for a stream that is not there, and says which', async () => {
  const destination = node.destination('late');
  const instance = node.instance(reading('late'));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await untilStatus(runtime, instance, { status: 'Starting', reason: 'waits: the stream late is not there' });
  expect(reportOf(runtime, instance)?.metrics.errors).toBe(0);
  await node.addStream('late');
  await publish('late', 'x');
  await eventually(() => expect(destination.texts).toEqual(['x']));
});

test('two runtimes share the messages of a consumer group; what one has begun with comes again once it is gone', async () => {
  const stream = await streamWith(0);
  const shared = { consumer_group: 'workers', batch_length: 5 };
  const destination = node.destination(stream);
  const instance = node.instance(reading(stream, shared));
  const [one, two] = [await node.runtime(), await node.runtime()];
  for (const runtime of [one, two]) runtime.apply({ broker: node.access, instances: [instance] });
  await untilStatus(two, instance, { status: 'Running' });
  await publish(stream, ...numbers(40));
  await eventually(() => expect(destination.texts.sort()).toEqual(numbers(40).sort()));
  destination.onWrite = () => {
    throw new Error('away');
  };
  await publish(stream, 'last');
  await eventually(() => expect(destination.attempts).toBeGreaterThan(3));
  destination.onWrite = () => [];
  await one.end();
  await eventually(() => expect(destination.texts.at(-1)).toBe('last'));
});

test('an instance that is gone leaves nothing behind that would hold messages back', async () => {
  const stream = await streamWith(1);
  const destination = node.destination(stream);
  const instance = node.instance(reading(stream));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(destination.texts).toEqual(['0']));
  runtime.apply({ broker: node.access, instances: [] });
  await eventually(async () =>
    expect(await (await jetstreamManager(node.client)).consumers.list(stream).next()).toEqual([]),
  );
  await publish(stream, '1');
  expect(runtime.status.instances).toEqual([]);
});

test('what an instance has left is removed although the broker does not answer at first', async () => {
  const stream = await streamWith(1);
  const destination = node.destination(stream);
  const instance = node.instance(reading(stream));
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(destination.texts).toEqual(['0']));
  const before = node.logged.length;
  node.server.pause();
  try {
    runtime.apply({ broker: node.access, instances: [] });
    await eventually(() =>
      expect(node.logged.slice(before)).toContain('not all of an instance that is gone could be removed'),
    );
  } finally {
    node.server.resume();
  }
  const { consumers } = await jetstreamManager(node.client);
  await eventually(async () => expect(await consumers.list(stream).next()).toEqual([]));
});
