import { deploymentStatuses, idOf, type DeploymentStatus, type NodeId } from '@sluice/contracts';
import { dependsOnNodes, nextStep, phaseOf } from './next-step.ts';
import type { Observed, ObservedNode, Step } from './phases/phase.ts';
import { provisioningPhases as phases } from './phases/registry.ts';

const upNode: ObservedNode = {
  id: idOf<NodeId>(1),
  deployed: true,
  dataLost: false,
  name: 'node-1',
  presence: 'running',
  enrolled: true,
  stopped: false,
  broker: { runtime: 'broker', status: 'running', version: '2.10', reason: null },
  appliedRevision: 7,
  upgradeId: null,
  applied: null,
  cluster: null,
};

const conditions = ['SubnetAssigned', 'NetworkSecured', 'DnsConfigured'];

/** A deployment in which nothing is missing. */
function observed(status: DeploymentStatus, more: Partial<Observed> = {}): Observed {
  return {
    status,
    secondsInStatus: 1,
    deadlineSeconds: 300,
    deleting: false,
    lastError: null,
    conditions: new Set(conditions),
    resources: {},
    certificate: { issued: true, dueInSeconds: 9_000, lastError: null },
    revision: 7,
    restSeconds: 300,
    nodes: [upNode],
    ...more,
  };
}

const withNode = (more: Partial<ObservedNode>): Partial<Observed> => ({ nodes: [{ ...upNode, ...more }] });
const without = (condition: string): Partial<Observed> => ({
  conditions: new Set(conditions.filter((type) => type !== condition)),
});
const due: Partial<Observed> = { certificate: { issued: true, dueInSeconds: 0, lastError: null } };
const uncertified = (dueInSeconds: number): Partial<Observed> => ({
  certificate: { issued: false, dueInSeconds, lastError: 'away' },
});
const wait = (seconds: number): Step => ({ do: 'wait', seconds });
const [soon, healthy] = [wait(5), wait(300)];
const runs = (status: DeploymentStatus) => ({ do: 'run_phase', phase: phaseOf(status, phases) }) as Step;
const stopped = { ...upNode.broker!, status: 'stopped' as const };
const starting = { ...upNode.broker!, status: 'starting' as const };

