import { idOf, type TenantId } from '@sluice/contracts';
import { client, eventually, insertInitialized, type SimulatedNode } from '@sluice/testing';
import type { Pool } from 'pg';
import { supervisor } from '#test/region.ts';
import { startWithRows } from '#test/rows.ts';
import type { Database } from '@sluice/region-store/tables';
import { stepsOf } from './series-steps.ts';
import { sumUp } from './telemetry-rollups.store.ts';

interface Series {
  step_seconds: number;
  aggregate: string;
  times: string[];
  columns: {
    metric: string;
    node_id: number;
    connector_instance_id: number | null;
    values: (number | null)[];
  }[];
  code?: string;
}

const region = supervisor({ environment: { VALIDATE_RESPONSES: 'true' } });
let url: string;
let pool: Pool;
let database: Database;
let key: string;
let node: SimulatedNode;
let firstId = 1_000_000;

beforeAll(async () => {
  ({ url, pool, database } = await startWithRows(region));
});

beforeEach(async () => {
  firstId += 1_000;
  [node] = (await insertInitialized(pool, 1, { firstId })) as [SimulatedNode];
  await region.sql(
    `UPDATE deployments SET spec = spec || jsonb_build_object('created_at', now() - interval '100 days') WHERE id = $1`,
    [node.id],
  );
  key = await region.key('admin', { tenant_id: idOf<TenantId>(1 + (firstId % 100)) });
});

const ask = (query: string, who = key) =>
  client(url, who).get<Series>(`/deployments/${node.id}/metrics/series?${query}`);
