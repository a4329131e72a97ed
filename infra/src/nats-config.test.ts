import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { natsPermissions, topology } from '@sluice/contracts';
import { natsPublicKey } from '@sluice/embedded';

const run = promisify(execFile);
const command = async (file: string, ...args: string[]) =>
  (await run(process.execPath, [join(import.meta.dirname, file), ...args])).stdout;

test('the keys that are made go into a configuration with what their sender may do', async () => {
  const keys = JSON.parse(await command('new-keys.ts', 'supervisor/cloud_a/us-east-1')) as {
    nkey: string;
    NATS_NKEY_SEED: string;
  };
  expect(natsPublicKey(keys.NATS_NKEY_SEED)).toBe(keys.nkey);
  const printed = await command(
    'nats-config.ts',
    '--namespace=other',
    `supervisor/cloud_a/us-east-1=${keys.nkey}`,
  );
  const {
    publish,
    subscribe,
    hears = [],
  } = natsPermissions(topology('other'), 'supervisor/cloud_a/us-east-1');
  const { accounts } = JSON.parse(printed) as { accounts: Record<string, unknown> };
  expect(Object.keys(accounts)).toEqual(['SLUICE', 'supervisor.cloud_a.us-east-1']);
  expect(accounts['supervisor.cloud_a.us-east-1']).toEqual({
    users: [
      { nkey: keys.nkey, permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } } },
    ],
    exports: [],
    imports: [
      ...publish.map((subject) => ({ service: { account: 'SLUICE', subject } })),
      ...hears.map((subject) => ({ stream: { account: 'SLUICE', subject } })),
    ],
  });
});

test('the notifier has no key to sign with', async () => {
  expect(Object.keys(JSON.parse(await command('new-keys.ts', 'notifier')) as object)).toEqual([
    'NATS_NKEY_SEED',
    'nkey',
  ]);
});

test('one of the keys is printed alone, for a file', async () => {
  const { keys } = JSON.parse(await command('new-keys.ts', 'audit', 'SIGNING_KEYS')) as { keys: unknown[] };
  expect(keys).toHaveLength(1);
  expect(await command('new-keys.ts', 'notifier', 'NATS_NKEY_SEED')).toMatch(/^SU[A-Z2-7]{56}\n$/);
});

test.each([
  ['nats-config.ts', []],
  ['nats-config.ts', [`stranger=U${'A'.repeat(55)}`]],
  ['nats-config.ts', ['main-api=UABC']],
  ['nats-config.ts', [`supervisor/cloud_a/>=U${'A'.repeat(55)}`]],
  ['new-keys.ts', []],
  ['new-keys.ts', ['supervisor/*/us-east-1']],
  ['new-keys.ts', ['notifier', 'SIGNING_KEYS']],
])('%s %j is refused', async (file, args) => {
  await expect(command(file, ...args)).rejects.toThrow('Usage');
});
