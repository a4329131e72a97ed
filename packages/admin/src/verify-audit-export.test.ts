import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { emptyChain, hashOfEntry } from '@sluice/contracts/audit-chain';
import { csvHeader, csvLine, ndjsonLine, type ExportedEntry } from '@sluice/contracts/audit-export';
import { testFolder } from '@sluice/testing';
import { Broken, entriesOf, verifyEntries, type KnownHead } from './verify-audit-export.ts';

let folder: string;
beforeAll(async () => {
  folder = await testFolder();
});

/** A log of so many entries, as it was recorded. */
function aLog(count: number, name = 'Payments'): ExportedEntry[] {
  const entries: ExportedEntry[] = [];
  let previous = emptyChain.hash;
  for (let seq = 1; seq <= count; seq++) {
    const entry = {
      ...{
        tenant_id: 1,
        seq,
        recorded_at: '2026-03-01T12:00:00.000Z',
        occurred_at: '2026-03-01T12:00:00.000Z',
      },
      ...{
        event_id: `0b6f2a7e-54a5-4a53-9a3e-${String(seq).padStart(12, '0')}`,
        position: seq,
        type: 'division_created',
      },
      ...{ author: { id: 7, name: 'Ada, "the\n\u2028first"' }, user: null, division: { id: 3, name } },
      ...{ environment: null, deployment: null, api_key: null, data: { name: `=${seq}`, n: 1.5 } },
      ...{ as_sent: null, correlation_id: null },
    };
    const hash = hashOfEntry(entry, previous);
    entries.push({ ...entry, prev_hash: previous, hash });
    previous = hash;
  }
  return entries;
}

const log = aLog(10);
const headOf = (entries: readonly ExportedEntry[], seq: number): KnownHead => {
  const { tenant_id = 1, hash = '' } = entries[seq - 1] ?? {};
  return { tenant_id, seq, hash };
};

const forms = {
  ndjson: (entries: readonly ExportedEntry[]) => entries.map(ndjsonLine),
  csv: (entries: readonly ExportedEntry[]) => [csvHeader, ...entries.map(csvLine)],
};

async function verify(
  lines: readonly string[],
  {
    heads = [],
    partial = false,
    name = 'export',
  }: { heads?: KnownHead[]; partial?: boolean; name?: string } = {},
) {
  const file = join(folder, name);
  const text = lines.map((line) => `${line}\n`).join('');
  await writeFile(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return await verifyEntries(entriesOf([file]), { heads, partial }).catch((error: unknown) => {
    if (error instanceof Broken) return error.message.replace(`${file}, `, '');
    throw error;
  });
}

describe.each(['ndjson', 'csv'] as const)('an export as %s', (format) => {
  const form = forms[format];
  const line = (number: number) => `line ${format === 'csv' ? 2 * number : number}`;

  test('that is whole is as it was recorded, compressed or not, and agrees with what is known', async () => {
    const whole = { entries: 10, tenant: 1, first: 1, last: { seq: 10, hash: log[9]?.hash } };
    expect(await verify(form(log))).toEqual({ ...whole, heads: 0 });
    const heads = [headOf(log, 4), headOf(log, 10), { ...headOf(log, 4), tenant_id: 2 }];
    expect(await verify(form(log), { heads, name: 'export.gz' })).toEqual({ ...whole, heads: 2 });
    expect(await verify(form(log.slice(4)), { heads })).toMatchObject({ entries: 6, first: 5, heads: 2 });
  });

  test('says at which entry it is not', async () => {
    const [a, b, c, d, ...rest] = log as [ExportedEntry, ExportedEntry, ExportedEntry, ExportedEntry];
    const changed = { ...b, data: { name: 'other' } };
    expect(await verify(form([a, changed, c, d]))).toBe(`${line(2)}: entry 2 was changed`);
    expect(await verify(form([a, b, d, ...rest]))).toBe(`${line(3)}: entry 3 is missing before entry 4`);
    expect(await verify(form([a, ...rest]))).toBe(`${line(2)}: entries 2 to 4 are missing before entry 5`);
    expect(await verify(form([a, c, b, d]))).toBe(`${line(2)}: entry 2 is missing before entry 3`);
    expect(await verify(form([a, b, b, c]))).toBe(`${line(3)}: entry 2 does not belong behind 2`);
    const [inserted] = aLog(3, 'Inserted').slice(2);
    expect(await verify(form([a, b, inserted ?? a, d]))).toContain(
      `${line(3)}: entry 3 is not chained to entry 2`,
    );
    expect(await verify(form([a, { ...b, tenant_id: 2 }]))).toContain('entry 2 is of tenant 2');
  });

  test('that was cut, or written anew as a whole, is found by heads that are known', async () => {
    const heads = [headOf(log, 8)];
    expect(await verify(form(log.slice(0, 6)), { heads })).toBe(
      'the end is missing: entry 6 is the last one here, and 8 is known to exist',
    );
    expect(await verify(form(aLog(10, 'Anew')), { heads })).toContain(
      `${line(8)}: the log was written anew: entry 8 had another hash`,
    );
    expect(await verify(form(aLog(10, 'Anew').slice(8)), { heads })).toContain('entry 8 had another hash');
  });

  test('that was filtered may have gaps, and no changes', async () => {
    const some = log.filter(({ seq }) => seq % 3 === 0);
    expect(await verify(form(some), { partial: true })).toMatchObject({ entries: 3, first: 3 });
    const changed = some.map((entry) => (entry.seq === 6 ? { ...entry, type: 'division_deleted' } : entry));
    expect(await verify(form(changed), { partial: true })).toContain('entry 6 was changed');
  });
});

test('what is no export is told by its line', async () => {
  expect(await verify([...forms.ndjson(log.slice(0, 1)), 'x'])).toContain('line 2: is no entry');
  expect(await verify(['a,b'])).toContain('line 1: is no entry');
  expect(await verify([])).toMatchObject({ entries: 0 });
});

test('the program says what it has found, and ends accordingly', async () => {
  const program = join(import.meta.dirname, 'verify-audit-export.ts');
  const run = (...files: string[]) =>
    new Promise<[unknown, string]>((resolve) =>
      execFile(process.execPath, [program, ...files], (error, stdout, stderr) =>
        resolve([error?.code ?? 0, `${stdout}${stderr}`]),
      ),
    );
  const [first, second, heads] = ['1.ndjson', '2.csv', 'heads'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(first, forms.ndjson(log.slice(0, 5)).join('\n'));
  await writeFile(second, forms.csv(log.slice(5)).join('\n'));
  await writeFile(heads, `${JSON.stringify(headOf(log, 10))}\n`);
  expect(await run(first, second, '--heads', heads)).toEqual([
    0,
    expect.stringContaining('10 entries of tenant 1, 1 to 10'),
  ]);
  expect(await run(second, first)).toEqual([1, expect.stringContaining('does not belong')]);
  expect(await run(join(folder, 'nowhere'))).toEqual([2, expect.stringContaining('ENOENT')]);
  expect(await run()).toEqual([2, expect.stringContaining('Usage')]);
});
