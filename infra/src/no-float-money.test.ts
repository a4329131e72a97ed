import { ESLint } from 'eslint';
import { repository } from './settings.ts';

const eslint = new ESLint({ cwd: repository });
const folder = `${repository}/services/main-api/src`;

/** The lines of a file of billing with this text that are refused for its floats. */
async function refused(text: string, file = 'features/billing/money.ts'): Promise<number[]> {
  const [result] = await eslint.lintText(text, { filePath: `${folder}/${file}` });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'sluice/no-float-money')
    .map(({ line }) => line);
}

test('money as a float is refused in billing and where prices are reckoned, and nowhere else', async () => {
  const floats = [
    "export const a = parseFloat('1.10');",
    "export const b = Number('1.10');",
    'export const c = (amount: number) => amount.toFixed(2);',
    'export const d = (cents: number) => cents / 100;',
    'export const e = (line: { total_usd: number }) => 2 * line.total_usd;',
    'export const f = (amount: string) => +amount;',
    "export const g = Number.parseFloat('1.10');",
  ];
  const lines = floats.map((_, position) => position + 1);
  expect(await refused(floats.join('\n'))).toEqual(lines);
  expect(await refused(floats.join('\n'), 'catalogue/prices.ts')).toEqual(lines);
  expect(await refused(floats.join('\n'), 'catalogue/catalogue.ts')).toEqual([]);
}, 120_000);

test('decimals and whole seconds are not', async () => {
  const text = [
    "import { Decimal } from 'decimal.js';",
    'export const a = (amount: Decimal) => amount.times(2).toFixed(2);',
    'export const b = (seconds: string) => Number(seconds) + 1;',
    'export const c = (days: number) => days * 86_400;',
  ];
  expect(await refused(text.join('\n'))).toEqual([]);
}, 120_000);
