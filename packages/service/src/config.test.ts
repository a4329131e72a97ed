import { testKeys } from '@sluice/testing';
import { z } from 'zod';
import { ConfigError, readConfig, serviceEnvironment } from './config.ts';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';

const good = {
  PORT: '8080',
  DATABASE_URL: 'postgresql://u:hunter2@localhost/db',
  NATS_URL: 'nats://localhost:4222',
  TRUSTED_KEYS: testKeys.trusted,
};

test('values are typed and defaults filled in; empty variables count as absent', () => {
  const configuration = readConfig(serviceEnvironment, {
    ...good,
    LOG_LEVEL: '',
    VALIDATE_RESPONSES: 'true',
  });
  expect(configuration).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    VALIDATE_RESPONSES: true,
  });
});

test('every problem is reported at once, and no value', () => {
  const shape = serviceEnvironment.extend({
    SECRETS_KEYS: secretKeysSchema,
    CLOUD: z.enum(['cloud_a', 'cloud_b']),
  });
  const read = () =>
    readConfig(shape, {
      PORT: '99999',
      DATABASE_URL: 'mysql://u:hunter2@localhost/db',
      LOG_LEVEL: 'hunter2',
      SECRETS_KEYS: 'a:hunter2',
      CLOUD: 'hunter2',
    });
  expect(read).toThrow(ConfigError);
  try {
    read();
  } catch (error) {
    const message = String(error);
    for (const name of ['PORT', 'DATABASE_URL', 'NATS_URL', 'LOG_LEVEL', 'SECRETS_KEYS', 'CLOUD']) {
      expect(message).toContain(`  ${name}: `);
    }
    expect(message).toContain('NATS_URL: is missing');
    expect(message).toContain('CLOUD: has to be one of cloud_a, cloud_b');
    expect(message).not.toContain('hunter2');
  }
});

describe('stored secrets', () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
  const box = (keys: string) => secretBox(secretKeysSchema.parse(keys));

  test('are opened by the key that sealed them, also after a newer key has come', async () => {
    const sealed = await box(`old:${key(1)}`).seal('swordfish');
    expect(sealed).not.toContain('swordfish');
    expect(await box(`new:${key(2)},old:${key(1)}`).open(sealed)).toBe('swordfish');
  });

  test('are not opened without their key or when changed', async () => {
    const sealed = await box(`old:${key(1)}`).seal('swordfish');
    await expect(box(`new:${key(2)}`).open(sealed)).rejects.toThrow();
    const [header, cek, iv, text, tag] = sealed.split('.') as [string, string, string, string, string];
    const changed = [header, cek, iv, (text.startsWith('A') ? 'B' : 'A') + text.slice(1), tag].join('.');
    await expect(box(`old:${key(1)}`).open(changed)).rejects.toThrow();
  });
});
