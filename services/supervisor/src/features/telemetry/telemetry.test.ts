import { idOf, type TenantId } from '@sluice/contracts';
import { client, insertInitialized, newNode, type SimulatedNode } from '@sluice/testing';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { aLine, aSample, tellingAgent } from '#test/telemetry.ts';
import { supervisor } from '#test/region.ts';
import { startWithRows } from '#test/rows.ts';
import type { Database } from '@sluice/region-store/tables';
import { deleteExpired, dropPartitions, forgetGone, makePartitions } from './telemetry-partitions.store.ts';
import { sumUp } from './telemetry-rollups.store.ts';

interface Page {
  items: {
    at: string;
    node_id: number;
    runtime: string;
    samples: number;
    status: string;
    message: string;
    connector_instance_id: number | null;
    metrics: Record<string, { min: number; avg: number; max: number }>;
  }[];
  total_results: number;
  resolution_seconds: number;
  searched_from: string | null;
}

const region = supervisor({ environment: { VALIDATE_RESPONSES: 'true' } });
let url: string;
let pool: Pool;
let database: Database;
let key: string;
let node: SimulatedNode;
let agent: ReturnType<typeof tellingAgent>;
let firstId = 1_000_000;

beforeAll(async () => {
  ({ url, pool, database } = await startWithRows(region));
});

beforeEach(async () => {
  firstId += 1_000;
  [node] = (await insertInitialized(pool, 1, { firstId })) as [SimulatedNode];
  await created('100 days');
  key = await region.key('admin', { tenant_id: idOf<TenantId>(1 + (firstId % 100)) });
  agent = tellingAgent(url, node);
});

const created = (before: string) =>
  region.sql(
    `UPDATE deployments SET spec = spec || jsonb_build_object('created_at', now() - $2::interval) WHERE id = $1`,
    [node.id, before],
  );
const list = async (path: string) => {
  const answer = await client(url, key).get<Page>(`/deployments/${node.id}/${path}`);
  expect(answer.status).toBe(200);
  return answer.body;
};
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
/** As if these samples had been told; the oldest ones are not taken in any more. */
const remember = async (samples: { at: string; cpu: number }[]) => {
  for (const { at } of samples) await partitionOf(at);
  await region.sql(
    `WITH sample AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS sample (at timestamptz, cpu float8)), stored AS (
       INSERT INTO telemetry_samples (deployment_id, at, node_id, runtime, instance_id, status, metrics)
       SELECT $1, at, $1, 'node', 0, 'running', jsonb_build_object('cpu_percent', cpu) FROM sample)
     INSERT INTO telemetry_due SELECT DISTINCT $1::bigint, date_bin('5 minutes', at, 'epoch') FROM sample`,
    [node.id, JSON.stringify(samples)],
  );
};
const partitionOf = async (at: string) => {
  const day = at.slice(0, 10);
  for (const table of ['telemetry_samples', 'telemetry_minutes', 'telemetry_hours', 'telemetry_lines']) {
    await region.sql(
      `CREATE TABLE IF NOT EXISTS ${table}_${day.replaceAll('-', '')} PARTITION OF ${table}
       FOR VALUES FROM ('${day}T00:00:00Z') TO ('${day}T24:00:00Z')`,
    );
  }
};

