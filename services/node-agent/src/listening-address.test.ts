import { privateAddressOf } from './listening-address.ts';

const loopback = { address: '127.0.0.1', internal: true };
const own = (...addresses: string[]) => [
  loopback,
  ...addresses.map((address) => ({ address, internal: false })),
];

test.each<[string, string | undefined, string[], string | undefined]>([
  ['where it is reached, if that is private', '10.0.0.5', ['192.168.0.4', '10.0.0.5'], '10.0.0.5'],
  [
    'at another private address, where it is reached at a public one',
    '8.8.4.4',
    ['8.8.4.4', 'fd00::5'],
    'fd00::5',
  ],
  ['at one of its own, where it is reached at that of another', '10.9.9.9', ['10.0.0.5'], '10.0.0.5'],
  ['at the first one, where nobody knows how it is reached', undefined, ['8.8.4.4', '10.0.0.5'], '10.0.0.5'],
  ['nowhere, where it has none', '8.8.4.4', ['8.8.4.4'], undefined],
  ['at none that is of a link alone', '8.8.4.4', ['fe80::1', '169.254.7.7'], undefined],
])('a private node listens %s', (_where, reached, addresses, listensOn) => {
  expect(privateAddressOf(reached, own(...addresses))).toBe(listensOn);
});
