import { jetstreamManager } from '@nats-io/jetstream';
import type { ConnectorPlugin, SourceBatch } from '@sluice/connectors';
import { eventually } from '@sluice/testing';
import { reportOf, TestNode, untilStatus } from '#test/connectors.ts';

const node = new TestNode();
beforeAll(() => node.start());
afterAll(() => node.close());

const fromRandom = (stream: string, more: Record<string, unknown> = {}) => ({
  streams: [{ stream, topics: [`${stream}.new`], schema: 'json' }],
  plugin_config: { interval: '10ms', batch: 10, ...more },
});
const source = { type: 'source', connector_key: 'random' } as const;

/** The numbers in the messages of a stream, in order. */
async function numbersIn(stream: string): Promise<number[]> {
  const manager = await jetstreamManager(node.client);
  const { state } = await manager.streams.info(stream);
  const numbers = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++)
    numbers.push((await manager.streams.getMessage(stream, { seq }))?.json<{ number: number }>().number ?? 0);
  return numbers;
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A source of records `<position + 1>` …, one a batch, that does as the test says. */
function countingSource(read: (next: number, signal: AbortSignal) => Promise<Partial<SourceBatch>>) {
  const seen: { opened: (string | null)[]; acknowledged: string[] } = { opened: [], acknowledged: [] };
  const plugin: ConnectorPlugin = {
    ...{ type: 'source', key: 'counting', schema: [] },
    open: async (_config, _context, position) => {
      seen.opened.push(position);
      let next = Number(position ?? 0);
      return {
        read: async (signal) => {
          next++;
          const record = { id: String(next), payload: Buffer.from(`{"number":${next}}`) };
          return { records: [record], position: String(next), ...(await read(next, signal)) };
        },
        acknowledge: async (position_) => void seen.acknowledged.push(position_),
        close: async () => undefined,
      };
    },
  };
  return { plugin, seen };
}
const counting = (stream: string, more: Record<string, unknown> = {}) =>
  node.instance(
    { streams: [{ stream, topics: [`${stream}.new`] }], ...more },
    { type: 'source', connector_key: 'counting' },
  );
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));

test('a source writes its records to its topics, in order, and makes the stream when there is none', async () => {
  const instance = node.instance(fromRandom('made', { limit: 25 }), source);
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(async () => expect(await numbersIn('made')).toEqual(upTo(25)));
  const { config } = await (await jetstreamManager(node.client)).streams.info('made');
  expect(config).toMatchObject({ subjects: ['made.new'], max_bytes: 256 * 2 ** 20, discard: 'old' });
  await untilStatus(runtime, instance, { status: 'Running' });
  await eventually(() =>
    expect(reportOf(runtime, instance)?.metrics).toMatchObject({
      messages_produced: 25,
      messages_sent: 25,
      errors: 0,
    }),
  );
  expect(runtime.status.totals).toMatchObject({ running_sources: 1, running_sinks: 0 });
});

test('it goes on where it was, in another runtime as well, and begins anew only as another instance', async () => {
  await node.addStream('kept');
  const instance = node.instance(fromRandom('kept', { limit: 20 }), source);
  const first = await node.runtime();
  first.apply({ broker: node.access, instances: [instance] });
  await eventually(async () => expect(await numbersIn('kept')).toEqual(upTo(20)));
  await first.end();
  const second = await node.runtime();
  second.apply({
    broker: node.access,
    instances: [{ ...instance, config: { id: 1, version: 2, values: fromRandom('kept', { limit: 30 }) } }],
  });
  await eventually(async () => expect(await numbersIn('kept')).toEqual(upTo(30)));
  // its position goes with it
  second.apply({ broker: node.access, instances: [] });
  const positions = async () =>
    (await (await jetstreamManager(node.client)).streams.info('sluice-positions', { subjects_filter: '>' }))
      .state.subjects ?? {};
  await eventually(async () =>
    expect(Object.keys(await positions())).not.toContain(`sluice.positions.${instance.id}`),
  );
});

test('a position is kept after the records alone, told to the source, and gone on from after a failure', async () => {
  await node.addStream('failing');
  let failures = 0;
  const { plugin, seen } = countingSource(async (next, signal) => {
    if (next === 3 && failures++ < 2) throw new Error('the connection is lost');
    return next > 4 ? await never(signal) : {};
  });
  const instance = counting('failing');
  const runtime = await node.runtime([plugin]);
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(seen.acknowledged).toEqual(['1', '2', '3', '4']));
  expect(seen.opened).toEqual([null, '2', '2']);
  expect(await numbersIn('failing')).toEqual(upTo(4));
  expect(reportOf(runtime, instance)?.metrics.errors).toBe(2);
});

