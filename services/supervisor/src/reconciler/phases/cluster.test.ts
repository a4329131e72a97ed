import { idOf, type NodeId } from '@sluice/contracts';
import { nextStep } from '../next-step.ts';
import type { Observed, ObservedCluster, ObservedNode, Step } from './phase.ts';
import { deployingNodes } from './node-phases.ts';

const well = { awaits_restart: false, leader: false, healthy: true, behind: [], alone: 0 };
const nodeOf = (number: number): ObservedNode => ({
  ...{
    id: idOf<NodeId>(number),
    name: `node-${number}`,
    deployed: true,
    dataLost: false,
    presence: 'running',
  },
  ...{ enrolled: true, stopped: false, appliedRevision: 7, upgradeId: null },
  broker: { runtime: 'broker', status: 'running', version: '2.10', reason: null },
  applied: { revision: 7, capacity: null },
  cluster: { ...well, port: 4_000 + number, leader: number === 1 },
});
const [one, two, three] = [nodeOf(1), nodeOf(2), nodeOf(3)];
const routes = [1, 2, 3].map((number) => ({ node_id: idOf<NodeId>(number), port: 4_000 + number }));
const quiet: ObservedCluster = { prepared: true, routes, turn: null, askedRevision: null };
const turnOf = (number: number, askedRevision: number | null = null): ObservedCluster => ({
  ...quiet,
  ...{ turn: idOf<NodeId>(number), askedRevision },
});
const says = (node: ObservedNode, more: Partial<NonNullable<ObservedNode['cluster']>>): ObservedNode => ({
  ...node,
  cluster: { ...well, port: null, ...node.cluster, ...more },
});
const waits = (node: ObservedNode) => says(node, { awaits_restart: true });
const gone = (node: ObservedNode): ObservedNode => ({ ...node, presence: 'none', broker: undefined });

function observe(nodes: readonly ObservedNode[], cluster = quiet, more: Partial<Observed> = {}): Observed {
  return {
    ...{ status: 'initialized', secondsInStatus: 1, deadlineSeconds: 300, deleting: false, lastError: null },
    ...{ conditions: new Set<string>(), revision: 7, restSeconds: 300, nodes, cluster, resources: {} },
    ...more,
  };
}
const step = (...seen: Parameters<typeof observe>): Step => nextStep(observe(...seen), []);
const rest: Step = { do: 'wait', seconds: 300 };

describe('where the nodes are', () => {
  const unknown = { ...quiet, routes: [] };

  test('is told once all ports are known, and again when one changes', () => {
    expect(step([one, two, says(three, { port: null })], unknown)).toEqual(rest);
    expect(step([one, two, three], unknown)).toEqual({ do: 'publish_routes', routes });
    expect(step([one, two, three])).toEqual(rest);
    const moved = [...routes.slice(0, 2), { node_id: three.id, port: 5_000 }];
    expect(step([one, two, says(three, { port: 5_000 })])).toEqual({ do: 'publish_routes', routes: moved });
  });

  test('stays where a node says nothing, and grows with another node', () => {
    expect(step([one, two, { ...three, cluster: null }])).toEqual(rest);
    expect(step([one, two, three, nodeOf(4)])).toMatchObject({ do: 'publish_routes', routes: { length: 4 } });
  });

  test('is told with what they trust each other by', () => {
    expect(step([one, two, three], { ...quiet, prepared: false })).toEqual({ do: 'prepare_cluster' });
  });
});

