import { idOf, type AccessRuleId } from '@sluice/contracts';
import fc from 'fast-check';
import { createAdmission } from './admission.ts';

const protocols = ['broker_http', 'broker_tcp', 'broker_websocket', 'broker_udp'] as const;
const now = Date.parse('2030-01-01T00:00:00Z');

type Octets = [number, number, number, number];
const bitsOf = (octets: Octets) => octets.map((octet) => octet.toString(2).padStart(8, '0')).join('');

const octet = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 127, 255));
const address: fc.Arbitrary<Octets> = fc.tuple(octet, octet, octet, octet);
const rule = fc.record({
  protocols: fc.subarray([...protocols]),
  blocks: fc.array(fc.record({ network: address, bits: fc.nat(32) }), { maxLength: 3 }),
  /** seconds from now, null without end */
  end: fc.option(fc.integer({ min: -3, max: 3 })),
});

test('a client is admitted exactly when one rule names the protocol, contains the address and is still valid', () => {
  const anything = fc.tuple(
    fc.array(rule, { maxLength: 4 }),
    fc.constantFrom(...protocols),
    address,
    fc.boolean(),
  );
  fc.assert(
    fc.property(anything, ([rules, protocol, source, mapped]) => {
      const expected = rules.some(
        ({ protocols: named, blocks, end }) =>
          named.includes(protocol) &&
          (end === null || end > 0) &&
          blocks.some(
            ({ network, bits }) => bitsOf(network).slice(0, bits) === bitsOf(source).slice(0, bits),
          ),
      );
      const admission = createAdmission(
        rules.map(({ protocols: named, blocks, end }, index) => ({
          id: idOf<AccessRuleId>(index + 1),
          protocols: named,
          cidr_blocks: blocks.map(({ network, bits }) => `${network.join('.')}/${bits}`),
          valid_to: end === null ? null : new Date(now + end * 1_000).toISOString(),
        })),
      );
      const text = `${mapped ? '::ffff:' : ''}${source.join('.')}`;
      expect(admission.admits(protocol, text, now)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

const everywhere = {
  id: idOf<AccessRuleId>(1),
  protocols: [...protocols],
  cidr_blocks: ['0.0.0.0/0'],
  valid_to: null,
};

test('without a rule nobody gets in', () => {
  expect(createAdmission([]).admits('broker_tcp', '127.0.0.1', now)).toBe(false);
});

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0/8',
  '0x0a.0.0.0/8',
  'everybody',
  '',
  '/0',
  '10.0.0.0/-1',
  '10.0.0.0/8 ',
])('the block %j lets nobody in', (block) => {
  const admission = createAdmission([{ ...everywhere, cidr_blocks: [block] }]);
  expect(admission.admits('broker_tcp', '10.0.0.1', now)).toBe(false);
  expect(admission.unreadable).toEqual([block]);
});

test.each([undefined, '', 'fe80::1', '::1', 'localhost'])('an IPv4 rule does not let %j in', (source) => {
  expect(createAdmission([everywhere]).admits('broker_tcp', source, now)).toBe(false);
});

test('a rule whose end can not be read lets nobody in', () => {
  const admission = createAdmission([{ ...everywhere, valid_to: 'some day' }]);
  expect(admission.admits('broker_tcp', '10.0.0.1', now)).toBe(false);
});

test('the next end is that of the rule that ends first among those that still hold', () => {
  const ending = (seconds: number) => ({
    ...everywhere,
    valid_to: new Date(now + seconds * 1_000).toISOString(),
  });
  expect(createAdmission([ending(9), ending(4), ending(-2), everywhere]).nextEnd(now)).toBe(now + 4_000);
  expect(createAdmission([ending(-2), everywhere]).nextEnd(now)).toBeNull();
});
