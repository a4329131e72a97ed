import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import {
  canonicalIpv4Block,
  isAddressOrBlock,
  isIpv4Block,
  isPrivateAddress,
  networkOf,
  parseAddress,
  parseBlock,
} from './addresses.ts';

test.each([
  [
    true,
    ['10.20.0.4', '172.31.255.1', '192.168.0.1', '100.64.0.1', '127.0.0.2', 'fd00::1', '::ffff:10.0.0.1'],
  ],
  [false, ['8.8.8.8', '172.32.0.1', '0.0.0.0', '::', '2001:4860::1', '10.1', 'broker.internal', '']],
])('private is %s of %j', (isPrivate, addresses) => {
  expect(addresses.map(isPrivateAddress)).toEqual(addresses.map(() => isPrivate));
});

test.each(['10.0.0.0/8', '0.0.0.0/0', '192.0.2.1/32', '10.0.0.1/08'])('%s is an IPv4 block', (text) => {
  expect(isIpv4Block(text)).toBe(true);
});

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0.0/008',
  '10.0.0.0/-1',
  '10.0.0.0/8 ',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '010.0.0.0/8',
  '0x0a.0.0.0/8',
  '256.0.0.0/8',
  '::/0',
  '/8',
  '',
])('%j is no IPv4 block', (text) => {
  expect(isIpv4Block(text)).toBe(false);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['nonsense', null],
  [undefined, null],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each(['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '::ffff:10.0.0.1', '::/128', '10.0.0.0/032'])(
  '%s is an address or a block',
  (text) => expect(isAddressOrBlock(text)).toBe(true),
);

test.each([
  '',
  'localhost',
  '10.0.0',
  '010.0.0.1',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  'fe80::1%eth0',
  'fe80::1%eth0/64',
])('%j is neither an address nor a block', (text) => expect(isAddressOrBlock(text)).toBe(false));

const ipv4 = fc.ipV4();
const anyEntry = fc.oneof(
  ipv4,
  fc.ipV6(),
  fc.tuple(ipv4, fc.nat(32)).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(fc.ipV6(), fc.nat(128)).map(([address, bits]) => `${address}/${bits}`),
);

test('what is accepted can be read', () => {
  fc.assert(
    fc.property(anyEntry, (entry) => {
      fc.pre(isAddressOrBlock(entry));
      expect(typeof parseBlock(entry).contains(ipaddr.parse('10.0.0.1'))).toBe('boolean');
    }),
  );
});

test('a block contains what begins with the same bits', () => {
  const bitsOf = (address: string) =>
    address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  fc.assert(
    fc.property(ipv4, ipv4, fc.nat(32), (network, address, bits) => {
      const expected = bitsOf(network).slice(0, bits) === bitsOf(address).slice(0, bits);
      const source = parseAddress(address);
      expect(source !== null && parseBlock(`${network}/${bits}`).contains(source)).toBe(expected);
    }),
  );
});

test('an IPv4 address counts as such also in its IPv6 form; families do not mix', () => {
  const contains = (block: string, address: string) => {
    const source = parseAddress(address);
    return source !== null && parseBlock(block).contains(source);
  };
  expect(contains('10.0.0.0/8', '::ffff:10.1.2.3')).toBe(true);
  expect(contains('::ffff:10.1.2.3', '10.1.2.3')).toBe(true);
  expect(contains('2001:db8::/32', '2001:db8::7')).toBe(true);
  expect(contains('0.0.0.0/0', '2001:db8::7')).toBe(false);
  expect(contains('::/0', '10.1.2.3')).toBe(false);
});

test.each([undefined, '', 'localhost'])('%j is no address', (text) => {
  expect(parseAddress(text)).toBeNull();
});

test.each([
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['10.0.0.0/08', '10.0.0.0/8'],
  ['255.255.255.255/0', '0.0.0.0/0'],
  ['10.0.0.1/32', '10.0.0.1/32'],
  ['10.0.0.1', null],
  ['::/0', null],
])('the block %s is written %s', (text, expected) => {
  expect(canonicalIpv4Block(text)).toBe(expected);
});
