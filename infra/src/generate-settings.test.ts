import { z } from 'zod';
import { misspelledSettings } from '@sluice/system';
import { settingsOf } from './generate-settings.ts';
import { settingNames } from './generated/setting-names.ts';
import { table } from './markdown.ts';

test('a setting has its description, its values and its default', () => {
  const settings = settingsOf(
    z.object({
      PORT: z.coerce.number().describe('port to listen on'),
      LEVEL: z.enum(['low', 'high']).default('low').describe('how much'),
      FLAG: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .default(false)
        .describe('whether'),
      NOTE: z.string().optional().describe('anything'),
    }),
  );
  expect(settings).toEqual([
    { name: 'PORT', description: 'port to listen on', fallback: undefined },
    { name: 'LEVEL', description: 'how much: `low`, `high`', fallback: 'low' },
    { name: 'FLAG', description: 'whether: `true`, `false`', fallback: 'false' },
    { name: 'NOTE', description: 'anything', fallback: '' },
  ]);
});

test('the branches of a union are joined', () => {
  const settings = settingsOf(
    z.discriminatedUnion('KIND', [
      z.object({ KIND: z.literal('a').describe('which'), A: z.string().describe('of a') }),
      z.object({ KIND: z.literal('b').describe('which'), B: z.string().describe('of b') }),
    ]),
  );
  expect(settings.map(({ name, description }) => `${name} ${description}`)).toEqual([
    'KIND which: `a`, `b`',
    'A of a',
    'B of b',
  ]);
});

test('a setting without a description is refused', () => {
  expect(() => settingsOf(z.object({ PORT: z.string() }))).toThrow('PORT has no description');
});

test('cells of a table show what Markdown would read as its own', () => {
  expect(table(['a', 'b'], [['x|y', '<id>']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | \\<id> |');
});

test('no service takes the setting of another one for a misspelled one of its own', () => {
  const all = new Set<string>(Object.values(settingNames).flat());
  const given = Object.fromEntries(
    [...all].flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, 'x']),
  );
  for (const names of Object.values(settingNames))
    expect([...misspelledSettings(new Set(names), given)]).toEqual([]);
});
