import {
  canFollow,
  deploymentStatuses,
  statusesThatAre,
  statusIs,
  type DeploymentStatus,
} from './statuses.ts';

describe('the statuses of deployments', () => {
  test('that are transient lead to another one by themselves, and the others do not have a deadline', () => {
    expect(deploymentStatuses.filter((status) => !statusIs('transient', status))).toEqual([
      'initialized',
      'stopped',
      'deleting',
      'failed',
    ]);
    for (const status of statusesThatAre('transient')) expect(canFollow(status, 'failed')).toBe(true);
  });

  test.each<[DeploymentStatus, DeploymentStatus, boolean]>([
    ['creating', 'waiting_for_nodes', true],
    ['waiting_for_nodes', 'creating_subnet', false],
    ['deploying_nodes', 'initialized', true],
    ['initialized', 'upgrading', true],
    ['stopped', 'upgrading', false],
    ['upgrading', 'rolling_back', true],
    ['extending', 'rolling_back', false],
    ['failed', 'initialized', true],
    ['failed', 'failed', false],
    ['deleting', 'failed', false],
  ])('after %s can come %s: %s', (from, to, can) => {
    expect(canFollow(from, to)).toBe(can);
  });

  test('are all left for deletion, but deletion itself', () => {
    const left = deploymentStatuses.filter((status) => canFollow(status, 'deleting'));
    expect(left).toEqual(deploymentStatuses.filter((status) => status !== 'deleting'));
  });

  test('of a newer release have no attributes, and anything may follow them', () => {
    expect(statusIs('settled', 'polishing')).toBe(false);
    expect(canFollow('polishing' as DeploymentStatus, 'deleting')).toBe(true);
  });
});
