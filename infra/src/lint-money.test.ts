import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testFolder } from '@sluice/testing';
import { repository } from './settings.ts';

const oxlint = join(repository, 'node_modules/.bin/oxlint');

/** The lines of files with these texts, by their places in the repository, that are refused for their floats. */
async function refused(texts: Record<string, string[]>): Promise<Record<string, number[]>> {
  const root = await testFolder();
  const config = await readFile(join(repository, '.oxlintrc.json'), 'utf8');
  await writeFile(join(root, '.oxlintrc.json'), config.replace('"typeAware": true', '"typeAware": false'));
  await mkdir(join(root, 'infra'));
  await copyFile(join(repository, 'infra/lint-money.mjs'), join(root, 'infra/lint-money.mjs'));
  for (const [file, lines] of Object.entries(texts)) {
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, lines.join('\n'));
  }
  const { stdout } = await promisify(execFile)(oxlint, ['--format', 'json'], { cwd: root }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[];
  };
  const found = Object.fromEntries(Object.keys(texts).map((file): [string, number[]] => [file, []]));
  for (const { code, filename, labels } of diagnostics)
    if (code.includes('no-float-money'))
      found[filename.replace(/^.*?(?=(?:services|packages)\/)/, '')]?.push(labels[0]?.span.line ?? 0);
  return found;
}

const floats = [
  "export const a = parseFloat('1.10');",
  "export const b = Number('1.10');",
  'export const c = (cents: number) => cents / 100;',
  'export const d = (line: { total_usd: number }) => 2 * line.total_usd;',
  'export const e = (amount: string) => +amount;',
  "export const f = Number.parseFloat('1.10');",
];
const decimals = [
  "import { Decimal } from 'decimal.js';",
  'export const a = (amount: Decimal) => amount.times(2).toFixed(2);',
  'export const b = (seconds: string) => Number(seconds) + 1;',
  'export const c = (days: number) => days * 86_400;',
];

test('money as a float is refused in billing and where prices are reckoned, and nowhere else', async () => {
  const lines = floats.map((_, position) => position + 1);
  const texts = {
    'services/main-api/src/features/billing/one.ts': floats,
    'packages/billing/src/two.ts': decimals,
    'packages/catalogue/src/prices.ts': floats,
    'packages/catalogue/src/catalogue.ts': floats,
  };
  expect(await refused(texts)).toEqual({
    'services/main-api/src/features/billing/one.ts': lines,
    'packages/billing/src/two.ts': [],
    'packages/catalogue/src/prices.ts': lines,
    'packages/catalogue/src/catalogue.ts': [],
  });
});
