import type { NetworkRule } from '@sluice/drivers';
import { entriesIn, haveRoom, permissionsOf, wantedEntries } from './rules.ts';

const now = new Date('2026-01-01T00:00:00Z');
const rule = (cidr_blocks: string[], more: Partial<NetworkRule> = {}): NetworkRule => ({
  ...{ protocols: ['broker_tcp'], cidr_blocks, valid_to: null },
  ...more,
});
const blocks = (count: number) => Array.from({ length: count }, (_, index) => `10.3.${index}.0/24`);

test('sixty entries of a family fit; with more of them it is open on the same ports, and the other family is not', () => {
  expect(wantedEntries([rule(blocks(60))], now).size).toBe(60);
  const many = wantedEntries([rule([...blocks(61), '2001:db8::/32'])], now);
  expect([...many].sort()).toEqual(['4222 0.0.0.0/0', '4222 2001:db8::/32']);
});

test('a rule that has ended counts no more', () => {
  expect(wantedEntries([rule(blocks(3), { valid_to: now })], now).size).toBe(0);
});

test('a block is the same however it is written', () => {
  const wanted = wantedEntries([rule(['10.1.2.3/16', '2001:DB8:0:0::1/32'])], now);
  const { ours, others } = entriesIn(permissionsOf(wanted));
  expect([...ours]).toEqual(['4222 10.1.0.0/16', '4222 2001:db8::/32']);
  expect(others).toEqual([]);
});

test('entries have room beside others as long as each family has sixty', () => {
  const first = wantedEntries([rule(blocks(60))], now);
  expect(haveRoom(new Set(), first)).toBe(true);
  expect(haveRoom(first, new Set(['4222 10.9.0.0/16']))).toBe(false);
  expect(haveRoom(first, new Set(['4222 2001:db8::/32']))).toBe(true);
});

test('what is no port of TCP open to blocks is told apart, to be taken away as it is', () => {
  const all = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
  const group = {
    IpProtocol: 'tcp',
    FromPort: 4222,
    ToPort: 4222,
    UserIdGroupPairs: [{ GroupId: 'sg-1' }],
  };
  expect(entriesIn([all, group])).toEqual({ ours: new Set(), others: [all, group] });
});
