import { insertInitialized } from '@sluice/testing';
import type { Pool } from 'pg';
import { supervisor } from '#test/region.ts';
import { startWithRows } from '#test/rows.ts';
import { aSample, tellingAgent } from '#test/telemetry.ts';
import type { Database } from '@sluice/region-store/tables';
import { regionExposition } from './region-exposition.ts';

/** The metrics of all nodes, as the operator of the region scrapes them. */

const region = supervisor();
let url: string;
let pool: Pool;
let database: Database;
let firstId = 2_000_000;

beforeAll(async () => {
  ({ url, pool, database } = await startWithRows(region));
});
beforeEach(async () => {
  await region.sql('DELETE FROM deployments');
  firstId += 10_000;
});

async function deployed(count: number) {
  const nodes = await insertInitialized(pool, count, { firstId });
  await region.sql('UPDATE nodes SET deployed_at = now()');
  return nodes;
}

async function textNow(): Promise<string> {
  let text = '';
  for await (const part of await regionExposition({ database, freshSeconds: 60 })()) text += part;
  return text;
}
const seriesOf = (text: string, metric: string) =>
  text.split('\n').filter((line) => line.startsWith(`${metric}{`));
const labels = (id: number) => `tenant="${1 + (id % 100)}",deployment="${id}",node="node-1"`;

test('each node has its newest measurements, with its tenant, deployment and name', async () => {
  const [one, other] = await deployed(2);
  if (!one || !other) throw new Error('there are two');
  await tellingAgent(url, one).tell({
    samples: [
      aSample(0.5, { disk_percent: 40, cpu_percent: 1 }),
      aSample(0.1, { disk_percent: 91.5, cpu_percent: 2 }),
      aSample(0.1, { cpu_percent: 3, slow_consumers_total: 7 }, { runtime: 'broker', status: 'running' }),
    ],
  });
  // too old, and not for the operator: names of an agent's own, and connectors
  await tellingAgent(url, other).tell({
    samples: [
      aSample(3, { disk_percent: 99 }),
      aSample(0.1, { made_up_total: 1 }),
      aSample(0.1, { errors_total: 1 }, { runtime: 'connectors', connector_instance_id: 7 } as object),
    ],
  });
  const text = await textNow();
  expect(seriesOf(text, 'sluice_disk_percent')).toEqual([
    `sluice_disk_percent{${labels(one.id)},runtime="node"} 91.5`,
  ]);
  expect(seriesOf(text, 'sluice_cpu_percent')).toEqual([
    `sluice_cpu_percent{${labels(one.id)},runtime="node"} 2`,
    `sluice_cpu_percent{${labels(one.id)},runtime="broker"} 3`,
  ]);
  expect(seriesOf(text, 'sluice_slow_consumers_total')).toEqual([
    `sluice_slow_consumers_total{${labels(one.id)},runtime="broker"} 7`,
  ]);
  expect(text).not.toMatch(/made_up|errors_total/);
  expect(seriesOf(text, 'sluice_node_up')).toEqual(
    [one, other].map(({ id }) => `sluice_node_up{${labels(id)}} 1`),
  );
  expect(text).toContain('# TYPE sluice_slow_consumers_total counter\n');
  expect(text).toContain('# TYPE sluice_disk_percent gauge\n');
});

test('a broker is up while it runs and its agent is heard, and one that is stopped on purpose is not asked about', async () => {
  const nodes = await deployed(5);
  const [failed = 0, silent = 0, stopped = 0, closed = 0, well = 0] = nodes.map(({ id }) => id);
  const set = (id: number, change: string) => region.sql(`UPDATE nodes SET ${change} WHERE id = $1`, [id]);
  await set(
    failed,
    `runtimes = '[{"runtime": "broker", "status": "failed", "version": null, "reason": "x"}]'`,
  );
  await set(silent, 'unreachable_since = now()');
  await set(stopped, 'broker_stopped = true');
  await region.sql(`UPDATE deployments SET status = 'stopped' WHERE id = $1`, [closed]);
  const text = await textNow();
  expect(seriesOf(text, 'sluice_broker_up')).toEqual([
    `sluice_broker_up{${labels(failed)}} 0`,
    `sluice_broker_up{${labels(silent)}} 0`,
    `sluice_broker_up{${labels(well)}} 1`,
  ]);
  expect(seriesOf(text, 'sluice_node_up')).toContain(`sluice_node_up{${labels(silent)}} 0`);
});

test('names are escaped, and say what a node is', async () => {
  const [node] = await deployed(1);
  await region.sql(`UPDATE nodes SET agent_version = E'1"\\\\\\n2' WHERE id = $1`, [node?.id]);
  const [info] = seriesOf(await textNow(), 'sluice_node_info');
  expect(info).toMatch(
    /,name="[a-z0-9-]+",tier="\w+",agent_version="1\\"\\\\\\n2",broker_version="2\.11\.0"\} 1$/,
  );
});

test('a region of many nodes is read page by page, and each family stands together', async () => {
  await deployed(1_201);
  const text = await textNow();
  expect(new Set(seriesOf(text, 'sluice_node_up')).size).toBe(1_201);
  expect(text).toContain('sluice_node_metrics_omitted 0\n');
  const names = text.split('\n').flatMap((line) => /^(sluice_\w+)/.exec(line)?.[1] ?? []);
  expect(names.filter((name, at) => name !== names[at - 1])).toEqual([...new Set(names)]);
}, 30_000);

test('the supervisor serves them beside its own metrics, read once for all who ask at once', async () => {
  const [node] = await deployed(1);
  const ask = () => fetch(`${url}/metrics?scope=nodes`);
  const answers = await Promise.all([ask(), ask()]);
  for (const answer of answers) {
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(seriesOf(await answer.text(), 'sluice_node_up')).toEqual([
      `sluice_node_up{${labels(node?.id ?? 0)}} 1`,
    ]);
  }
  await region.sql('DELETE FROM deployments');
  expect(await (await ask()).text()).toContain('sluice_node_up{');
  expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('sluice_node_up');
  for (const query of ['scope=toString', 'scope=nodes&scope=nodes'])
    expect((await fetch(`${url}/metrics?${query}`)).status).toBe(400);
});
