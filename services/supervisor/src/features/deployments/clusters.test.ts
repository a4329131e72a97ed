import type { DeploymentSpec, NodeId } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { call } from '#test/client.ts';
import { aCluster } from '#test/clusters.ts';
import { supervisor } from '#test/region.ts';
import type { WantedNode } from '@sluice/drivers';
import type { createDrivers } from '../../drivers.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';

const region = supervisor();
let url: string;
let key: string;
let shape: DeploymentSpec;
/** what the driver was told last that a node should be */
const wanted = new Map<NodeId, WantedNode>();

const drivers: typeof createDrivers = async (...options) => {
  const simulated = await simulatedDrivers({})(...options);
  const { compute } = simulated;
  const observe: typeof compute.observe = async (node, call) => {
    wanted.set(node.id, await node.wanted());
    return await compute.observe(node, call);
  };
  const backupSupport = () => Promise.resolve(() => true);
  return { ...simulated, compute: { ...compute, observe }, backupSupport };
};

beforeAll(async () => {
  ({ url } = await region.startWith({ drivers }));
  key = await region.key();
});
beforeEach(async () => {
  shape = aCluster(3, {
    storage: { type: 'network_balanced', size: 10 },
    limits: { access_rules: 10, backups: 3, backup_days: 30 },
  });
  await region.apply(shape);
  await eventually(async () =>
    expect(await region.sql('SELECT FROM nodes WHERE deployment_id = $1', [shape.id])).toHaveLength(3),
  );
});

const post = (path: string, body: object = {}) =>
  call(`${url}/deployments/${shape.id}/${path}`, key, { method: 'POST', body });

test('a cluster is backed up as a whole', async () => {
  const one = await post('backups', { name: 'one', node_id: shape.nodes[0]?.id });
  expect(one).toMatchObject({
    status: 400,
    body: { field_issues: [{ path: '/body/node_id', code: 'not_allowed' }] },
  });
});

test('an activity is for the nodes that are named alone, and for all where none is', async () => {
  await region.sql(
    `UPDATE reconciliations SET leased_until = now() + interval '1 min', leased_by = 'nobody', fence = fence + 1
     WHERE deployment_id = $1`,
    [shape.id],
  );
  await region.sql("UPDATE deployments SET status = 'initialized' WHERE id = $1", [shape.id]);
  const nodesOf = async (body: object) =>
    ((await post('activities/broker/restart', body)).body as { node_id: NodeId }[]).map(
      ({ node_id }) => node_id,
    );
  expect(await nodesOf({ nodes: [shape.nodes[1]!.id] })).toEqual([shape.nodes[1]!.id]);
  expect(await nodesOf({})).toEqual(shape.nodes.map(({ id }) => id));
});

test('a cluster that has been extended does not go back to fewer nodes', async () => {
  const copies = shape.nodes
    .slice(0, 2)
    .map(({ id }) => ({ node_id: id, volume_id: 'v', snapshot_id: `s-${id}` }));
  const [backup] = await region.sql<{ id: number }>(
    `INSERT INTO backups (deployment_id, name, backup_type, status, copies, created_by, completed_at)
     VALUES ($1, 'smaller', 'manual', 'completed', $2, '{}', now()) RETURNING id`,
    [shape.id, JSON.stringify(copies)],
  );
  const answer = await post(`backups/${backup!.id}/restore`);
  expect(answer).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  expect(JSON.stringify(answer.body)).toContain('other nodes than the backup');
});

test('of nodes whose data is lost one at a time may start empty, and the next once that one is well', async () => {
  const [first, second] = shape.nodes;
  await region.sql('UPDATE nodes SET deployed_at = now() WHERE deployment_id = $1', [shape.id]);
  await region.sql('UPDATE nodes SET data_lost_at = now() WHERE id = ANY($1)', [[first!.id, second!.id]]);
  expect((await post(`nodes/${first!.id}/accept_data_loss`)).status).toBe(202);
  const early = await post(`nodes/${second!.id}/accept_data_loss`);
  expect(early).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  expect(JSON.stringify(early.body)).toContain('node-1 has to get its copies');
  await region.sql(`UPDATE nodes SET cluster = '{"healthy": true}' WHERE id = $1`, [first!.id]);
  expect((await post(`nodes/${second!.id}/accept_data_loss`)).status).toBe(202);
});

test('a node whose broker runs may be restarted in its turn, and any other at once', async () => {
  const mayRestart = () => shape.nodes.map(({ id }) => wanted.get(id)?.mayRestart);
  await eventually(() => expect(mayRestart()).toEqual([true, true, true]));
  const [first, second, third] = shape.nodes;
  const run = `UPDATE nodes SET runtimes = '[{"runtime": "broker", "status": "running", "version": null, "reason": null}]'`;
  await region.sql(`${run} WHERE deployment_id = $1`, [shape.id]);
  await eventually(() => expect(mayRestart()).toEqual([false, false, false]));
  const turn = 'UPDATE deployment_clusters SET turn_node_id = $2 WHERE deployment_id = $1';
  await region.sql(turn, [shape.id, second!.id]);
  await region.sql('UPDATE nodes SET broker_stopped = true WHERE id = $1', [third!.id]);
  await eventually(() => expect(mayRestart()).toEqual([false, true, true]));
  expect(wanted.get(first!.id)).toMatchObject({ isCluster: true });
});
