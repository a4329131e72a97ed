import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson, emptyChain, hashOfEntry, type ChainedEntry } from './audit-chain.ts';

const entry: ChainedEntry = {
  tenant_id: 7,
  seq: 1,
  recorded_at: '2026-03-14T09:26:53.589Z',
  event_id: '3f0f3b0a-7a52-4b0c-9d56-0d3a4d1b2c3e',
  position: 42,
  type: 'division_updated',
  author: { id: 3, name: 'Ada "the first" Lovelace' },
  user: null,
  division: { id: 4, name: 'Zahlungen €' },
  environment: null,
  deployment: null,
  api_key: { id: 9, name: 'deploy\n' },
  data: { changes: { b: [1, 2.5, { z: null, a: true }], a: '\u2028' }, '': {} },
  as_sent: null,
  correlation_id: null,
  occurred_at: '2026-03-14T09:26:53.000Z',
};

/** RFC 8785, written another time. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

test('the hash of an entry is the one that logs are full of', () => {
  expect(hashOfEntry(entry, emptyChain.hash)).toBe(
    'ea3be2055d998de06e8b2d385ea5304c9f43a00b571ec7b0c44bfd49fe61d6d5',
  );
});

test('an entry is hashed in its canonical form, with the hash before it, whatever it says', () => {
  const text = fc.string({ unit: 'grapheme' });
  const ref = fc.option(fc.record({ id: fc.nat(), name: text }));
  const said = fc.record({
    ...{ type: text, author: ref, user: ref, division: ref, environment: ref, deployment: ref, api_key: ref },
    ...{ data: fc.jsonValue(), as_sent: fc.jsonValue(), correlation_id: fc.option(text) },
    ...{ tenant_id: fc.nat(), seq: fc.nat(), position: fc.nat(), event_id: fc.uuid() },
  });
  fc.assert(
    fc.property(said, fc.stringMatching(/^[0-9a-f]{64}$/), (what, previous) => {
      const one = { ...entry, ...what };
      const whole = canonical({ ...one, form: 'sluice-audit-entry-1', previous });
      expect(hashOfEntry(one, previous)).toBe(createHash('sha256').update(whole).digest('hex'));
    }),
  );
});

test('JSON has one form', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expect(canonicalJson(value)).toBe(canonical(value))));
  const sample = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  // RFC 8785, 3.2.3
  expect(canonicalJson(sample)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
});
