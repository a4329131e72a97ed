import type { RegionOption } from '@sluice/contracts';
import type { NodePlacement } from '@sluice/drivers';
import { placementConditions } from './placement-conditions.ts';

const good = { machine: 'm1', zone: 'a', isPrivate: true, isDedicated: true };
const node = (number: number, more?: Partial<NodePlacement>, host: string | null = `10.0.0.${number}`) => ({
  name: `node-${number}`,
  address: host === null ? null : { host },
  placement: { ...good, ...more },
});
const apart = { machine: 'm2', zone: 'b' };
const judged = (option: RegionOption, ...nodes: Parameters<typeof placementConditions>[1]) =>
  placementConditions([option], nodes).map(({ type, status, reason, message }) =>
    [type, status, reason, message].join(' | '),
  );

test.each([
  ['private_address', [node(1)], 'AddressPrivate | True | AddressPrivate | node-1 at 10.0.0.1'],
  [
    'private_address',
    [node(1), node(2, { isPrivate: false }, '192.0.2.2')],
    'AddressPrivate | False | AddressPublic | node-1 at 10.0.0.1, node-2 at 192.0.2.2',
  ],
  ['private_address', [node(1, {}, null)], 'AddressPrivate | False | AddressUnknown | node-1 at no address'],
  [
    'multi_az',
    [node(1), node(2, apart)],
    'Spread | True | InSeveralZones | node-1 on m1 in a, node-2 on m2 in b',
  ],
  ['multi_az', [node(1), node(2)], 'Spread | False | OneZone | node-1 on m1 in a, node-2 on m1 in a'],
  [
    'multi_az',
    [node(1), node(2, { machine: 'm2', zone: undefined })],
    'Spread | False | ZoneUnknown | node-1 on m1 in a, node-2 on m2',
  ],
  [
    'multi_az',
    [node(1), node(2, { machine: undefined, zone: undefined })],
    'Spread | False | NotPlaced | node-1 on m1 in a, node-2 on no machine',
  ],
  ['dedicated', [node(1)], 'Dedicated | True | MachinesDedicated | node-1 on m1 in a'],
  ['dedicated', [node(1, { isDedicated: false })], 'Dedicated | False | MachineShared | node-1 on m1 in a'],
] as const)('a deployment that asks for %s is told how its nodes are placed: %#', (option, nodes, told) => {
  expect(judged(option, ...nodes)).toEqual([told]);
});

test('what a driver does not say holds of nothing', () => {
  const silent = { name: 'node-1' };
  for (const option of ['private_address', 'multi_az', 'dedicated'] as const)
    expect(judged(option, silent)[0]).toContain('False | PlacementUnknown');
});

test('a deployment without such options, or whose nodes nobody looks at now, is told nothing', () => {
  expect(placementConditions(['encrypted'], [node(1)])).toEqual([]);
  expect(placementConditions(['multi_az'], [])).toEqual([]);
});
