import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { signer, type SigningKeys } from '@sluice/contracts';
import { emptyChain, hashOfEntry, headContext, headText } from '@sluice/contracts/audit-chain';
import { csvHeader, csvLine, ndjsonLine, type ExportedEntry } from '@sluice/contracts/audit-export';
import { Broken, entriesOf, verifyEntries, type KnownHead } from '@sluice/contracts/audit-proof';
import { testFolder } from '@sluice/testing';

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
    expect(await verify(form(log))).toEqual({ ...whole, heads: 0, vouched: 0, head: undefined });
    const heads = [headOf(log, 4), headOf(log, 10), { ...headOf(log, 4), tenant_id: 2 }];
    const agreed = { heads: 2, vouched: 10, head: headOf(log, 10) };
    expect(await verify(form(log), { heads, name: 'export.gz' })).toEqual({ ...whole, ...agreed });
    expect(await verify(form(log.slice(4)), { heads })).toMatchObject({ entries: 6, first: 5, heads: 2 });
  });

  test('says at which entry it is not', async () => {
    const [a, b, c, d, ...rest] = log as [ExportedEntry, ExportedEntry, ExportedEntry, ExportedEntry];
    const changed = { ...b, data: { name: 'other' } };
    expect(await verify(form([a, changed, c, d]))).toBe(`${line(2)}: entry 2 was changed`);
    expect(await verify(form([a, b, d, ...rest]))).toBe(`${line(3)}: entry 3 is missing before entry 4`);
    expect(await verify(form([a, ...rest]))).toBe(`${line(2)}: entries 2 to 4 are missing before entry 5`);
    expect(await verify(form([a, c, b, d]))).toBe(`${line(3)}: entry 2 was moved: it stands behind entry 3`);
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
    // of what stands alone a head says something only if it is that of the entry
    const heads = [headOf(log, 5), headOf(log, 6)];
    expect(await verify(form(some), { partial: true, heads })).toMatchObject({ heads: 1, vouched: 1 });
    const changed = some.map((entry) => (entry.seq === 6 ? { ...entry, type: 'division_deleted' } : entry));
    expect(await verify(form(changed), { partial: true })).toContain('entry 6 was changed');
  });
});

test('what is no export is reported by its line', async () => {
  expect(await verify([...forms.ndjson(log.slice(0, 1)), 'x'])).toContain('line 2: is no entry');
  expect(await verify(['a,b'])).toContain('line 1: is no entry');
  expect(await verify([])).toMatchObject({ entries: 0 });
});

const program = join(import.meta.dirname, 'verify-audit-export.ts');
const run = (...args: string[]) =>
  new Promise<[unknown, string]>((resolve) =>
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve([error?.code ?? 0, `${stdout}${stderr}`]),
    ),
  );
async function fileOf(name: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, lines.join('\n'));
  return file;
}

test('the program says what it has found, and ends accordingly', async () => {
  const first = await fileOf('1.ndjson', forms.ndjson(log.slice(0, 5)));
  const second = await fileOf('2.csv', forms.csv(log.slice(5)));
  const heads = await fileOf('heads', ['', JSON.stringify(headOf(log, 10)), '{"tenant_id": 1, "se']);
  const [code, output] = await run(first, second, '--heads', heads);
  expect([code, output]).toEqual([0, expect.stringContaining('10 entries of tenant 1, 1 to 10')]);
  expect(output).toContain('all 10 entries, up to 10, are those of heads that were published');
  expect(output).toContain('Not proven: that these heads are the word of the audit service');
  expect(output).toContain(`Left out: 1 that are no heads of a log (${heads}, line 3).`);
  expect((await run(first))[1]).toContain('no head vouches for it');
  expect(await run(second, first)).toEqual([1, expect.stringContaining('does not belong')]);
  expect(await run(join(folder, 'nowhere'))).toEqual([2, expect.stringContaining('ENOENT')]);
  expect(await run(first, '--heads', second)).toEqual([2, expect.stringContaining('no head of a log')]);
  expect(await run()).toEqual([2, expect.stringContaining('Usage')]);
});

describe('heads that are signed', () => {
  const newKey = (kid: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwk = {
      kty: 'OKP',
      crv: 'Ed25519',
      ...privateKey.export({ format: 'jwk' }),
      kid,
    } as SigningKeys[0];
    const { kty, crv, x } = jwk;
    const known = { kty, crv, x, kid };
    return { sign: signer([jwk]), known, jwk, pem: publicKey.export({ type: 'spki', format: 'pem' }) };
  };
  const audit = newKey('audit:1');
  const mainApi = newKey('main-api:1');
  const stranger = newKey('audit:1');
  const signed = async (seq: number, { sign } = audit, at = '2026-03-02T00:00:00.000Z') => {
    const head = { ...headOf(log, seq), at, recorded_at: at };
    return JSON.stringify({ ...head, signature: await sign(headContext, headText(head)) });
  };
  const jwks = JSON.stringify({ keys: [mainApi.known, audit.known] });
  const whole = () => fileOf('whole.ndjson', forms.ndjson(log));

  test.each([
    ['a set of keys', jwks],
    ['a key', JSON.stringify(audit.known)],
    ['a key in PEM', String(audit.pem)],
  ])(
    'with %s: says for how many entries they vouch, since when, and for what they do not',
    async (_, key) => {
      const heads = await fileOf('signed', [await signed(4), await signed(8)]);
      const [code, output] = await run(await whole(), '--heads', heads, '--key', await fileOf('key', [key]));
      expect([code, output.split('\n')]).toEqual([
        0,
        expect.arrayContaining([
          'Proven: 8 of 10 entries, up to 8, are those that the audit service had by 2026-03-02T00:00:00.000Z: 2 heads agree, signed by audit:1.',
          'Not proven: 2 entries that no head is chained to: the owner of the database could have written them anew.',
          'Not proven: that entry 10 is the last of the log.',
        ]),
      ]);
    },
  );

  test('by another key, by another service, or not at all say nothing', async () => {
    const changed = JSON.stringify({
      ...(JSON.parse(await signed(10)) as object),
      at: '2025-01-01T00:00:00Z',
    });
    const heads = await fileOf('refused', [
      ...[await signed(10, stranger), await signed(10, mainApi), changed],
      ...[
        JSON.stringify(headOf(log, 10)),
        JSON.stringify({ ...headOf(log, 10), at: '', signature: 'e30..' }),
      ],
    ]);
    const [code, output] = await run(await whole(), '--heads', heads, '--key', await fileOf('key', [jwks]));
    expect([code, output]).toEqual([1, expect.stringContaining('no head vouches for it')]);
    expect(output).toContain('Left out: 5 that are not signed by the audit service with this key');
  });

  test('contradict a log that was written anew, also when it is chained', async () => {
    const heads = await fileOf('signed', [await signed(8)]);
    const anew = await fileOf('anew.ndjson', forms.ndjson(aLog(10, 'Anew')));
    const key = await fileOf('key', [jwks]);
    expect(await run(anew, '--heads', heads, '--key', key)).toEqual([
      1,
      expect.stringContaining('the log was written anew'),
    ]);
  });

  test.each([
    ['a private key', JSON.stringify(audit.jwk), 'private key'],
    ['the keys of others', JSON.stringify({ keys: [mainApi.known] }), 'no key of the audit service'],
    ['something else', 'x', 'JSON'],
  ])('are not verified with %s', async (_, key, reason) => {
    const heads = await fileOf('signed', [await signed(8)]);
    const answer = await run(await whole(), '--heads', heads, '--key', await fileOf('key', [key]));
    expect(answer).toEqual([2, expect.stringContaining(reason)]);
  });
});
