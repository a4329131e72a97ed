import { idOf, type AccessRuleId } from '@sluice/contracts';
import { parseAddress, parseBlock } from '@sluice/system/addresses';
import fc from 'fast-check';
import { createAdmission } from '../gateway/admission.ts';
import { accessMap } from './access-map.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const offset = 7_000;

/** As HAProxy does: the narrowest block decides. */
function letsIn(entries: readonly string[], address: string): boolean {
  const source = parseAddress(address);
  const ends = entries
    .map((entry) => entry.split(' '))
    .filter(([block = '']) => source !== null && parseBlock(block).contains(source))
    .sort(([a = ''], [b = '']) => Number(b.split('/')[1]) - Number(a.split('/')[1]))
    .map(([, end]) => Number(end));
  return (ends[0] ?? 0) > now - offset;
}

// few octets, so that blocks lie in each other
const octet = fc.constantFrom(0, 10, 11, 127, 255);
const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const block = fc.tuple(address, fc.nat(32)).map(([network, bits]) => `${network}/${bits}`);
const rule = fc.record({
  named: fc.boolean(),
  blocks: fc.array(fc.oneof({ weight: 9, arbitrary: block }, fc.constant('everybody')), { maxLength: 4 }),
  /** seconds from now, null without end */
  end: fc.option(fc.integer({ min: -3, max: 3 })),
});

test('HAProxy lets in by its map exactly whom the rules let in', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), address, (drawn, source) => {
      const rules = drawn.map(({ named, blocks, end }, index) => ({
        id: idOf<AccessRuleId>(index + 1),
        protocols: [named ? ('broker_tcp' as const) : ('broker_websocket' as const)],
        cidr_blocks: blocks,
        valid_to: end === null ? null : new Date(now + end * 1_000).toISOString(),
      }));
      const expected = createAdmission(rules).admits('broker_tcp', source, now);
      expect(letsIn(accessMap(rules, 'broker_tcp', offset), source)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('a rule whose end can not be read lets nobody in', () => {
  const unreadable = {
    id: idOf<AccessRuleId>(1),
    protocols: ['broker_tcp' as const],
    cidr_blocks: ['0.0.0.0/0'],
    valid_to: 'some day',
  };
  expect(letsIn(accessMap([unreadable], 'broker_tcp', 0), '10.0.0.1')).toBe(false);
});