describe('what an agent tells', () => {
  test('is stored once, however often it comes', async () => {
    const batch = {
      spool: agent.spool,
      number: 1,
      samples: [aSample(1, { cpu_percent: 5 })],
      lines: [aLine(1, 'a')],
    };
    expect((await agent.post(batch)).status).toBe(204);
    expect((await agent.post(batch)).status).toBe(204);
    expect((await agent.post({ ...batch, number: 2 })).status).toBe(204);
    // an older one than the last that was stored
    expect((await agent.post(batch)).status).toBe(204);
    expect((await list('logs')).total_results).toBe(2);
    // an agent that has lost its folder begins anew
    expect((await agent.post({ ...batch, spool: randomUUID() })).status).toBe(204);
    expect((await list('logs')).total_results).toBe(3);
    // what was told of the same moment is one entry
    expect((await list('metrics')).items).toMatchObject([{ samples: 3 }]);
  });

  test('is taken from the agent of the node alone', async () => {
    const stranger = { ...newNode(node.id), id: node.id };
    const answer = await tellingAgent(url, stranger).tell({ lines: [aLine(1, 'a')] });
    expect(answer.status).toBe(401);
    await region.sql('UPDATE nodes SET public_key = NULL WHERE id = $1', [node.id]);
    expect((await agent.tell({ lines: [aLine(1, 'a')] })).status).toBe(401);
    expect((await list('logs')).total_results).toBe(0);
  });

  test('waits for nobody who changes the node', async () => {
    const elsewhere = await pool.connect();
    try {
      await elsewhere.query('BEGIN');
      await elsewhere.query('SELECT FROM nodes WHERE id = $1 FOR UPDATE', [node.id]);
      const waits = agent.tell({ lines: [aLine(1, 'a')] });
      const [other] = (await insertInitialized(pool, 1, { firstId: firstId + 1 })) as [SimulatedNode];
      expect((await tellingAgent(url, other).tell({ lines: [aLine(1, 'b')] })).status).toBe(204);
      await elsewhere.query('COMMIT');
      expect((await waits).status).toBe(204);
    } finally {
      elsewhere.release();
    }
  });

  test.each([
    ['a metric with another name', { samples: [aSample(0, { 'CPU %': 1 })] }],
    ['a metric that is no number', { samples: [{ ...aSample(0, {}), metrics: { cpu: 'much' } }] }],
    [
      'too many metrics',
      { samples: [aSample(0, Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`m${i}`, i])))] },
    ],
    ['too many lines', { lines: Array.from({ length: 501 }, () => aLine(0, 'x')) }],
    ['a line that is too long', { lines: [aLine(0, 'x'.repeat(4_001))] }],
    ['another runtime', { samples: [{ ...aSample(0, {}), runtime: 'kernel' }] }],
    ['no time', { samples: [{ ...aSample(0, {}), at: 'yesterday' }] }],
  ])('is refused with %s', async (_, batch) => {
    expect((await agent.tell(batch)).status).toBe(400);
  });

  test('is left out where it is too old, lies ahead, or cannot be stored, and the rest is stored', async () => {
    const samples = [
      aSample(48 * 60, { cpu_percent: 1 }),
      aSample(-2, { cpu_percent: 2 }),
      { ...aSample(1, { cpu_percent: 3 }), connector_instance_id: 1e30 },
      { ...aSample(1, { cpu_percent: 3 }), at: '0000-01-01T00:00:00Z' },
      aSample(2, { cpu_percent: 4 }),
    ];
    expect((await agent.tell({ samples })).status).toBe(204);
    const { items } = await list('metrics');
    expect(items.map(({ metrics }) => metrics)).toEqual([{ cpu_percent: { min: 4, avg: 4, max: 4 } }]);
  });

  test('is limited: who tells too many lines is asked to wait', async () => {
    const lines = Array.from({ length: 500 }, () => aLine(0, 'x'));
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await agent.tell({ lines }));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(204), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(1);
  });
});

