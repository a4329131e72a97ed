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

describe('a variable that is almost called like a setting', () => {
  const settings = z.object({
    LOG_LEVEL: z.string().optional(),
    DATABASE_URL: z.string().optional(),
    HOST: z.string().optional(),
    PORT: z.string().optional(),
    HTTPS_PROXY: z.string().optional(),
    KUBERNETES_OWNER: z.string().optional(),
  });
  const read = (name: string) => readConfig(settings, { [name]: 'hunter2' }, { refusesMisspelled: true });

  test.each([
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URL_FLIE', 'DATABASE_URL_FILE'],
    ['KUBERNETES_OWNR', 'KUBERNETES_OWNER'],
  ])('is refused, with the name that is meant: %s', (name, meant) => {
    expect(() => read(name)).toThrow(`usable:\n  ${name}: is no setting; ${meant} is one`);
    expect(() => readConfig(settings, { [name]: 'x' })).not.toThrow();
  });

  test.each([
    // of the system and of other programs
    ...['PATH', 'HOME', 'HOSTNAME', 'HOSTS', 'POST', 'PORTS', 'HTTP_PROXY', 'NO_PROXY', 'NODE_OPTIONS'],
    // of Kubernetes, for Services called audit, database and log
    ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT', 'KUBERNETES_PORT_443_TCP_ADDR', 'AUDIT_PORT'],
    ...['DATABASE_PORT', 'DATABASE_SERVICE_HOST', 'DATABASE_SERVICE_PORT_SQL', 'LOG_PORT_80_TCP'],
  ])('is left alone where it may be of others: %s', (name) => expect(() => read(name)).not.toThrow());
});