describe('a restart', () => {
  const grant = (number: number): Step => ({ do: 'grant_turn', node: idOf<NodeId>(number) });

  test('is for one node at a time, and for the one that leads at last', () => {
    expect(step([waits(one), waits(two), waits(three)])).toEqual(grant(2));
    expect(step([waits(one), two, waits(three)])).toEqual(grant(3));
    expect(step([waits(one), two, three])).toEqual(grant(1));
    expect(step([waits(one), two, waits(three)], turnOf(3))).toEqual(rest);
  });

  test('of a node with its agent takes a turn, which lasts until it has been restarted', () => {
    const outdated = (node: ObservedNode): ObservedNode => ({ ...node, awaitsRestart: true });
    expect(step([outdated(one), outdated(two), outdated(three)])).toEqual(grant(2));
    // who may is brought to what it should be, and is not done while it is what it was
    const changing = { ...outdated(two), drifted: true };
    expect(step([outdated(one), changing, outdated(three)], turnOf(2))).toEqual({ do: 'ensure_nodes' });
    expect(step([outdated(one), outdated(two), outdated(three)], turnOf(2))).toEqual(rest);
    expect(step([outdated(one), { ...two, presence: 'stopped' }, outdated(three)], turnOf(2)).do).not.toBe(
      'grant_turn',
    );
    expect(step([outdated(one), two, outdated(three)], turnOf(2))).toEqual({ do: 'ask_nodes', node: two.id });
    expect(step([outdated(one), two, outdated(three)])).toEqual(grant(3));
  });

  test.each<[string, ObservedNode[]]>([
    ['a node is away', [waits(one), two, { ...three, presence: 'stopped' as const }]],
    [
      'a broker does not run',
      [waits(one), two, { ...three, broker: { ...three.broker!, status: 'starting' } }],
    ],
    ['a copy is not there yet', [waits(one), two, says(three, { healthy: false })]],
    ['a leader knows of a late copy', [says(waits(one), { behind: ['node-3'] }), two, three]],
    ['nobody leads', [says(waits(one), { leader: false }), two, three]],
    [
      'one was heard of before the last change',
      [waits(one), two, { ...three, applied: { revision: 6, capacity: null } }],
    ],
    [
      'somebody has stopped one',
      [waits(one), two, { ...three, stopped: true, broker: { ...three.broker!, status: 'stopped' } }],
    ],
  ])('waits while %s', (_what, nodes) => {
    expect(step(nodes).do).not.toBe('grant_turn');
  });

  test('ends when the node is back and all have said anew that they have everything', () => {
    expect(step([one, waits(two), three], turnOf(2))).toEqual(rest);
    expect(step([one, two, three], turnOf(2))).toEqual({ do: 'ask_nodes', node: two.id });
    expect(step([says(one, { behind: ['node-2'] }), two, three], turnOf(2, 7))).toEqual(rest);
    expect(step([one, two, three], turnOf(2, 7))).toEqual({ do: 'end_turn' });
  });

  test('of a node that somebody stops meanwhile, or that is gone, holds up nobody', () => {
    expect(step([one, { ...two, stopped: true }, three], turnOf(2))).toEqual({ do: 'end_turn' });
    expect(step([one, two, three], turnOf(9))).toEqual({ do: 'end_turn' });
  });
});

describe('a node whose data is gone', () => {
  const others = [says(one, { behind: ['node-3'] }), two];

  test('starts empty where the others have all of it', () => {
    expect(step([...others, gone(three)])).toEqual({ do: 'rebuild_nodes', nodes: [three.id] });
    const removed: ObservedNode = { ...three, dataGone: true };
    expect(step([...others, removed], turnOf(3))).toEqual({ do: 'rebuild_nodes', nodes: [three.id] });
  });

  test.each<[string, ObservedNode[]]>([
    ['has a late copy of its own', [says(one, { healthy: false }), two]],
    ['knows of another late copy', [says(one, { behind: ['node-2', 'node-3'] }), two]],
    ['gets its own data from the others', [one, { ...two, deployed: false }]],
    ['is to become the leader', [says(one, { leader: false }), two]],
  ])('waits while one of the others %s', (_what, nodes) => {
    expect(step([...nodes, gone(three)])).toEqual({ do: 'wait', seconds: 5 });
  });

  test.each<[string, ObservedNode[]]>([
    ['there is no majority without it', [one, gone(two), gone(three)]],
    ['it had what nobody else has', [...others, says(gone(three), { alone: 1 })]],
    ['it has never said what it has', [...others, { ...gone(three), cluster: null }]],
  ])('is lost where %s', (_what, nodes) => {
    expect(step(nodes)).toMatchObject({ do: 'lose_data' });
  });

  test('is lost of what is no cluster', () => {
    const alone = observe([...others, gone(three)]);
    delete alone.cluster;
    expect(nextStep(alone, [])).toMatchObject({ do: 'lose_data' });
  });

  test('counts as having it only with all copies', () => {
    const empty = { ...three, deployed: false };
    expect(step([one, two, says(empty, { healthy: false })])).toEqual(rest);
    expect(step([one, two, empty])).toEqual({ do: 'record_data', nodes: [three.id] });
  });
});