describe('the next step', () => {
  test.each<[DeploymentStatus, DeploymentStatus]>([
    ['creating', 'creating_subnet'],
    ['creating_subnet', 'securing_network'],
    ['securing_network', 'configuring_dns'],
    ['configuring_dns', 'configuring_certificates'],
    ['configuring_certificates', 'waiting_for_nodes'],
    ['waiting_for_nodes', 'deploying_nodes'],
    ['deploying_nodes', 'initialized'],
  ])('from %s, once nothing is missing, leads to %s', (status, next) => {
    expect(nextStep(observed(status), phases)).toEqual({ do: 'enter', status: next });
  });

  test('leaves out the statuses that no driver of the installation has', () => {
    const computeOnly = phases.slice(4);
    expect(nextStep(observed('creating'), computeOnly)).toEqual({ do: 'enter', status: 'waiting_for_nodes' });
    expect(nextStep(observed('creating'), [])).toEqual({ do: 'enter', status: 'initialized' });
  });

  test.each<[DeploymentStatus, Partial<Observed>, Step]>([
    ['creating_subnet', without('SubnetAssigned'), runs('creating_subnet')],
    ['securing_network', without('NetworkSecured'), runs('securing_network')],
    ['configuring_dns', without('DnsConfigured'), runs('configuring_dns')],
    [
      'waiting_for_nodes',
      withNode({ presence: 'none', enrolled: false, deployed: false }),
      { do: 'ensure_nodes' },
    ],
    ['configuring_certificates', uncertified(0), { do: 'obtain_certificate' }],
    ['configuring_certificates', uncertified(7), wait(7)],
    ['failed', uncertified(7), wait(7)],
    ['waiting_for_nodes', uncertified(0), { do: 'obtain_certificate' }],
    ['deploying_nodes', uncertified(0), { do: 'obtain_certificate' }],
    ['deploying_nodes', { ...uncertified(7), ...withNode({ broker: undefined }) }, soon],
    ['waiting_for_nodes', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['waiting_for_nodes', withNode({ enrolled: false }), soon],
    ['deploying_nodes', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['deploying_nodes', withNode({ broker: undefined }), soon],
    ['deploying_nodes', withNode({ broker: starting }), soon],
    ['deploying_nodes', withNode({ appliedRevision: 6 }), soon],
    ['deploying_nodes', { nodes: [upNode, { ...upNode, appliedRevision: 0 }] }, soon],
    ['initialized', {}, healthy],
    ['initialized', due, { do: 'obtain_certificate' }],
    ['failed', due, { do: 'obtain_certificate' }],
    ['deploying_nodes', due, { do: 'enter', status: 'initialized' }],
    ['initialized', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['initialized', withNode({ presence: 'none', deployed: false }), { do: 'ensure_nodes' }],
    ['initialized', withNode({ deployed: false }), { do: 'record_data', nodes: [idOf<NodeId>(1)] }],
    ['initialized', withNode({ presence: 'none' }), { do: 'lose_data', nodes: [idOf<NodeId>(1)] }],
    ['failed', withNode({ presence: 'none', dataLost: true }), wait(30)],
    [
      'failed',
      withNode({ presence: 'stopped', dataLost: true }),
      { do: 'find_data', nodes: [idOf<NodeId>(1)] },
    ],
    ['initialized', withNode({ broker: starting }), healthy],
    ['initialized', withNode({ stopped: true }), healthy],
    ['initialized', withNode({ broker: stopped }), healthy],
    ['initialized', { nodes: [upNode, { ...upNode, stopped: true, broker: stopped }] }, healthy],
    ['initialized', withNode({ stopped: true, broker: stopped }), { do: 'enter', status: 'stopped' }],
    ['stopped', withNode({ stopped: true, broker: stopped }), healthy],
    ['stopped', withNode({ broker: starting }), healthy],
    ['stopped', {}, { do: 'enter', status: 'initialized' }],
    ['stopped', withNode({ presence: 'stopped', stopped: true }), { do: 'ensure_nodes' }],
    ['failed', withNode({ stopped: true, broker: stopped }), { do: 'enter', status: 'initialized' }],
    ['failed', without('NetworkSecured'), runs('securing_network')],
    ['failed', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['failed', withNode({ enrolled: false }), wait(30)],
    ['failed', withNode({ broker: starting }), wait(30)],
    ['failed', {}, { do: 'enter', status: 'initialized' }],
  ])('in %s with %j is %j', (status, more, step) => {
    expect(nextStep(observed(status, more), phases)).toEqual(step);
  });

  test('tells once that a deletion takes too long, before it asks for the nodes, and goes on', () => {
    const late = { deleting: true, secondsInStatus: 300, lastError: 'the cloud is away' };
    const reason = 'deleting did not finish within 300 s: the cloud is away';
    expect(nextStep(observed('deleting', { ...late, nodes: [] }), phases)).toEqual({
      do: 'report_overdue',
      reason,
    });
    expect(dependsOnNodes(observed('deleting', late), phases)).toBe(false);
    const told = observed('deleting', { ...late, conditions: new Set(['DeletionOverdue']) });
    expect(dependsOnNodes(told, phases)).toBe(true);
    expect(nextStep(told, phases)).toEqual({ do: 'remove_nodes' });
  });

  test('leaves a status that it does not know to a newer release, soon', () => {
    expect(nextStep(observed('polishing' as DeploymentStatus), phases)).toEqual(wait(1));
  });

  test('looks again no later than at the deadline', () => {
    const late = { ...withNode({ enrolled: false }), secondsInStatus: 299.5 };
    expect(nextStep(observed('waiting_for_nodes', late), phases)).toEqual({ do: 'wait', seconds: 0.5 });
  });

  test.each<[DeploymentStatus, Partial<Observed>, string]>([
    [
      'creating_subnet',
      { ...without('SubnetAssigned'), lastError: 'none is left' },
      'no subnet (none is left)',
    ],
    ['securing_network', without('NetworkSecured'), 'the network is not secured'],
    ['configuring_dns', without('DnsConfigured'), 'the domain is not configured'],
    ['configuring_certificates', uncertified(7), 'the deployment has no certificate (away)'],
    ['waiting_for_nodes', withNode({ enrolled: false }), 'node node-1: its agent has not enrolled'],
    [
      'waiting_for_nodes',
      withNode({ enrolled: false, reason: 'it gets no answer' }),
      'node node-1: its agent has not enrolled: it gets no answer',
    ],
    ['waiting_for_nodes', withNode({ presence: 'stopped' }), 'node node-1: its agent does not run'],
    ['deploying_nodes', withNode({ presence: 'stopped' }), 'node node-1: its agent does not run'],
    ['deploying_nodes', withNode({ broker: undefined }), 'node node-1: its agent has not reported'],
    [
      'deploying_nodes',
      withNode({ broker: { ...starting, status: 'failed', reason: 'disk full' } }),
      'node node-1: its broker is failed (disk full)',
    ],
    ['deploying_nodes', withNode({ appliedRevision: 6 }), 'has not applied the configuration'],
  ])('past the deadline of %s is to fail and to say what was missing', (status, more, missing) => {
    const step = nextStep(observed(status, { ...more, secondsInStatus: 300 }), phases);
    expect(step).toEqual({ do: 'fail', reason: expect.stringContaining(missing) as string });
    expect(step).toMatchObject({
      reason: expect.stringMatching(`^${status} did not finish within 300 s: `) as string,
    });
  });

  test('past the deadline goes on when nothing is missing any more', () => {
    expect(nextStep(observed('deploying_nodes', { secondsInStatus: 900 }), phases)).toEqual({
      do: 'enter',
      status: 'initialized',
    });
  });

  test('has no deadline for creating and initialized', () => {
    const late = { secondsInStatus: 9_000 };
    expect(nextStep(observed('creating', late), phases)).toEqual({ do: 'enter', status: 'creating_subnet' });
    expect(nextStep(observed('initialized', late), phases)).toEqual(healthy);
  });

  test.each(deploymentStatuses.filter((status) => status !== 'deleting'))(
    'of a deployment in %s that is to be deleted leads to deleting',
    (status) => {
      const late = { deleting: true, secondsInStatus: 9_000 };
      expect(nextStep(observed(status, late), phases)).toEqual({ do: 'enter', status: 'deleting' });
    },
  );

  test.each<[ObservedNode['presence'], Step]>([
    ['running', { do: 'remove_nodes' }],
    ['stopped', { do: 'remove_nodes' }],
    ['none', { do: 'remove_deployment' }],
  ])('of a deletion with nodes that are %s is %j', (presence, step) => {
    expect(nextStep(observed('deleting', { deleting: true, ...withNode({ presence }) }), phases)).toEqual(
      step,
    );
  });

  test('is the same without nodes wherever it does not depend on them', () => {
    for (const status of deploymentStatuses) {
      for (const deleting of [false, true]) {
        if (dependsOnNodes(observed(status, { deleting }), phases)) continue;
        for (const presence of ['none', 'stopped', 'running'] as const) {
          const whole = observed(status, { deleting, ...withNode({ presence, enrolled: false }) });
          expect(nextStep(whole, phases)).toEqual(nextStep({ ...whole, nodes: [] }, phases));
        }
      }
    }
  });
});
