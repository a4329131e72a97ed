import { randomUUID } from 'node:crypto';
import { idOf, type NodeId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { kyselyTransactions } from '@sluice/service/kysely';
import { agentToken, client, eventually, insertInitialized, type SimulatedNode } from '@sluice/testing';
import type { Pool } from 'pg';
import { Registry } from '@prometheus-io/client';
import { messagesAbout } from '#test/messages.ts';
import { aSample, tellingAgent } from '#test/telemetry.ts';
import { supervisor } from '#test/region.ts';
import { startWithRows } from '#test/rows.ts';
import { supervisorEnvironment, thresholdsOf } from '../../config.ts';
import type { Database, Transaction } from '@sluice/region-store/tables';
import { emitAlerts } from './health-watch.ts';
import { observationsOf } from './observations.ts';

/** as the region has them unless it is told others */
const usual = supervisorEnvironment
  .pick({
    ...{ HEALTH_CPU_PERCENT: true, HEALTH_MEMORY_PERCENT: true, HEALTH_DISK_PERCENT: true },
    ...{ HEALTH_RESOLVE_POINTS: true, HEALTH_RAISE_SECONDS: true, HEALTH_RESOLVE_SECONDS: true },
    NODE_UNREACHABLE_SECONDS: true,
  })
  .parse({});
const thresholds = thresholdsOf(usual);
const times = {
  ...{ raise: usual.HEALTH_RAISE_SECONDS, resolve: usual.HEALTH_RESOLVE_SECONDS },
  ...{ unreachable: usual.NODE_UNREACHABLE_SECONDS, fresh: 150 },
};

describe('health alerts', () => {
  // it looks for itself, and nobody is silent
  const region = supervisor({
    environment: { NODE_UNREACHABLE_SECONDS: '100000', HEALTH_RAISE_SECONDS: '80000' },
  });
  let pool: Pool;
  let database: Database;
  let node: SimulatedNode;
  let agent: ReturnType<typeof tellingAgent>;
  let firstId = 3_000_000;
  let url: string;

  beforeAll(async () => {
    ({ url, pool, database } = await startWithRows(region));
  });

  beforeEach(async () => {
    await region.sql('DELETE FROM deployments');
    [node] = (await insertInitialized(pool, 1, { firstId: (firstId += 1_000) })) as [SimulatedNode];
    agent = tellingAgent(url, node);
  });

  /** Looks as a replica does. @returns the events that it has emitted, by type */
  async function look(): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const events: { type: string; data: Record<string, unknown> }[] = [];
    const transactions = kyselyTransactions(database);
    const work = ((_, run) =>
      transactions(async (tx) =>
        run({
          ...tx,
          emit: (type: string, _about: unknown, data: object) => events.push({ type, data: { ...data } }),
        } as never),
      )) as UnitOfWork<Transaction>;
    await emitAlerts({ database, work, times, thresholds, metrics: new Registry() });
    return events;
  }
  const types = async () => (await look()).map(({ type }) => type);
  const cpu = (...readings: [minutes: number, percent: number][]) =>
    agent.tell({ samples: readings.map(([minutes, cpu_percent]) => aSample(minutes, { cpu_percent })) });

  test('are raised after five minutes and resolved after one, five points below, and nodes unreachable after two, unless the region says otherwise', () => {
    expect({ ...thresholds, ...times }).toEqual({
      ...{ cpu: 85, memory: 90, disk: 85, points: 5 },
      ...{ raise: 300, resolve: 60, unreachable: 120, fresh: 150 },
    });
  });

  test('of too much are raised once and resolved once, with two who look', async () => {
    await cpu([6, 90], [5, 85], [4, 99]);
    expect(await types()).toEqual([]);
    await cpu([3, 90], [2, 90], [0.9, 91]);
    const raised = (await Promise.all([look(), look()])).flat();
    expect(raised).toMatchObject([
      { type: 'high_cpu_usage', data: { percent: 91, threshold: 85, node: { id: node.id, name: 'node-1' } } },
    ]);
    expect(await types()).toEqual([]);
    // still too much for its end, and then well, but not for long enough
    await cpu([0.8, 82]);
    await cpu([0.7, 80], [0.6, 79]);
    expect(await types()).toEqual([]);
    await region.sql("UPDATE health_alerts SET within_since = within_since - interval '1 minute'");
    await cpu([0.5, 70]);
    expect((await Promise.all([look(), look()])).flat()).toMatchObject([
      { type: 'cpu_usage_resolved', data: { percent: 70 } },
    ]);
    expect([await types(), await region.sql('SELECT 1 FROM health_alerts')]).toEqual([[], []]);
  });

  test('of memory and disk have thresholds of their own', async () => {
    const sample = (minutes: number) =>
      aSample(minutes, { cpu_percent: 84, memory_percent: 90, disk_percent: 86 });
    await agent.tell({ samples: [6, 5, 4, 3, 2, 1, 0.5].map(sample) });
    expect((await types()).sort()).toEqual(['high_disk_usage', 'high_memory_usage']);
  });

  test.each([
    [
      'one sample in between was well',
      [
        [6, 90],
        [3, 84],
        [2, 90],
        [0.5, 90],
      ],
    ],
    [
      'nothing was told for some time in between',
      [
        [6, 90],
        [0.5, 90],
      ],
    ],
    [
      'it was long ago',
      [
        [30, 90],
        [27, 90],
        [24, 90],
        [22, 90],
      ],
    ],
  ] as [string, [number, number][]][])('are not raised where %s', async (_, readings) => {
    for (const reading of readings) await cpu(reading);
    expect(await types()).toEqual([]);
  });

  test('that have come to nothing are forgotten', async () => {
    await cpu([2, 90]);
    expect(await region.sql('SELECT 1 FROM health_alerts')).toHaveLength(1);
    await cpu([1, 10]);
    await look();
    expect(await region.sql('SELECT 1 FROM health_alerts')).toEqual([]);
  });

  const broker = (status: 'running' | 'starting' | 'failed' | 'stopped', ...minutes: number[]) =>
    agent.tell({ samples: minutes.map((at) => aSample(at, {}, { runtime: 'broker', status })) });

  test('of a broker that does not run are raised, and resolved as soon as it does', async () => {
    await broker('running', 4);
    await broker('failed', 3, 2);
    expect(await types()).toEqual([]);
    await broker('starting', 0.9);
    expect(await look()).toMatchObject([
      { type: 'node_unreachable', data: { runtime: 'broker', name: 'orders' } },
    ]);
    await broker('failed', 0.8);
    expect(await types()).toEqual([]);
    await broker('running', 0.7);
    expect(await look()).toMatchObject([{ type: 'node_reachable', data: { runtime: 'broker' } }]);
    // one that somebody has stopped is missed by nobody
    await broker('stopped', 0.6, 0.5);
    expect(await types()).toEqual([]);
  });

  test('of a connector say which it is; one that is deleted raises none', async () => {
    await region.sql(
      `INSERT INTO connector_instances (id, deployment_id, connector_type, connector_key, name, key, created_by, created_at)
       VALUES (7, $1, 'sink', 'http', 'to the shop', 'shop', '{}', now()), (8, $1, 'sink', 'http', 'b', 'b', '{}', now())`,
      [node.id],
    );
    const failing = (id: number) =>
      [3, 2, 0.9].map((minutes) =>
        aSample(minutes, {}, { runtime: 'connectors', status: 'failed', connector_instance_id: id as never }),
      );
    await agent.tell({ samples: [...failing(7), ...failing(8), ...failing(9)] });
    await region.sql('DELETE FROM connector_instances WHERE id = 8');
    expect(await look()).toMatchObject([
      {
        type: 'node_unreachable',
        data: {
          runtime: 'connectors',
          connector_instance_id: 7,
          connector_instance_name: 'to the shop',
          connector_key: 'http',
        },
      },
    ]);
    await region.sql('DELETE FROM connector_instances WHERE id = 7');
    expect(await types()).toEqual([]);
    expect(await region.sql('SELECT 1 FROM health_alerts')).toEqual([]);
  });

  test('of a silent agent follow what is known of it, and nothing else of its node is raised by that', async () => {
    await broker('running', 1);
    await region.sql(
      "UPDATE nodes SET unreachable_since = now(), last_heartbeat_at = now() - interval '2 minutes' WHERE id = $1",
      [node.id],
    );
    expect((await Promise.all([look(), look()])).flat()).toMatchObject([
      { type: 'node_unreachable', data: { runtime: 'agent', node: { id: node.id } } },
    ]);
    expect(await types()).toEqual([]);
    await region.sql('UPDATE nodes SET unreachable_since = NULL WHERE id = $1', [node.id]);
    expect(await types()).toEqual(['node_reachable']);
    expect(await types()).toEqual([]);
    // silent before it was ever ready, and back: that is nobody's alert later on
    await region.sql("UPDATE deployment_conditions SET status = 'False' WHERE type = 'Initialized'");
    await region.sql('UPDATE nodes SET unreachable_since = now() WHERE id = $1', [node.id]);
    expect(await types()).toEqual([]);
    await region.sql('UPDATE nodes SET unreachable_since = NULL WHERE id = $1', [node.id]);
    expect([await types(), await region.sql('SELECT 1 FROM health_alerts')]).toEqual([[], []]);
  });

  test('are none of deployments that are being deleted, are gone, or were never ready', async () => {
    await cpu([6, 90], [5, 90], [4, 90], [3, 90], [2, 90], [0.5, 90]);
    await region.sql(`UPDATE deployments SET deleted_by = created_by WHERE id = $1`, [node.id]);
    expect(await types()).toEqual([]);
    await region.sql('UPDATE deployments SET deleted_by = NULL WHERE id = $1', [node.id]);
    await region.sql(
      "UPDATE deployment_conditions SET status = 'False' WHERE deployment_id = $1 AND type = 'Initialized'",
      [node.id],
    );
    expect(await types()).toEqual([]);
    await region.sql('DELETE FROM deployments WHERE id = $1', [node.id]);
    expect([await types(), await region.sql('SELECT 1 FROM health_alerts')]).toEqual([[], []]);
  });

  const lags = async (pending: number) => {
    const body = {
      ...{ report: randomUUID(), at: new Date().toISOString() },
      ...{ complete: false, last: true, streams: [], streams_total: 0, consumers_total: 1 },
      consumers: [aReportedConsumer(pending)],
    };
    const headers = { authorization: `Bearer ${agentToken(node)}` };
    expect((await client(url).request('POST', '/agent/v1/streams', body, headers)).status).toBe(204);
  };
  const later = (column: 'beyond_since' | 'within_since' | 'reported_at', seconds: number) =>
    region.sql(
      `UPDATE consumer_alerts SET ${column} = ${column} - make_interval(secs => $2) WHERE deployment_id = $1`,
      [node.id, seconds],
    );

  test('of consumers that lag are raised and resolved once for each threshold, resolved at half of it', async () => {
    await lags(1_500);
    expect(await types()).toEqual([]);
    await later('beyond_since', 300);
    await lags(2_000);
    const raised = (await Promise.all([look(), look()])).flat();
    const about = { name: 'orders', stream: 'sales', consumer: 'billing' };
    expect(raised).toMatchObject([
      { type: 'consumer_lag_high', data: { ...about, pending: 2_000, threshold: 100 } },
      { type: 'consumer_lag_high', data: { ...about, pending: 2_000, threshold: 1_000 } },
    ]);
    expect(await types()).toEqual([]);
    // below the higher one, and not yet well below it
    await lags(600);
    await later('within_since', 60);
    expect(await types()).toEqual([]);
    await lags(500);
    expect(await types()).toEqual([]);
    await later('within_since', 60);
    expect((await Promise.all([look(), look()])).flat()).toMatchObject([
      { type: 'consumer_lag_high_resolved', data: { ...about, pending: 500, threshold: 1_000 } },
    ]);
    // the other one is resolved when the consumer is gone
    await region.sql('DELETE FROM broker_consumers WHERE deployment_id = $1', [node.id]);
    expect(await types()).toEqual([]);
    await later('within_since', 60);
    expect(await types()).toEqual(['consumer_lag_high_resolved']);
    expect(await region.sql('SELECT 1 FROM consumer_alerts')).toEqual([]);
  });

  test('of consumers begin anew after a lag that was low, or not reported for long', async () => {
    await lags(150);
    await later('beyond_since', 300);
    await lags(90);
    await lags(150);
    expect(await types()).toEqual([]);
    await later('beyond_since', 600);
    await later('reported_at', 500);
    // the node is silent
    expect(await types()).toEqual([]);
    await lags(150);
    expect(await types()).toEqual([]);
    await later('beyond_since', 300);
    expect(await types()).toEqual(['consumer_lag_high']);
  });

  test('are sent as events, with the settings of the region', async () => {
    await region.replica().stop();
    const replica = await region.start({ HEALTH_CPU_PERCENT: '50', HEALTH_RAISE_SECONDS: '1' });
    agent = tellingAgent(replica.url, node);
    await cpu([0.2, 60], [0.1, 60]);
    await eventually(async () => {
      expect(await messagesAbout(region, 'events', node.deploymentId)).toMatchObject([
        { type: 'high_cpu_usage', data: { percent: 60, threshold: 50 } },
      ]);
    });
    expect(await (await fetch(`${replica.url}/metrics`)).text()).toContain(
      'sluice_health_alerts{kind="cpu"} 1',
    );
  });
});