const series = async (query: string) => {
  const answer = await ask(query);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.body;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** the last full hour that ended at least ten minutes ago */
const base = Math.floor((Date.now() - 10 * minute) / hour) * hour - hour;
const at = (milliseconds: number) => new Date(base + milliseconds).toISOString();
/** the range that begins so long after the base */
const range = (from: number, to: number) => `from=${at(from)}&to=${at(to)}`;

interface Told {
  at: string;
  node?: number;
  runtime?: string;
  instance?: number;
  metrics: Record<string, number>;
}

/** As if these samples had come in. */
async function remember(samples: Told[]): Promise<void> {
  for (const date of new Set(samples.map((sample) => sample.at.slice(0, 10))))
    for (const table of ['telemetry_samples', 'telemetry_minutes', 'telemetry_hours'])
      // the region may make it at the same moment
      await eventually(() =>
        region.sql(
          `CREATE TABLE IF NOT EXISTS ${table}_${date.replaceAll('-', '')} PARTITION OF ${table}
           FOR VALUES FROM ('${date}T00:00:00Z') TO ('${date}T24:00:00Z')`,
        ),
      );
  await region.sql(
    `WITH sample AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb)
         AS sample (at timestamptz, node bigint, runtime text, instance bigint, metrics jsonb)), stored AS (
       INSERT INTO telemetry_samples (deployment_id, at, node_id, runtime, instance_id, status, metrics)
       SELECT $1, at, coalesce(node, $1), coalesce(runtime, 'node'), coalesce(instance, 0), NULL, metrics FROM sample)
     INSERT INTO telemetry_due SELECT DISTINCT $1::bigint, date_bin('5 minutes', at, 'epoch') FROM sample`,
    [node.id, JSON.stringify(samples)],
  );
}

test('a series has a column for each metric and node, and a value for each step', async () => {
  await remember([
    { at: at(0), metrics: { cpu_percent: 10, memory_percent: 50 } },
    { at: at(10 * second), metrics: { cpu_percent: 20 } },
    { at: at(30 * second), metrics: { cpu_percent: 40 } },
    { at: at(20 * second), node: node.id + 1, metrics: { cpu_percent: 7 } },
    { at: at(20 * second), runtime: 'broker', metrics: { connections: 3, cpu_percent: 99 } },
    // outside of the range
    { at: at(-second), metrics: { cpu_percent: 1 } },
    { at: at(45 * second), metrics: { cpu_percent: 1 } },
  ]);
  const metrics = 'metrics=node.cpu_percent,broker.connections,node.absent';
  const column = (metric: string, ...values: (number | null)[]) => ({
    ...{ metric, node_id: node.id, connector_instance_id: null, values },
  });
  expect(await series(`${metrics}&${range(0, 45 * second)}`)).toEqual({
    step_seconds: 15,
    aggregate: 'avg',
    times: [at(0), at(15 * second), at(30 * second)],
    columns: [
      column('node.cpu_percent', 15, null, 40),
      { ...column('node.cpu_percent', null, 7, null), node_id: node.id + 1 },
      column('broker.connections', null, 3, null),
    ],
  });
  const values = async (query: string) =>
    (await series(`metrics=node.cpu_percent&node=${node.id}&${range(0, 45 * second)}&${query}`)).columns.map(
      (found) => found.values,
    );
  expect(await values('aggregate=min')).toEqual([[10, null, 40]]);
  expect(await values('aggregate=max')).toEqual([[20, null, 40]]);
  expect(await values(`connector_instance=7`)).toEqual([]);
});

test('a rate is by how much a metric grows in a second, also after it began again', async () => {
  const counted = [0, 150, 150, null, 450, 30].flatMap((messages_total, step) =>
    messages_total === null
      ? []
      : [{ at: at(step * 15 * second), runtime: 'broker', metrics: { messages_total } }],
  );
  await remember(counted);
  const found = await series(`metrics=broker.messages_total&aggregate=rate&${range(0, 90 * second)}`);
  expect(found.columns.map(({ values }) => values)).toEqual([[null, 10, 0, null, 10, 2]]);
});

test('a series of an instance of a connector has the names that are shown of it', async () => {
  const of = { runtime: 'connectors', instance: 7 };
  await remember([{ at: at(0), ...of, metrics: { messages_sent_total: 5, lag: 2 } }]);
  const query = `metrics=connectors.messages_sent,connectors.lag&${range(0, 15 * second)}`;
  const found = await series(`${query}&connector_instance=7`);
  expect(found.columns).toMatchObject([
    { metric: 'connectors.messages_sent', connector_instance_id: 7, values: [5] },
    { metric: 'connectors.lag', connector_instance_id: 7, values: [2] },
  ]);
  expect((await series(query)).columns).toEqual([]);
});

test('longer ranges are made of what is summed up', async () => {
  const earlier = -10 * hour;
  await remember(
    [10, 20, 60].map((cpu_percent, sample) => ({
      at: at(earlier + sample * 100 * second),
      metrics: { cpu_percent },
    })),
  );
  await sumUp(database);
  await region.sql('DELETE FROM telemetry_samples WHERE deployment_id = $1', [node.id]);
  const cpu = async (aggregate: string, from: number, points: number) => {
    const query = `metrics=node.cpu_percent&aggregate=${aggregate}&${range(from, 0)}&points=${points}`;
    const { columns, times, step_seconds } = await series(query);
    const place = times.indexOf(at(earlier));
    expect(columns[0]?.values).toHaveLength(times.length);
    return [step_seconds, columns[0]?.values[place]];
  };
  expect(await cpu('avg', earlier, 1_000)).toEqual([300, 30]);
  expect(await cpu('max', earlier, 1_000)).toEqual([300, 60]);
  expect(await cpu('avg', -10 * day, 1_000)).toEqual([3_600, 30]);
  expect(await cpu('min', -10 * day, 1_000)).toEqual([3_600, 10]);
});

test('a series has no more points than are asked for, and shows nothing from before the deployment', async () => {
  for (const [length, points] of [
    [hour, 50],
    [6 * hour, 1_000],
    [3 * day, 300],
    [3_650 * day, 50],
    [3_650 * day, 1_000],
  ] as const) {
    const { times } = await series(`metrics=node.cpu_percent&${range(-length, 0)}&points=${points}`);
    expect(times.length).toBeLessThanOrEqual(points);
    expect(new Date(times[0]!).getTime()).toBeGreaterThan(Date.now() - 200 * day);
  }
  expect((await series('metrics=node.cpu_percent')).times.length).toBeGreaterThan(200);
});

test('steps hold for every range: at most so many, all of it, and whole entries of what is summed up', () => {
  const now = new Date();
  for (const points of [50, 300, 1_000])
    for (let length = second; length < 3_650 * day; length *= 1.7)
      for (const ends of [0, 2 * day + 1_234]) {
        const to = new Date(now.getTime() - ends);
        const from = new Date(to.getTime() - length);
        const { source, stepSeconds, times } = stepsOf({ from, to }, points, now, 3);
        expect(times.length).toBeLessThanOrEqual(points);
        expect(times[0]!.getTime()).toBeLessThanOrEqual(from.getTime());
        expect(times.at(-1)!.getTime() + stepSeconds * second).toBeGreaterThanOrEqual(to.getTime());
        const entry = { telemetry_samples: 1, telemetry_minutes: 300, telemetry_hours: 3_600 }[source];
        expect(stepSeconds % entry).toBe(0);
      }
});

test.each([
  ['', '/query/metrics'],
  ['metrics=', '/query/metrics'],
  ['metrics=cpu_percent', '/query/metrics/0'],
  ['metrics=kernel.cpu_percent', '/query/metrics/0'],
  ["metrics=node.x'y", '/query/metrics/0'],
  [`metrics=${Array.from({ length: 11 }, (_, i) => `node.m${i}`).join()}`, '/query/metrics'],
  ['metrics=node.a&points=1001', '/query/points'],
  ['metrics=node.a&points=49', '/query/points'],
  ['metrics=node.a&aggregate=sum', '/query/aggregate'],
  ['metrics=node.a&from=yesterday', '/query/from'],
  ['metrics=node.a&from=2026-03-02&to=2026-03-01', '/query/to'],
])('a query is refused: %s', async (query, path) => {
  const answer = await ask(query);
  expect([answer.status, answer.body]).toMatchObject([400, { field_issues: [{ path }] }]);
});

test('a series is for those who read the telemetry of the deployment', async () => {
  const tenant_id = idOf<TenantId>(1 + (firstId % 100));
  const viewer = await region.key('viewer', { tenant_id });
  expect((await ask('metrics=node.a', viewer)).status).toBe(403);
  const stranger = await region.key('admin', { tenant_id: idOf<TenantId>(tenant_id + 1) });
  expect((await ask('metrics=node.a', stranger)).status).toBe(404);
});
