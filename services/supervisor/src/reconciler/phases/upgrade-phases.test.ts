import { idOf, type BrokerCapacity, type DeploymentStatus, type NodeId } from '@sluice/contracts';
import { nextStep } from '../next-step.ts';
import type { Observed, ObservedNode, Step } from './phase.ts';

const small = { connections: 100, memory_store: 1_000, file_store: 10_000, rate_limit: 50 };
const large = { connections: 900, memory_store: 9_000, file_store: 90_000, rate_limit: null };
const upgrade = {
  upgrade_id: 'f3c2e8d4-0000-4000-8000-000000000001',
  resources: { broker_connections: 900, broker_memory: 9_000, broker_disk: 90_000, broker_rate: null },
};
const up: ObservedNode = {
  id: idOf<NodeId>(1),
  name: 'node-1',
  deployed: true,
  dataLost: false,
  presence: 'running',
  enrolled: true,
  stopped: false,
  broker: { runtime: 'broker', status: 'running', version: '2.10', reason: null },
  appliedRevision: 7,
  upgradeId: null,
  applied: { revision: 7, capacity: { ...small } },
  cluster: null,
};
const second: ObservedNode = { ...up, id: idOf<NodeId>(2), name: 'node-2' };
const has = (capacity: BrokerCapacity | null, revision = 7) => ({ applied: { revision, capacity } });
const taken = { upgradeId: upgrade.upgrade_id, ...has(large) };
const failed = { broker: { ...up.broker!, status: 'failed' as const, reason: 'no room' } };

function step(status: DeploymentStatus, nodes: readonly ObservedNode[], more: Partial<Observed> = {}): Step {
  const observed = {
    ...{ status, secondsInStatus: 1, deadlineSeconds: 300, deleting: false, lastError: null },
    ...{ conditions: new Set<string>(), revision: 7, restSeconds: 300, upgrade, nodes },
    // of two nodes, which share the rate
    resources: {
      broker_connections: 100,
      broker_memory: 1_000,
      broker_disk: 10_000,
      broker_rate: 50 * nodes.length,
    },
  };
  return nextStep({ ...observed, ...more }, []);
}
const give = (node: number, upgradeId: string | null): Step => ({
  do: 'reshape_node',
  node: idOf<NodeId>(node),
  upgradeId,
});
const soon: Step = { do: 'wait', seconds: 5 };
const id = upgrade.upgrade_id;

test('an upgrade that waits begins once the deployment runs, unless it is to be deleted', () => {
  expect(step('initialized', [up])).toEqual({ do: 'begin_upgrade' });
  expect(step('initialized', [up], { deleting: true })).toEqual({ do: 'enter', status: 'deleting' });
});

test.each<[string, ObservedNode[], Step]>([
  ['no node has been told', [up, second], give(1, id)],
  ['the first is about to restart', [{ ...up, ...taken, ...has(null) }, second], soon],
  ['the first has not heard of it', [{ ...up, ...taken, ...has(large, 6) }, second], soon],
  ['the first has something else', [{ ...up, ...taken, ...has(small) }, second], soon],
  ['the first does not say what it has', [{ ...up, ...taken, applied: null }, second], soon],
  ['the first is there', [{ ...up, ...taken }, second], give(2, id)],
  ['both are there', [up, second].map((node) => ({ ...node, ...taken })), { do: 'end_upgrade' }],
  ['an agent has gone', [{ ...up, ...taken, presence: 'stopped' }, second], { do: 'ensure_nodes' }],
  [
    'one refuses',
    [
      { ...up, ...taken },
      { ...second, ...taken, ...failed },
    ],
    { do: 'roll_back', reason: 'node node-2: no room' },
  ],
  ['one had failed before it heard of it', [{ ...up, ...taken, ...failed, ...has(null, 6) }, second], soon],
])('an upgrade in which %s', (_what, nodes, expected) => {
  expect(step('upgrading', nodes)).toEqual(expected);
});

test('an upgrade that does not get on goes back', () => {
  expect(step('upgrading', [{ ...up, ...taken, applied: null }], { secondsInStatus: 300 })).toEqual({
    do: 'roll_back',
    reason: expect.stringMatching(/^upgrading did not finish within 300 s: node node-1: its agent/) as string,
  });
});

test.each<[string, ObservedNode[], Step]>([
  ['one has the new shape', [up, { ...second, ...taken }], give(2, null)],
  ['one fails in it', [{ ...up, ...taken, ...failed }, second], give(1, null)],
  ['one is on its way', [{ ...up, ...has(large, 6) }, second], soon],
  ['all are as before', [up, second], { do: 'end_upgrade' }],
])('a way back on which %s', (_what, nodes, expected) => {
  expect(step('rolling_back', nodes)).toEqual(expected);
});

test('a way back that does not get on makes the deployment failed', () => {
  expect(step('rolling_back', [{ ...up, ...failed }], { secondsInStatus: 300 })).toMatchObject({
    do: 'fail',
  });
});