describe('metrics', () => {
  test('are listed newest first, of a program, a node or all, by pages', async () => {
    const instance = aSample(
      3,
      { errors_total: 2 },
      { runtime: 'connectors', connector_instance_id: 7 as never, status: 'failed' },
    );
    await agent.tell({
      samples: [
        aSample(1, { cpu_percent: 5 }),
        aSample(2, { connections: 9 }, { runtime: 'broker' }),
        instance,
      ],
    });
    const { items, total_results, resolution_seconds } = await list('metrics?results=2');
    expect(items.map(({ runtime, samples }) => [runtime, samples])).toEqual([
      ['node', 1],
      ['broker', 1],
    ]);
    expect([total_results, resolution_seconds]).toEqual([3, 0]);
    expect((await list('metrics?results=2&page=2')).items).toMatchObject([
      {
        ...{ runtime: 'connectors', connector_instance_id: 7, node_id: node.id, status: 'Error' },
        metrics: { errors: { max: 2 } },
      },
    ]);
    expect(await list('metrics?page=9')).toMatchObject({ items: [], total_results: 3 });
    expect((await list('metrics?runtime=broker')).items).toHaveLength(1);
    expect((await list(`metrics?node=${node.id + 1}`)).items).toEqual([]);
    expect((await list(`nodes/${node.id}/metrics/broker`)).items).toMatchObject([
      { metrics: { connections: { max: 9 } } },
    ]);
    const elsewhere = await client(url, key).get(
      `/deployments/${node.id}/nodes/${node.id + 1}/metrics/broker`,
    );
    expect(elsewhere.status).toBe(404);
    expect((await client(url, key).get(`/deployments/${node.id}/nodes/${node.id}/metrics/cpu`)).status).toBe(
      400,
    );
  });

  test('of connectors have the runtime as a whole, and each instance in its own words', async () => {
    const totals = { cpu_percent: 7.5, memory_bytes: 5e7, running_sources: 1, running_sinks: 0 };
    const of = { runtime: 'connectors', connector_instance_id: 7 as never } as const;
    const stopping = { ...of, status: 'stopped', instance_status: 'Stopping' } as const;
    await agent.tell({
      samples: [
        aSample(1, totals, { runtime: 'connectors', status: 'running' }),
        aSample(1, { messages_produced_total: 3, errors_total: 0 }, stopping),
      ],
    });
    const value = (max: number) => ({ min: max, avg: max, max });
    for (const path of ['metrics?runtime=connectors', `nodes/${node.id}/metrics/connectors`])
      expect((await list(path)).items).toMatchObject([
        {
          ...{ connector_instance_id: null, status: 'running' },
          metrics: { cpu_percent: value(7.5), memory_bytes: value(5e7), running_sources: value(1) },
        },
        {
          ...{ connector_instance_id: 7, status: 'Stopping' },
          metrics: { messages_produced: value(3), errors: value(0) },
        },
      ]);
    expect((await list('heartbeats?runtime=connectors')).items).toMatchObject([
      { connector_instance_id: null, status: 'running' },
      { connector_instance_id: 7, status: 'stopped' },
    ]);
  });

  test('of a range are those from its beginning until before its end', async () => {
    const times = [ago(3), ago(2), ago(1)];
    await agent.tell({ samples: times.map((at, index) => ({ ...aSample(0, { cpu_percent: index }), at })) });
    const { items } = await list(`metrics?from=${times[0]}&to=${times[2]}`);
    expect(items.map(({ at }) => at)).toEqual([times[1], times[0]]);
    const answer = await client(url, key).get(
      `/deployments/${node.id}/metrics?from=${times[2]}&to=${times[0]}`,
    );
    expect(answer.status).toBe(400);
  });

  test('of long ranges are summed up: by five minutes, an hour, a day', async () => {
    // the beginning of an hour, four days ago
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 4 * 86_400_000;
    const at = (minutes: number) => new Date(hour + minutes * 60_000).toISOString();
    await remember([
      { at: at(0), cpu: 1 },
      { at: at(1), cpu: 2 },
      { at: at(4.99), cpu: 6 },
      { at: at(5), cpu: 11 },
    ]);
    while ((await sumUp(database)) > 0);
    const minutes = await list(`metrics?from=${at(0)}&to=${at(60)}`);
    expect(minutes.resolution_seconds).toBe(300);
    expect(minutes.items).toMatchObject([
      { at: at(5), samples: 1, metrics: { cpu_percent: { min: 11, avg: 11, max: 11 } } },
      { at: at(0), samples: 3, metrics: { cpu_percent: { min: 1, avg: 3, max: 6 } } },
    ]);
    const hours = await list(`metrics?from=${at(-24 * 60)}&to=${at(3 * 24 * 60)}`);
    expect(hours).toMatchObject({
      resolution_seconds: 3600,
      total_results: 1,
      items: [{ at: at(0), samples: 4, metrics: { cpu_percent: { min: 1, avg: 5, max: 11 } } }],
    });

    // samples that come late change what was summed up
    await remember([
      { at: at(2), cpu: 7 },
      { at: at(70), cpu: 0 },
    ]);
    while ((await sumUp(database)) > 0);
    const later = await list(`metrics?from=${at(0)}&to=${at(24 * 60 * 3)}`);
    expect(later.items).toMatchObject([
      { at: at(60), samples: 1 },
      { at: at(0), samples: 5, metrics: { cpu_percent: { min: 1, avg: 5.4, max: 11 } } },
    ]);
    await region.sql(
      `UPDATE deployments SET spec = jsonb_set(spec, '{retention,telemetry_days}', '90') WHERE id = $1`,
      [node.id],
    );
    const days = await list(`metrics?from=${at(-60 * 24 * 60)}&to=${at(24 * 60)}`);
    expect(days.resolution_seconds).toBe(86_400);
    expect(days.items.reduce((sum, { samples }) => sum + samples, 0)).toBe(6);
    expect((await list(`heartbeats?from=${at(0)}&to=${at(24 * 60 * 3)}`)).items).toMatchObject([
      { at: at(60), status: 'running', samples: 1 },
      { at: at(0), status: 'running', samples: 5 },
    ]);
  });

  test('are summed up by one at a time, and not before they are settled', async () => {
    await agent.tell({ samples: [aSample(0, { cpu_percent: 5 })] });
    const sums = await Promise.all([sumUp(database), sumUp(database)]);
    expect(sums).toEqual([0, 0]);
    await remember([{ at: ago(30), cpu: 1 }]);
    const again = await Promise.all([sumUp(database), sumUp(database)]);
    expect(again.sort()).toEqual([0, 1]);
  });

  test('go to Prometheus as it reads them, the newest of each thing alone', async () => {
    await agent.tell({
      samples: [
        aSample(1, { cpu_percent: 5, network_received_bytes_total: 10 }),
        aSample(0.5, { cpu_percent: 6.5, network_received_bytes_total: 12 }),
        aSample(0.5, { errors_total: 2 }, { runtime: 'connectors', connector_instance_id: 7 as never }),
        aSample(5, { connections: 4 }, { runtime: 'broker' }),
      ],
    });
    const answer = await fetch(`${url}/deployments/${node.id}/metrics/prometheus`, {
      headers: { 'svc-api-key': key },
    });
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = (await answer.text())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# HELP'));
    const labels = (runtime: string, instance = '') =>
      `{node="node-1",runtime="${runtime}",connector_instance_id="${instance}"}`;
    expect(lines.sort()).toEqual([
      '# TYPE sluice_cpu_percent gauge',
      '# TYPE sluice_errors_total counter',
      '# TYPE sluice_network_received_bytes_total counter',
      `sluice_cpu_percent${labels('node')} 6.5`,
      `sluice_errors_total${labels('connectors', '7')} 2`,
      `sluice_network_received_bytes_total${labels('node')} 12`,
    ]);
    expect((await fetch(answer.url)).status).toBe(401);
  });
});

