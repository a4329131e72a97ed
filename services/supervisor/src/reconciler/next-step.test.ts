import { deploymentStatuses, type DeploymentStatus } from '@sluice/contracts';
import {
  dependsOnNodes,
  nextStep,
  type Observed,
  type ObservedNode,
  type ProvisioningStep,
  type Step,
} from './next-step.ts';

const steps: ProvisioningStep[] = [
  'creating_subnet',
  'securing_network',
  'configuring_dns',
  'waiting_for_nodes',
  'deploying_nodes',
];

const upNode: ObservedNode = {
  name: 'node-1',
  presence: 'running',
  enrolled: true,
  broker: { runtime: 'broker', status: 'running', version: '2.10', reason: null },
  appliedRevision: 7,
};

/** A deployment in which nothing is missing. */
function observed(status: DeploymentStatus, more: Partial<Observed> = {}): Observed {
  return {
    status,
    secondsInStatus: 1,
    deadlineSeconds: 300,
    steps,
    deleting: false,
    lastError: null,
    hasSubnet: true,
    networkSecured: true,
    dnsConfigured: true,
    revision: 7,
    nodes: [upNode],
    ...more,
  };
}

const withNode = (more: Partial<ObservedNode>): Partial<Observed> => ({ nodes: [{ ...upNode, ...more }] });
const rest: Step = { do: 'rest', seconds: 1 };
const starting = { ...upNode.broker!, status: 'starting' as const };

describe('the next step', () => {
  it.each<[DeploymentStatus, DeploymentStatus]>([
    ['creating', 'creating_subnet'],
    ['creating_subnet', 'securing_network'],
    ['securing_network', 'configuring_dns'],
    ['configuring_dns', 'waiting_for_nodes'],
    ['waiting_for_nodes', 'deploying_nodes'],
    ['deploying_nodes', 'initialized'],
  ])('from %s, once nothing is missing, leads to %s', (status, next) => {
    expect(nextStep(observed(status))).toEqual({ do: 'enter', status: next });
  });

  it('leaves out the statuses that no driver of the installation has', () => {
    const computeOnly = { steps: steps.slice(3) };
    expect(nextStep(observed('creating', computeOnly))).toEqual({ do: 'enter', status: 'waiting_for_nodes' });
    expect(nextStep(observed('creating', { steps: [] }))).toEqual({ do: 'enter', status: 'initialized' });
  });

  it.each<[DeploymentStatus, Partial<Observed>, Step]>([
    ['creating_subnet', { hasSubnet: false }, { do: 'create_subnet' }],
    ['securing_network', { networkSecured: false }, { do: 'secure_network' }],
    ['configuring_dns', { dnsConfigured: false }, { do: 'configure_dns' }],
    ['waiting_for_nodes', withNode({ presence: 'none', enrolled: false }), { do: 'ensure_nodes' }],
    ['waiting_for_nodes', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['waiting_for_nodes', withNode({ enrolled: false }), rest],
    ['deploying_nodes', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['deploying_nodes', withNode({ broker: undefined }), rest],
    ['deploying_nodes', withNode({ broker: starting }), rest],
    ['deploying_nodes', withNode({ appliedRevision: 6 }), rest],
    ['deploying_nodes', { nodes: [upNode, { ...upNode, appliedRevision: 0 }] }, rest],
    ['initialized', {}, rest],
    ['initialized', withNode({ presence: 'stopped' }), { do: 'ensure_nodes' }],
    ['initialized', withNode({ presence: 'none' }), { do: 'ensure_nodes' }],
    ['initialized', withNode({ broker: starting }), rest],
  ])('in %s with %j is %j', (status, more, step) => {
    expect(nextStep(observed(status, more))).toEqual(step);
  });

  it('looks again no later than at the deadline', () => {
    const late = { ...withNode({ enrolled: false }), secondsInStatus: 299.5 };
    expect(nextStep(observed('waiting_for_nodes', late))).toEqual({ do: 'rest', seconds: 0.5 });
  });

  it.each<[ProvisioningStep, Partial<Observed>, string]>([
    ['creating_subnet', { hasSubnet: false, lastError: 'none is left' }, 'no subnet (none is left)'],
    ['securing_network', { networkSecured: false }, 'the network is not secured'],
    ['configuring_dns', { dnsConfigured: false }, 'the domain is not configured'],
    ['waiting_for_nodes', withNode({ enrolled: false }), 'node node-1: its agent has not enrolled'],
    ['waiting_for_nodes', withNode({ presence: 'stopped' }), 'node node-1: its agent does not run'],
    ['deploying_nodes', withNode({ presence: 'none' }), 'node node-1: its agent does not run'],
    ['deploying_nodes', withNode({ broker: undefined }), 'node node-1: its agent has not reported'],
    [
      'deploying_nodes',
      withNode({ broker: { ...starting, status: 'failed', reason: 'disk full' } }),
      'node node-1: its broker is failed (disk full)',
    ],
    ['deploying_nodes', withNode({ appliedRevision: 6 }), 'has not applied the configuration'],
  ])('past the deadline of %s is to fail and to say what was missing', (status, more, missing) => {
    const step = nextStep(observed(status, { ...more, secondsInStatus: 300 }));
    expect(step).toEqual({ do: 'fail', reason: expect.stringContaining(missing) as string });
    expect(step).toMatchObject({
      reason: expect.stringMatching(`^${status} did not finish within 300 s: `) as string,
    });
  });

  it('past the deadline goes on when nothing is missing any more', () => {
    expect(nextStep(observed('deploying_nodes', { secondsInStatus: 900 }))).toEqual({
      do: 'enter',
      status: 'initialized',
    });
  });

  it('has no deadline for creating, initialized and deleting', () => {
    const late = { secondsInStatus: 9_000 };
    expect(nextStep(observed('creating', late))).toEqual({ do: 'enter', status: 'creating_subnet' });
    expect(nextStep(observed('initialized', late))).toEqual(rest);
    expect(nextStep(observed('deleting', { ...late, deleting: true }))).toEqual({ do: 'remove_nodes' });
  });

  it.each(deploymentStatuses.filter((status) => status !== 'deleting'))(
    'of a deployment in %s that is to be deleted leads to deleting',
    (status) => {
      const late = { deleting: true, secondsInStatus: 9_000 };
      expect(nextStep(observed(status, late))).toEqual({ do: 'enter', status: 'deleting' });
    },
  );

  it.each<[ObservedNode['presence'], Step]>([
    ['running', { do: 'remove_nodes' }],
    ['stopped', { do: 'remove_nodes' }],
    ['none', { do: 'remove_deployment' }],
  ])('of a deletion with nodes that are %s is %j', (presence, step) => {
    expect(nextStep(observed('deleting', { deleting: true, ...withNode({ presence }) }))).toEqual(step);
  });

  it.each<DeploymentStatus>([
    'failed',
    'stopped',
    'upgrading',
    'extending',
    'rolling_back',
    'configuring_certificates',
  ])('in %s is none', (status) => {
    const broken = withNode({ presence: 'stopped' });
    expect(nextStep(observed(status, broken))).toEqual({ do: 'rest', seconds: 60 });
  });

  it('is the same without nodes wherever it does not depend on them', () => {
    for (const status of deploymentStatuses) {
      for (const deleting of [false, true]) {
        if (dependsOnNodes({ status, deleting })) continue;
        for (const presence of ['none', 'stopped', 'running'] as const) {
          const whole = observed(status, { deleting, ...withNode({ presence, enrolled: false }) });
          expect(nextStep(whole)).toEqual(nextStep({ ...whole, nodes: [] }));
        }
      }
    }
  });
});
