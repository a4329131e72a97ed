import { once } from 'node:events';
import {
  appendFile,
  copyFile,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  idOf,
  type ConnectorInstanceId,
  type LogLine,
  type Sample,
  type TelemetryBatch,
} from '@sluice/contracts';
import { readLogLine } from '../runtimes/nats/log-line.ts';
import { client, removeNodes, runningNode } from '../../test/fixtures/node.ts';
import { credentials } from '../../test/fixtures/supervisor.ts';
import { connectorSamples } from './connector-samples.ts';
import { FollowedLogs, type FollowedLog } from './followed-logs.ts';
import { LineLimit } from './line-limit.ts';
import { cleanMessage, readOwnLine } from './lines.ts';
import { tailOf } from './log-tail.ts';
import { openSpool } from './spool.ts';

const everySecond = { metrics_seconds: 0.5, send_seconds: 0.5 };
const samplesOf = (batches: readonly TelemetryBatch[], runtime: string) =>
  batches.flatMap(({ samples }) => samples.filter((sample) => sample.runtime === runtime));
const linesOf = (batches: readonly TelemetryBatch[]) => batches.flatMap(({ lines }) => lines);

describe('an agent', () => {
  afterEach(removeNodes);

  test('tells what it measures and what is logged, once it is asked to, by the clock of the supervisor', async () => {
    const { supervisor, tcp, home, gatewayPids } = await runningNode();
    supervisor.clockAhead = 7_200_000;
    expect(supervisor.batches).toEqual([]);
    await supervisor.desire({ access_rules: [] });
    await supervisor.desire({ telemetry: everySecond });
    await supervisor.told((batches) => samplesOf(batches, 'node').length > 1);
    await supervisor.told((batches) => linesOf(batches).some(({ message }) => message === 'Server is ready'));
    const [first, second] = samplesOf(supervisor.batches, 'node');
    for (const { metrics } of [first!, second!]) {
      for (const name of ['cpu_percent', 'memory_percent', 'disk_percent']) {
        expect(metrics[name]).toBeGreaterThanOrEqual(0);
        expect(metrics[name]).toBeLessThanOrEqual(100);
      }
      expect(metrics['disk_free_bytes']).toBeGreaterThan(0);
    }
    expect(samplesOf(supervisor.batches, 'agent')[0]?.metrics['memory_bytes']).toBeGreaterThan(1e6);
    // on a slow machine the first sample is of a broker that starts
    await supervisor.told((batches) =>
      samplesOf(batches, 'broker').some(({ status }) => status === 'running'),
    );
    const broker = samplesOf(supervisor.batches, 'broker').find(({ status }) => status === 'running');
    expect(broker).toMatchObject({ metrics: { connections: 0, streams: 0 } });
    const told = linesOf(supervisor.batches);
    expect(told).toContainEqual(
      expect.objectContaining({
        runtime: 'agent',
        level: 'info',
        message: expect.stringMatching(/^applied/) as string,
      }),
    );
    for (const { at } of [first!, ...told.slice(-1)])
      expect(Math.abs(new Date(at).getTime() - Date.now() - 7_200_000)).toBeLessThan(60_000);
    // what a program says at its end, past the agent
    const [gateway = 0] = await gatewayPids();
    process.kill(gateway, 'SIGABRT');
    await appendFile(join(home, 'gateway.log'), `Fatal: the login ${credentials.password} is known\n`);
    await supervisor.told((batches) =>
      linesOf(batches).some(
        ({ runtime, message }) => runtime === 'gateway' && message === 'Fatal: the login *** is known',
      ),
    );
    // a client that is refused is told of by the broker, without what it has said
    await expect(client(tcp)).rejects.toThrow();
    expect(JSON.stringify(supervisor.batches)).not.toContain(credentials.password);
  });

  test('keeps what it tells while the supervisor is away, across its own death, in order', async () => {
    const { supervisor, agent, home, startAgent } = await runningNode();
    supervisor.refusesTelemetry = 503;
    await supervisor.desire({ telemetry: everySecond });
    const kept = async () =>
      (await readdir(join(home, 'telemetry')).catch(() => [])).filter((name) => name.endsWith('.json'));
    await until(async () => (await kept()).length >= 3);
    agent.child.kill('SIGKILL');
    await once(agent.child, 'close');
    const left = await kept();
    // heartbeats do not wait for telemetry
    const next = startAgent();
    await supervisor.hears(() => true);
    supervisor.refusesTelemetry = null;
    await supervisor.told((batches) => new Set(batches.map(({ spool }) => spool)).size === 2);
    const [firstSpool] = supervisor.batches.map(({ spool }) => spool);
    const numbers = supervisor.batches.flatMap(({ spool, number }) => (spool === firstSpool ? [number] : []));
    expect([...new Set(numbers)]).toEqual(numbers);
    expect(numbers).toEqual(Array.from({ length: left.length }, (_, index) => numbers[0]! + index));
    // all of the former agent comes before what this one has to tell
    expect(supervisor.batches.slice(0, numbers.length).every(({ spool }) => spool === firstSpool)).toBe(true);
    // a batch that is never taken keeps no other waiting
    supervisor.refusesTelemetry = 400;
    await until(() =>
      Promise.resolve(next.messages.includes('the supervisor does not take a batch of telemetry')),
    );
    supervisor.refusesTelemetry = null;
    const before = supervisor.batches.length;
    await supervisor.told((batches) => batches.length > before);
  });
});