test('heartbeats report how it is', async () => {
  await agent.tell({
    samples: [
      aSample(1, { cpu_percent: 5 }),
      aSample(1, {}, { runtime: 'broker', status: 'failed' }),
      aSample(2, {}, { runtime: 'broker', status: 'running' }),
    ],
  });
  expect((await list('heartbeats')).items.map(({ runtime, status }) => [runtime, status])).toEqual([
    ['broker', 'failed'],
    ['broker', 'running'],
  ]);
  expect((await list(`nodes/${node.id}/heartbeats/broker?results=1`)).total_results).toBe(2);
});

describe('lines of logs', () => {
  test('are found by node, program, level, a part of the message and time, newest first', async () => {
    const disk = aLine(3, '100% of the disk_volume is used', { level: 'error' });
    await agent.tell({ lines: [aLine(2, 'ready'), disk, aLine(1, 'hello', { runtime: 'agent' })] });
    const messages = async (query: string) =>
      (await list(`logs?${query}`)).items.map(({ message }) => message);
    expect(await messages('')).toEqual(['hello', 'ready', disk.message]);
    expect(await messages('runtime=agent')).toEqual(['hello']);
    // a level stands for the graver ones, too
    expect(await messages('level=error')).toEqual([disk.message]);
    expect(await messages('level=warn')).toEqual([disk.message]);
    expect(await messages('level=info')).toEqual(['hello', 'ready', disk.message]);
    expect(await messages('message=READ')).toEqual(['ready']);
    expect(await messages(`message=${encodeURIComponent('0% of')}`)).toEqual([disk.message]);
    // characters that mean something to PostgreSQL's patterns mean themselves
    expect(await messages(`message=${encodeURIComponent('%ready')}`)).toEqual([]);
    expect(await messages('message=e_d')).toEqual([]);
    expect(await messages(`from=${ago(2.5)}&to=${ago(1.5)}`)).toEqual(['ready']);
    // a date alone is its midnight
    const day = disk.at.slice(0, 10);
    expect([(await messages(`from=${day}`)).length, (await messages(`to=${day}`)).length]).toEqual([3, 0]);
    expect(await messages(`node=${node.id + 1}`)).toEqual([]);
    expect(await list('logs?results=1&page=2')).toMatchObject({ total_results: 3, searched_from: null });
  });

  test('that were written at the same time keep their order', async () => {
    const at = ago(1);
    const lines = Array.from({ length: 5 }, (_, index) => ({ ...aLine(0, String(index)), at }));
    await agent.tell({ lines });
    expect((await list('logs')).items.map(({ message }) => message)).toEqual(['4', '3', '2', '1', '0']);
  });
});