test('a cluster comes up with a leader and all copies', () => {
  const lacks = (nodes: ObservedNode[], cluster = quiet) => deployingNodes.lacks(observe(nodes, cluster));
  expect(lacks([one, two, three])).toBeNull();
  expect(lacks([says(one, { leader: false }), two, three])).toBe('the cluster has no leader');
  expect(lacks([one, two, three], turnOf(2))).toBe('node node-2: it is being restarted');
  expect(lacks([one, waits(two), three])).toBe('node node-2: it waits for its turn to restart');
});

describe('a change of shape', () => {
  const upgrade = { upgrade_id: 'f3c2e8d4-0000-4000-8000-000000000001', resources: {} };
  const taken = (node: ObservedNode): ObservedNode => ({
    ...node,
    upgradeId: upgrade.upgrade_id,
    applied: {
      revision: 7,
      capacity: { connections: null, memory_store: null, file_store: null, rate_limit: null },
    },
  });
  const upgrading = (nodes: ObservedNode[], cluster = quiet) =>
    step(nodes, cluster, { status: 'upgrading', upgrade });
  const reshape = (number: number): Step => ({
    ...{ do: 'reshape_node', node: idOf<NodeId>(number), upgradeId: upgrade.upgrade_id },
  });
  const soon: Step = { do: 'wait', seconds: 5 };

  test('goes from node to node, each time with all copies, and takes the leader last', () => {
    expect(upgrading([one, two, three])).toEqual(reshape(2));
    expect(upgrading([one, taken(two), three], turnOf(2))).toEqual({ do: 'ask_nodes', node: two.id });
    expect(upgrading([says(one, { behind: ['node-2'] }), taken(two), three], turnOf(2, 7))).toEqual(soon);
    expect(upgrading([says(one, { behind: ['node-2'] }), taken(two), three])).toEqual(soon);
    expect(upgrading([one, taken(two), three])).toEqual(reshape(3));
    expect(upgrading([one, taken(two), taken(three)])).toEqual(reshape(1));
    expect(upgrading([one, two, three].map(taken))).toEqual({ do: 'end_upgrade' });
  });

  test('takes a node back that has failed in it, before any other', () => {
    const failed = { ...taken(three), broker: { ...three.broker!, status: 'failed' as const } };
    expect(step([one, taken(two), failed], turnOf(3), { status: 'rolling_back', upgrade })).toEqual({
      ...{ do: 'reshape_node', node: three.id, upgradeId: null },
    });
  });

  test('that adds nodes is done when all of them have all copies', () => {
    const extending = (nodes: ObservedNode[]) =>
      step(
        nodes,
        { ...quiet, routes: [...routes, { node_id: idOf<NodeId>(4), port: 4_004 }] },
        { status: 'extending' },
      );
    const four = { ...nodeOf(4), deployed: false };
    expect(extending([one, two, three, { ...four, presence: 'none' }])).toEqual({ do: 'ensure_nodes' });
    expect(extending([one, two, three, says(four, { healthy: false })])).toEqual(soon);
    expect(extending([one, two, three, four])).toEqual({ do: 'end_upgrade' });
  });
});