test('a batch that was published, but whose position was not kept, is stored once though it is read again', async () => {
  await node.addStream('again');
  let broken = true;
  const { plugin, seen } = countingSource(async (next, signal) => {
    if (next > 2) return await never(signal);
    // longer than can be kept
    return broken && next === 2 ? ((broken = false), { position: 'x'.repeat(5_000) }) : {};
  });
  const runtime = await node.runtime([plugin]);
  runtime.apply({ broker: node.access, instances: [counting('again')] });
  await eventually(() => expect(seen.acknowledged).toEqual(['1', '2']));
  expect(seen.opened).toEqual([null, '1']);
  expect(await numbersIn('again')).toEqual([1, 2]);
});

test('of two that work for one instance the one that was overtaken begins anew where the other is', async () => {
  await node.addStream('twice');
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sources = gates.map(({ promise }) =>
    countingSource(async (next, signal) => {
      if (next === 2) await promise;
      return next > 3 ? await never(signal) : {};
    }),
  );
  const instance = counting('twice');
  const [one, two] = sources;
  for (const [index, each] of sources.entries()) {
    const runtime = await node.runtime([each.plugin]);
    runtime.apply({ broker: node.access, instances: [instance] });
    await eventually(() => expect(each.seen.opened).toHaveLength(1));
    if (index === 0) await eventually(() => expect(each.seen.acknowledged).toEqual(['1']));
  }
  gates[1]?.resolve();
  await eventually(() => expect(two?.seen.acknowledged).toEqual(['2', '3']));
  gates[0]?.resolve();
  await eventually(() => expect(one?.seen.opened).toEqual([null, '3']));
  expect(await numbersIn('twice')).toEqual([1, 2, 3]);
});

test('what the broker can never take becomes a dead letter, its content left out', async () => {
  await node.addStream('large');
  const { plugin, seen } = countingSource(async (next, signal) => {
    if (next > 2) return await never(signal);
    return next === 1 ? { records: [{ id: 'huge', payload: Buffer.alloc(2 ** 21, 'x') }] } : {};
  });
  const instance = counting('large');
  const runtime = await node.runtime([plugin]);
  runtime.apply({ broker: node.access, instances: [instance] });
  await eventually(() => expect(seen.acknowledged).toEqual(['1', '2']));
  const manager = await jetstreamManager(node.client);
  const letter = await manager.streams.getMessage('sluice-dead-letters', {
    last_by_subj: `sluice.dead_letters.${instance.key}`,
  });
  expect(letter?.data).toHaveLength(0);
  expect(letter?.header.get('Sluice-Left-Out')).toBe('headers, content');
  expect(letter?.header.get('Sluice-Reason')).toContain('Larger than');
});

test('topics that its stream does not take are an error that says so', async () => {
  await node.addStream('other');
  const { plugin } = countingSource(async () => ({}));
  const instance = counting('other', { streams: [{ stream: 'other', topics: ['elsewhere'] }] });
  const runtime = await node.runtime([plugin]);
  runtime.apply({ broker: node.access, instances: [instance] });
  const { reason } = await untilStatus(runtime, instance, { status: 'Error' });
  expect(reason).toContain('elsewhere');
});

test('instances end with a broker that is gone, and go on with the next one without loss', async () => {
  await node.addStream('broken');
  const destination = node.destination('broken');
  const sink = node.instance({
    streams: [{ stream: 'broken', batch_length: 10, poll_interval: '10ms' }],
    plugin_config: { name: 'broken' },
  });
  const instance = node.instance(fromRandom('broken', { limit: 300 }), source);
  const runtime = await node.runtime();
  runtime.apply({ broker: node.access, instances: [instance, sink] });
  await eventually(() => expect(destination.taken.length).toBeGreaterThan(30));
  await node.server.kill();
  runtime.apply({ broker: null, instances: [instance, sink] });
  await untilStatus(runtime, instance, { status: 'Starting', reason: 'waits: the broker is not there' });
  await node.server.start();
  await node.reconnect();
  runtime.apply({ broker: { ...node.access!, process: '2' }, instances: [instance, sink] });
  await eventually(async () => expect(await numbersIn('broken')).toEqual(upTo(300)));
  await eventually(() => expect(new Set(destination.texts).size).toBe(300), { timeoutMs: 20_000 });
});

test('a source works for as long as it is told that it may, and ends by itself when nobody says so any more', async () => {
  const instance = node.instance(fromRandom('lent'), source);
  const runtime = await node.runtime();
  const lend = (milliseconds: number) =>
    runtime.apply({ broker: node.access, instances: [instance], sources: { milliseconds } });
  lend(0);
  await untilStatus(runtime, instance, {
    status: 'Starting',
    reason: expect.stringMatching(/leads/) as string,
  });
  lend(60_000);
  await untilStatus(runtime, instance, { status: 'Running' });
  lend(50);
  await untilStatus(runtime, instance, { status: 'Starting', config_id: instance.config?.id ?? null });
  const before = await numbersIn('lent');
  lend(60_000);
  await eventually(async () => expect((await numbersIn('lent')).length).toBeGreaterThan(before.length));
  await runtime.end();
});