describe('what is kept', () => {
  test('is shown no longer than the deployment keeps it, and deleted then', async () => {
    const at = ago(30 * 60);
    await agent.tell({
      lines: [aLine(30 * 60, 'old'), aLine(1, 'new')],
      samples: [{ ...aSample(0, {}), at }],
    });
    expect((await list(`logs?from=${ago(40 * 60)}`)).total_results).toBe(2);
    await region.sql(
      `UPDATE deployments SET spec = jsonb_set(spec, '{retention,telemetry_days}', '1') WHERE id = $1`,
      [node.id],
    );
    expect((await list(`logs?from=${ago(40 * 60)}`)).total_results).toBe(1);
    expect((await list(`metrics?from=${ago(30.1 * 60)}&to=${ago(29 * 60)}`)).total_results).toBe(0);
    while ((await deleteExpired(database, 'telemetry_lines')) > 0);
    const left = await region.sql<{ message: string }>(
      'SELECT message FROM telemetry_lines WHERE deployment_id = $1',
      [node.id],
    );
    expect(left).toEqual([{ message: 'new' }]);
  });

  test('of a deployment that is gone is not shown to one that has its id, and deleted', async () => {
    await agent.tell({ lines: [aLine(1, 'secret')], samples: [aSample(1, {})] });
    await created('0 s');
    expect([(await list('logs')).total_results, (await list('metrics')).total_results]).toEqual([0, 0]);
    await region.sql('DELETE FROM deployments WHERE id = $1', [node.id]);
    expect((await client(url, key).get(`/deployments/${node.id}/logs`)).status).toBe(404);
    const rows = async (table: string) =>
      (await region.sql(`SELECT 1 FROM ${table} WHERE deployment_id = $1`, [node.id])).length;
    await deleteExpired(database, 'telemetry_samples');
    await forgetGone(database);
    expect([await rows('telemetry_lines'), await rows('telemetry_batches')]).toEqual([1, 1]);
    await deleteExpired(database, 'telemetry_lines');
    await forgetGone(database);
    expect([await rows('telemetry_lines'), await rows('telemetry_batches')]).toEqual([0, 0]);
  });

  test('is dropped by whole days: samples soon, all else when no deployment keeps it', async () => {
    const tables = async () => {
      const rows = await region.sql<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1",
      );
      return rows.map(({ name }) => name);
    };
    const before = ago(6 * 24 * 60);
    await partitionOf(before);
    await partitionOf(ago(20 * 24 * 60));
    await dropPartitions(database, 3);
    const day = before.slice(0, 10).replaceAll('-', '');
    expect((await tables()).filter((name) => name.endsWith(day))).toEqual([
      `telemetry_hours_${day}`,
      `telemetry_lines_${day}`,
      `telemetry_minutes_${day}`,
    ]);
    await region.sql("UPDATE deployments SET spec = jsonb_set(spec, '{retention,telemetry_days}', '1')");
    await Promise.all([dropPartitions(database, 3), dropPartitions(database, 3)]);
    const kept = await tables();
    expect(kept).not.toContain(`telemetry_lines_${day}`);
    expect(kept).toHaveLength(6 * 6);
    // made again by however many at once
    await region.sql(`DROP TABLE ${kept.filter((name) => name.startsWith('telemetry_lines')).join(', ')}`);
    await Promise.all([makePartitions(database), makePartitions(database)]);
    expect(await tables()).toEqual(kept);
  });
});
