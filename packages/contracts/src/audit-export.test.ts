import {
  property,
  assert as check,
  constantFrom,
  integer,
  jsonValue,
  option,
  record,
  string,
  uuid,
} from 'fast-check';
import {
  csvHeader,
  csvLine,
  entryOfCsv,
  entryOfJson,
  ndjsonLine,
  type ExportedEntry,
} from './audit-export.ts';

const hash = 'ab'.repeat(32);
const ref = option(record({ id: integer({ min: 1 }), name: string({ unit: 'grapheme' }) }));
const time = constantFrom('2026-03-14T09:26:53.589Z');
const anyEntry = record({
  tenant_id: integer({ min: 1 }),
  seq: integer({ min: 1 }),
  recorded_at: time,
  event_id: uuid(),
  position: integer({ min: 0 }),
  type: string({ minLength: 1 }),
  ...{ author: ref, user: ref, division: ref, environment: ref, deployment: ref, api_key: ref },
  data: jsonValue(),
  as_sent: option(record({ id: string() })),
  correlation_id: option(uuid()),
  occurred_at: time,
  prev_hash: constantFrom(hash),
  hash: constantFrom(hash),
});
// as JSON has it: there is no -0 and no prototype
const plain = (entry: unknown) => JSON.parse(JSON.stringify(entry)) as ExportedEntry;

test('what is written is what is read, in either format', () => {
  check(
    property(anyEntry, (any) => {
      const entry = plain(any);
      expect(entryOfJson(ndjsonLine(entry))).toEqual(entry);
      expect(entryOfCsv(csvLine(entry))).toEqual(entry);
      expect(ndjsonLine(entry)).not.toMatch(/[\r\n]/);
    }),
  );
});

const entry = (name: string): ExportedEntry => ({
  ...{
    tenant_id: 1,
    seq: 1,
    recorded_at: 't',
    event_id: 'e',
    position: 1,
    type: 'division_created',
    occurred_at: 't',
  },
  ...{
    author: { id: 7, name },
    user: null,
    division: null,
    environment: null,
    deployment: null,
    api_key: null,
  },
  ...{ data: null, as_sent: null, correlation_id: null, prev_hash: hash, hash },
});

test.each(['=cmd()', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "'=1", '"=1"', '=1,2'])(
  'no cell is a formula to a program for tables: %j',
  (name) => {
    const line = csvLine(entry(name));
    const author = line.split(',7,')[1] ?? '';
    expect(author.replace(/^"/, '')).not.toMatch(/^[=+\-@\t\r\n]/);
    expect(entryOfCsv(line).author?.name).toBe(name);
  },
);

test.each([
  '',
  '{}',
  'null',
  '{"seq":1}',
  '[]',
  csvHeader,
  `${csvLine(entry('a'))},more`,
  `${csvLine(entry('a'))}"`,
])('is no entry: %s', (line) => {
  expect(() => entryOfJson(line)).toThrow();
  expect(() => entryOfCsv(line)).toThrow();
});
