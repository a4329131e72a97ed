import { z } from 'zod';
import { ConfigError, readConfig } from './config.ts';

const shape = z.object({
  PORT: z.coerce.number().int().min(0).max(65535),
  LEVEL: z.enum(['warn', 'info']).default('info'),
  REGION: z.string().regex(/^[a-z]+$/, 'has to be lowercase letters'),
  ADDRESS: z.url({ protocol: /^https$/ }),
});

test('values are typed and defaults filled in; empty variables count as absent', () => {
  const environment = { PORT: '80', LEVEL: '', REGION: 'north', ADDRESS: 'https://x', OTHER: 'kept out' };
  expect(readConfig(shape, environment)).toEqual({
    PORT: 80,
    LEVEL: 'info',
    REGION: 'north',
    ADDRESS: 'https://x',
  });
});

test('every problem is told at once, a line each, and no value', () => {
  const read = () =>
    readConfig(shape, { PORT: '99999', LEVEL: 'hunter2', REGION: 'hunter2', ADDRESS: 'ftp://hunter2' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(
    [
      'The configuration is not usable:',
      '  PORT: has to be at most 65535',
      '  LEVEL: has to be one of warn, info',
      '  REGION: has to be lowercase letters',
      '  ADDRESS: has to be a valid url',
    ].join('\n'),
  );
});

test('what is missing is called missing, also when it is there but empty', () => {
  expect(() => readConfig(shape, { PORT: '', REGION: 'north', ADDRESS: 'https://x' })).toThrow(
    'The configuration is not usable:\n  PORT: is missing',
  );
});
