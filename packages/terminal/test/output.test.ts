import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { Io } from '../src/io.ts';
import { createOutput, type Format, type View } from '../src/output.ts';
import { pairsOf, tableOf } from '../src/table.ts';

const plain = (columns: number | undefined) => ({ columns, bold: (words: string) => words });
const widthsOf = (table: string) => table.split('\n').map((line) => [...line].length);

test('a table is as wide as it is without a terminal, and cut where it is wider than one', () => {
  const rows = [['payments/production/orders', 'initialized', '7']];
  const headers = ['PLACE', 'STATUS', 'ID'];
  expect(tableOf(headers, rows, plain(undefined))).toBe(
    'PLACE                       STATUS       ID\npayments/production/orders  initialized  7',
  );
  const cut = tableOf(headers, rows, plain(30));
  expect(Math.max(...widthsOf(cut))).toBeLessThanOrEqual(30);
  expect(cut).toContain('…');
});

test('where columns would be unreadable, entries are shown one below the other and nothing is cut', () => {
  const shown = tableOf(
    ['PLACE', 'STATUS', 'REGION'],
    [['payments/dev/orders', 'initialized', 'us-central1']],
    plain(20),
  );
  expect(Math.max(...widthsOf(shown))).toBeLessThanOrEqual(20);
  expect(shown.replaceAll(/\s/g, '')).toBe('PLACEpayments/dev/ordersSTATUSinitializedREGIONus-central1');
});

test('wide characters count twice', () => {
  const table = tableOf(
    ['NAME', 'ID'],
    [
      ['東京', '1'],
      ['abcd', '2'],
    ],
    plain(undefined),
  );
  expect(table.split('\n').slice(1)).toEqual(['東京  1', 'abcd  2']);
});

test('values of fields wrap below each other', () => {
  expect(pairsOf([['Rights', 'info:read, audit:read']], plain(20))).toBe(
    'Rights  info:read,\n        audit:read',
  );
});

const view: View<{ name: string }> = {
  name: ({ name }) => name,
  columns: [{ header: 'NAME', value: ({ name }) => name }],
};

async function written(name: string, format: Format, query?: string): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const io = { stdout, columns: 80, paint: (_style: string, words: string) => words } as unknown as Io;
  const options = query === undefined ? { output: format } : { query };
  await createOutput(io, options).list([{ name }], view);
  stdout.end();
  return text(stdout);
}

test.each(['table', 'wide', 'name', 'json', 'ndjson', 'yaml'] as const)(
  '%s shows no control of terminals, and loses none in data',
  async (format) => {
    const name = 'a\u001b[31m\u009b1m\u202eb\tc\nd';
    const shown = await written(name, format);
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(shown.trimEnd().replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    if (format === 'json' || format === 'ndjson') expect([JSON.parse(shown)].flat()).toEqual([{ name }]);
    if (format === 'yaml') expect(parse(shown)).toEqual([{ name }]);
  },
);

test('bytes come as they are, and on a terminal without its controls', async () => {
  async function* pieces() {
    yield Buffer.from('a\u009b1m,東').subarray(0, -1);
    yield Buffer.from('東').subarray(2);
    yield Buffer.from('\nb\n');
  }
  const through = async (columns: number | undefined) => {
    const stdout = new PassThrough();
    await createOutput({ stdout, columns } as unknown as Io, {}).pieces(pieces());
    stdout.end();
    return text(stdout);
  };
  expect(await through(undefined)).toBe('a\u009b1m,東\nb\n');
  expect(await through(80)).toBe('a\\x9b1m,東\nb\n');
});

test('a query gives a value per line, and names what is wrong with it', async () => {
  expect(await written('orders', 'table', '[].name')).toBe('orders\n');
  await expect(written('orders', 'table', '[')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('--query') as unknown,
  });
  expect(() => createOutput({} as Io, { output: 'name', query: '[]' })).toThrow('--query gives no name.');
});
