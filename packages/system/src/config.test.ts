import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('all problems are reported at once, a line each, and no value', () => {
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

describe('a file in place of a value', () => {
  let folder: string;
  const secrets = z.discriminatedUnion('KIND', [
    z.object({ KIND: z.literal('key'), KEY: z.string().min(8), CA_FILE: z.string().optional() }),
    z.object({ KIND: z.literal('none') }),
  ]);
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'config-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const holding = async (content: string) => {
    const file = join(folder, 'value');
    await writeFile(file, content);
    return file;
  };

  test('is read, without the end of its line', async () => {
    const KEY_FILE = await holding('hunter2hunter2\n');
    expect(readConfig(secrets, { KIND: 'key', KEY_FILE })).toEqual({ KIND: 'key', KEY: 'hunter2hunter2' });
  });

  test('is checked like any value, and not shown', async () => {
    const KEY_FILE = await holding('hunter2');
    expect(() => readConfig(secrets, { KIND: 'key', KEY_FILE })).toThrow(
      /^The configuration is not usable:\n {2}KEY: has to be at least 8$/,
    );
  });

  test('that is not there is reported by the name of its variable', () => {
    const KEY_FILE = join(folder, 'missing');
    expect(() => readConfig(secrets, { KIND: 'key', KEY_FILE })).toThrow(
      /usable:\n {2}KEY: the file that KEY_FILE names cannot be read \(ENOENT\)$/,
    );
  });

  test('beside the value itself is refused', async () => {
    const KEY_FILE = await holding('hunter2hunter2');
    expect(() => readConfig(secrets, { KIND: 'key', KEY: 'another one', KEY_FILE })).toThrow(
      'KEY: is given twice, also by KEY_FILE',
    );
  });

  test('is left alone where the name is a setting of its own, or of nothing', () => {
    const environment = { KIND: 'key', KEY: 'hunter2hunter2', CA_FILE: '/nowhere', OTHER_FILE: '/nowhere' };
    expect(readConfig(secrets, environment)).toMatchObject({ CA_FILE: '/nowhere' });
  });
});
