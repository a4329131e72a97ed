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
import { parse } from 'csv-parse/sync';
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

/** What a spreadsheet program takes for a formula, behind what it ignores. */
const isFormula = (cell: string) =>
  /^([\s\p{Cc}\p{Cf}"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/u.test(cell);

/** The cells that a program finds which separates them by this character, with and without a meaning of quotation marks. */
function cellsBy(delimiter: string, line: string): string[] {
  if (delimiter === ',') return cellsOf(line, delimiter, '"');
  return [...cellsOf(line, delimiter, '"'), ...cellsOf(line, delimiter, null)];
}

function cellsOf(line: string, delimiter: string, quote: string | null): string[] {
  const options = { delimiter, quote, relax_quotes: true, relax_column_count: true };
  const cells = (text: string) => (parse(text, options) as string[][]).flat();
  try {
    return cells(line);
  } catch {
    // between other delimiters a quotation mark may have no second one
    return cells(`${line}"`);
  }
}

const hostile = string({
  unit: constantFrom(
    ...[
      '=',
      '+',
      '-',
      '@',
      '\uFF1D',
      '\uFF0B',
      '\uFF0D',
      '\uFF20',
      '\t',
      '\r',
      '\n',
      ' ',
      '\u00A0',
      '\uFEFF',
    ],
    ...['\u200B', '\u2060', '\0', ';', ',', '"', "'", '|', 'a', '1', '\u{1F600}'],
  ),
});

test.each(['', '\uFEFF', '\u200B', ' ', '\u00A0', '"', '\t', 'a;', 'a\t', 'a\n', 'a\r', 'a;"', 'a; '])(
  'no part of a name is a formula to a spreadsheet program: behind %j',
  (before) => {
    for (const sign of ['=', '+', '-', '@', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20', '\t', '\r', '\n']) {
      const name = `${before}${sign}cmd|' /C calc'!A0`;
      const line = csvLine(entry(name));
      for (const delimiter of [',', ';', '\t'])
        expect(cellsBy(delimiter, line).filter(isFormula)).toEqual([]);
      expect(entryOfCsv(line).author?.name).toBe(name);
    }
  },
);

test('nor of any text, by whatever a program separates cells, and each is read as it was', () => {
  check(
    property(hostile, hostile, hostile, (name, type, said) => {
      const written = { ...entry(name), type, data: { said }, as_sent: said, correlation_id: said };
      const line = csvLine(written);
      for (const delimiter of [',', ';', '\t'])
        expect(cellsBy(delimiter, line).filter(isFormula)).toEqual([]);
      expect(entryOfCsv(line)).toEqual(written);
    }),
    { numRuns: 2_000 },
  );
});

test('texts are in quotation marks; numbers, times, ids and hashes are as they are', () => {
  expect(csvLine({ ...entry('Ada'), data: -1, event_id: '0-a', as_sent: ['=1'] })).toBe(
    `1,t,1,0-a,1,"division_created",7,"Ada",,,,,,,,,,,"'-1","[""=1""]",,t,${hash},${hash}`,
  );
});

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
