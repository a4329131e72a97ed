import { conditionKind, conditionName, lostNodes } from './conditions.ts';

test('words that run together are read apart, and abbreviations stay', () => {
  expect(conditionName('AgentsConnected')).toBe('Agents connected');
  expect(conditionName('NoRule')).toBe('No rule');
  expect(conditionName('DnsConfigured')).toBe('DNS configured');
});

test('what does not hold is grave only where something has gone wrong', () => {
  expect(conditionKind({ status: 'True', reason: 'Issued' })).toBe('ok');
  expect(conditionKind({ status: 'True', reason: 'RenewalFailing' })).toBe('warn');
  expect(conditionKind({ status: 'False', reason: 'NoRule' })).toBe('warn');
  expect(conditionKind({ status: 'False', reason: 'Unreachable' })).toBe('bad');
  expect(conditionKind({ status: 'Unknown', reason: 'AgentsAway' })).toBe('idle');
});

test('nodes that have lost their data are those that the reason names', () => {
  const nodes = [{ name: 'n-1' }, { name: 'n-10' }, { name: 'n-2' }];
  expect(lostNodes('data_lost: the data of n-10, n-2 is gone; bring it back', nodes)).toEqual([
    { name: 'n-10' },
    { name: 'n-2' },
  ]);
  expect(lostNodes('deploying_nodes: a timeout', nodes)).toEqual([]);
  expect(lostNodes(null, nodes)).toEqual([]);
});