const aReportedConsumer = (pending: number) => ({
  ...{ stream: 'sales', name: 'billing', description: null, durable: true, delivery: 'pull' },
  ...{ filter_subjects: [], filter_subjects_total: 0, acknowledgement: 'explicit', ack_wait_seconds: 30 },
  ...{ max_deliver: null, max_ack_pending: 1_000, created_at: null, pending, ack_pending: 0, redelivered: 0 },
  ...{ waiting: 0, delivered_sequence: 0, delivered_at: null, ack_floor_sequence: 0, acknowledged_at: null },
  ...{ paused: false, paused_until: null },
});

test('a batch says how its samples end, in whichever order they are', () => {
  const samples = [
    aSample(1, { cpu_percent: 90 }),
    aSample(3, { cpu_percent: 10 }),
    aSample(2, { cpu_percent: 90 }),
    aSample(2, { disk_percent: 80 }),
  ];
  const batch = {
    nodeId: idOf<NodeId>(1),
    key: '',
    spool: '',
    number: 1,
    lines: [],
    samples: samples as never,
  };
  expect(observationsOf([batch], thresholds)).toMatchObject([
    {
      kind: 'cpu',
      beyond_from: samples[2]!.at,
      beyond_anew: true,
      within_from: null,
      last_at: samples[0]!.at,
      value: 90,
    },
    { kind: 'disk', beyond_from: null, within_from: samples[3]!.at, within_anew: false },
  ]);
});