/** Waits until something holds on the disk. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('in a folder', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'sluice-telemetry-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const aLine = (message: string): LogLine => ({
    at: '2026-03-14T09:26:53Z',
    runtime: 'broker',
    level: 'info',
    message,
  });
  const aSample = (cpu: number): Sample => ({
    at: '2026-03-14T09:26:53Z',
    runtime: 'node',
    metrics: { cpu },
  });

  test('batches are no larger than the supervisor takes', async () => {
    const spool = await openSpool(join(folder, 'spool'));
    await spool.add(
      [aSample(1)],
      Array.from({ length: 60 }, (_, index) => aLine(`${index}${'é'.repeat(1_900)}`)),
    );
    await spool.add(
      [],
      Array.from({ length: 1_001 }, () => aLine('short')),
    );
    const sizes: number[] = [];
    const lines: string[] = [];
    for (let next = await spool.oldest(); next; next = await spool.oldest()) {
      sizes.push(Buffer.byteLength(JSON.stringify(next.batch)));
      expect(next.batch.number).toBe(sizes.length);
      lines.push(...next.batch.lines.map(({ message }) => message));
      expect(next.batch.lines.length).toBeLessThanOrEqual(500);
      await spool.remove(next.name);
    }
    expect(Math.max(...sizes)).toBeLessThan(64 * 1024);
    expect(lines.slice(0, 60).map((line) => Number.parseInt(line, 10))).toEqual(
      Array.from({ length: 60 }, (_, i) => i),
    );
    expect(lines).toHaveLength(1_061);
  });

  test('the oldest batches go where there is no room, which is told', async () => {
    const spool = await openSpool(join(folder, 'spool'));
    const message = 'x'.repeat(3_900);
    for (let i = 0; i < 50; i++)
      await spool.add(
        [],
        Array.from({ length: 120 }, () => aLine(message)),
      );
    const names = await readdir(join(folder, 'spool'));
    const dropped = spool.takeDropped();
    expect(dropped).toBeGreaterThan(0);
    expect(names.length * 48 * 1024).toBeLessThan(17 * 2 ** 20);
    expect((await spool.oldest())?.batch.number).toBe(dropped + 1);
    expect(spool.takeDropped()).toBe(0);
  });

  test('a batch that is half written is left out', async () => {
    const first = await openSpool(join(folder, 'spool'));
    await first.add([aSample(1)], []);
    await first.add([aSample(2)], []);
    const [name] = (await readdir(join(folder, 'spool'))).sort();
    await truncate(join(folder, 'spool', name!), 20);
    const next = await openSpool(join(folder, 'spool'));
    await next.add([aSample(3)], []);
    expect((await next.oldest())?.batch.samples[0]?.metrics).toEqual({ cpu: 2 });
    expect(next.takeDropped()).toBe(1);
  });

  test('a log is followed line by line, also where it is cut and begins anew, and by the next agent', async () => {
    const path = join(folder, 'a.log');
    const tail = tailOf(path, null);
    expect(await tail.read()).toEqual({ lines: [], skipped: 0 });
    await writeFile(path, 'one\ntw');
    expect((await tail.read()).lines).toEqual(['one']);
    const bytes = Buffer.from('o ü\nthree\n');
    await appendFile(path, bytes.subarray(0, 3));
    expect((await tail.read()).lines).toEqual([]);
    await appendFile(path, bytes.subarray(3));
    expect((await tail.read()).lines).toEqual(['two ü', 'three']);
    await appendFile(path, 'last\n');
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await appendFile(path, 'new\nhal');
    expect((await tail.read()).lines).toEqual(['last', 'new']);
    await appendFile(path, 'f\n');
    expect((await tailOf(path, tail.position).read()).lines).toEqual(['half']);
  });

  test('several logs are followed, each to its end where another takes its place, and go on with the next agent', async () => {
    const [broker, gateway] = [join(folder, 'broker.log'), join(folder, 'gateway.log')];
    const logs: FollowedLog[] = [
      { runtime: 'broker', path: broker, read: () => null },
      {
        runtime: 'gateway',
        path: gateway,
        read: (message) => ({ at: new Date(), level: 'warn', message }),
        most: 99,
      },
    ];
    const said = async (followed: FollowedLogs) =>
      (await followed.read()).lines.map(({ runtime, level, message }) => [runtime, level, message]);
    const first = new FollowedLogs(logs, null);
    await writeFile(broker, 'ready\n');
    await writeFile(gateway, 'Error: half\n    at a');
    expect(await said(first)).toEqual([
      ['broker', 'info', 'ready'],
      ['gateway', 'warn', 'Error: half'],
    ]);
    await appendFile(gateway, ' line\n');
    await rename(gateway, `${gateway}.1`);
    await writeFile(gateway, 'Error: again\n');
    const next = new FollowedLogs(logs, first.positions);
    expect(await said(next)).toEqual([
      ['gateway', 'warn', '    at a line'],
      ['gateway', 'warn', 'Error: again'],
    ]);
    expect(JSON.parse(next.positions)).toMatchObject({
      broker: { file: expect.any(Number) as number, offset: 6 },
    });
    await appendFile(gateway, `${'x'.repeat(200)}\n`);
    expect(await said(next)).toHaveLength(1);
    expect((await stat(gateway)).size).toBe(0);
    expect(await said(new FollowedLogs(logs, '{"file": 1, "off'))).toEqual([['broker', 'info', 'ready']]);
  });

  test('of a log that grows too fast the end is read', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'begin\n');
    const tail = tailOf(path, null);
    await tail.read();
    await appendFile(path, `${'x'.repeat(99)}\n`.repeat(50_000));
    await appendFile(path, 'end\n');
    const { lines, skipped } = await tail.read();
    expect(skipped).toBeGreaterThan(4e6);
    expect(lines.at(-1)).toBe('end');
  });
});

test('connectors are told of as their runtime and each by itself', () => {
  const counts = { messages_produced: 0, messages_consumed: 5, messages_processed: 5, messages_sent: 4 };
  const metrics = { ...counts, messages_filtered: 1, errors: 2 };
  const instance = { reason: null, config_id: null, config_version: null, metrics };
  const instances = (['Running', 'Error', 'Stopping'] as const).map((status, index) => ({
    ...{ ...instance, status },
    id: idOf<ConnectorInstanceId>(index + 1),
  }));
  const totals = { cpu_percent: 7.5, memory_bytes: 5e7, running_sources: 0, running_sinks: 1 };
  const reported = { status: 'running' as const, reason: null, plugins: [], instances };
  expect(connectorSamples(reported, totals)).toMatchObject([
    { runtime: 'connectors', status: 'running', metrics: { instances: 3, ...totals } },
    {
      ...{ connector_instance_id: 1, status: 'running', instance_status: 'Running' },
      metrics: { messages_sent_total: 4, errors_total: 2 },
    },
    { connector_instance_id: 2, status: 'failed', instance_status: 'Error' },
    { connector_instance_id: 3, status: 'stopped', instance_status: 'Stopping' },
  ]);
  const stopped = connectorSamples({ ...reported, status: 'stopped', instances: [] }, null);
  expect(stopped.map(({ metrics }) => metrics)).toEqual([
    { instances: 0, running_sources: 0, running_sinks: 0 },
  ]);
  // nobody wants connectors
  expect(connectorSamples(null, null)).toEqual([]);
});

test('a storm of lines is limited for each program by itself, and told of', () => {
  let now = 0;
  const limit = new LineLimit(() => now);
  const lines = (runtime: LogLine['runtime'], count: number) =>
    Array.from({ length: count }, () => ({ at: '', runtime, level: 'info' as const, message: 'x' }));
  expect(limit.pass(lines('broker', 1_500))).toHaveLength(1_000);
  expect(limit.pass(lines('agent', 10))).toHaveLength(10);
  expect(limit.leftOut('now')).toMatchObject([
    { runtime: 'broker', message: expect.stringMatching(/^500 lines/) as string },
  ]);
  expect(limit.leftOut('now')).toEqual([]);
  now = 2_000;
  expect(limit.pass(lines('broker', 30))).toHaveLength(20);
});

test.each([
  ['[7] 2026/03/14 09:26:53.589793 [INF] Server is ready', 'info', 'Server is ready', 589],
  ['[7] 2026/03/14 09:26:53.000001 [ERR] 127.0.0.1 - [x] - no', 'error', '127.0.0.1 - [x] - no', 0],
  ['[7] 2026/03/14 09:26:53 [WRN] slow', 'warn', 'slow', 0],
])('%s is understood', (line, level, message, milliseconds) => {
  const at = new Date(2026, 2, 14, 9, 26, 53, milliseconds);
  expect(readLogLine(line)).toEqual({ at, level, message });
});

test('what is no line of the broker is kept as it is', () => {
  expect(readLogLine('goroutine 1 [running]:')).toBeNull();
});

test('lines of the agent say whose they are', () => {
  const line = { service: 'node-agent', timestamp: '2026-03-14T09:26:53.589Z', level: 'warn' };
  const read = (message: string, more = {}) =>
    readOwnLine(`${JSON.stringify({ ...line, message, ...more })}\n`);
  expect(read('applied', { revision: 3 })).toEqual({
    ...{ runtime: 'agent', level: 'warn', message: 'applied {"revision":3}' },
    at: new Date(line.timestamp),
  });
  expect(read('gateway: full')).toMatchObject({ runtime: 'gateway', message: 'full' });
  expect(readOwnLine('half a li')).toBeNull();
});

test('messages are without secrets, storable, and no longer than the supervisor takes them', () => {
  expect(cleanMessage('login with hunter22 failed at nats://a:b@c', ['hunter22'])).toBe(
    'login with *** failed at nats://a:***@c',
  );
  expect(cleanMessage('a\0b\ud800', [])).toBe('a�b�');
  expect(cleanMessage('😀'.repeat(3_000), []).length).toBeLessThanOrEqual(4_000);
  expect(cleanMessage('😀'.repeat(3_000), []).isWellFormed()).toBe(true);
});
