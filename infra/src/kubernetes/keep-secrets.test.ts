import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledCode } from '@sluice/testing';
import { namespaces, SecretsServer } from './secrets-server.ts';

const program = join(import.meta.dirname, '../keep-kubernetes-keys.ts');
const environment = {
  REGIONS: 'cloud_a/us-east-1 cloud_b/us-central1',
  POSTGRESQL: 'postgresql.sluice-data:5432',
  DATA_NAMESPACE: 'sluice-data',
};
const everywhere = [
  ...['admin', 'audit', 'keys', 'main-api', 'notifier'].map((name) => `sluice/${name}`),
  ...namespaces.slice(2).map((space) => `${space}/supervisor`),
  ...['databases', 'nats', 'postgresql'].map((name) => `sluice-data/${name}`),
].sort();

let server: SecretsServer;
let kubeconfig: string;
beforeEach(async () => {
  server = new SecretsServer();
  kubeconfig = await server.start();
});
afterEach(() => server.stop());

let kill: () => void;

/** Runs the Job's program. @returns all that it printed @throws when it ends with an error, with the same in its message */
async function run(more: Record<string, string> = {}): Promise<string> {
  const common = { PATH: process.env['PATH'], ...compiledCode(), KUBECONFIG: kubeconfig };
  const env = { ...common, ...environment, ...more };
  const running = promisify(execFile)(process.execPath, [program], { env, timeout: 60_000 });
  kill = () => running.child.kill('SIGKILL');
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

const snapshot = () =>
  JSON.stringify([...server.stored].toSorted().map(([key, { version, data }]) => [key, version, data]));

/** What stands in two Secrets and has to be the same in both. */
function expectConsistent(): void {
  const [main, audit, notifier] = ['main-api', 'audit', 'notifier'].map((name) =>
    server.entries(`sluice/${name}`),
  );
  expect(main?.['MAIL_KEYS']).toBe(notifier?.['MAIL_KEYS']);
  const databases = server.entries('sluice-data/databases');
  expect(audit?.['DATABASE_URL']).toContain(`:${databases['audit']}@`);
  expect(server.entries('sluice/admin')['DATABASE_URL.audit']).toBe(audit?.['DATABASE_URL']);
  for (const key of everywhere.filter((one) => /main-api|audit|notifier|supervisor/.test(one))) {
    const { SIGNING_KEYS, TRUSTED_KEYS } = server.entries(key);
    expect(TRUSTED_KEYS).toBe(main?.['TRUSTED_KEYS']);
    if (SIGNING_KEYS === undefined) continue;
    const { keys } = JSON.parse(SIGNING_KEYS) as { keys: { x: string }[] };
    expect(main?.['TRUSTED_KEYS']).toContain(keys[0]?.x);
  }
}

test('makes all Secrets of an installation, changes nothing a second time, and prints nothing of them', async () => {
  const printed = await run();
  expect([...server.stored.keys()].toSorted()).toEqual(everywhere);
  expectConsistent();
  const before = snapshot();
  const again = await run();
  expect(again).toBe('All Secrets are there.\n');
  expect(snapshot()).toBe(before);
  const values = [...server.stored.keys()].flatMap((key) => Object.values(server.entries(key)));
  for (const value of values.filter((one) => one !== 'smtp://localhost'))
    expect(printed).not.toContain(value.trim());
}, 60_000);

test('two at once make one set', async () => {
  // both have read that nothing is there before one of them writes
  let waiting: (() => void)[] = [];
  server.beforeWrite = async () => {
    if (server.writes > 0 || waiting.length > 1) return;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) waiting.forEach((go) => go());
    });
  };
  const printed = await Promise.all([run(), run()]);
  waiting = [];
  expect(printed.filter((text) => text.includes('Secret sluice/keys: made'))).toHaveLength(1);
  expect([...server.stored.keys()].toSorted()).toEqual(everywhere);
  expectConsistent();
}, 60_000);

test.each([1, 2, 5, 8])(
  'one that is killed at its write %s is continued, with the keys that are there',
  async (last) => {
    server.beforeWrite = () => {
      if (server.writes < last) return;
      kill();
      throw new Error('no answer');
    };
    await expect(run()).rejects.toThrow();
    expect(server.stored.size).toBe(last);
    const kept = server.entries('sluice/keys');
    server.beforeWrite = () => undefined;
    await run();
    expect(server.entries('sluice/keys')).toEqual(kept);
    expect([...server.stored.keys()].toSorted()).toEqual(everywhere);
    expectConsistent();
  },
  60_000,
);

test('a region that is added has keys that all others learn; without its namespace the others have theirs, and the Job is tried again', async () => {
  server.spaces.delete('sluice-cloud-b-us-central1');
  await expect(run()).rejects.toThrow(
    'not all Secrets are there:\nSecret sluice-cloud-b-us-central1/supervisor: the cluster refuses',
  );
  expect([...server.stored.keys()].toSorted()).toEqual(everywhere.filter((key) => !key.includes('central1')));
  server.spaces.add('sluice-cloud-b-us-central1');
  await run();
  expectConsistent();
  const before = server.entries('sluice/main-api');
  await run({ REGIONS: 'cloud_a/us-east-1' });
  expect(server.entries('sluice/main-api')['TRUSTED_KEYS']).not.toContain('us-central1');
  expect(server.entries('sluice/admin')).not.toHaveProperty(['DATABASE_URL.supervisor-cloud-b-us-central1']);
  await run();
  expect(server.entries('sluice/main-api')).toEqual(before);
}, 60_000);

test('a rotation goes by the entries of the Secret keys, and what an operator has put there is taken', async () => {
  server.put('sluice/keys', { 'smtp.url': 'smtp://mail.example\n', 'audit.database': 'chosen' });
  await run();
  expect(server.entries('sluice/notifier')['SMTP_URL']).toBe('smtp://mail.example');
  expect(server.entries('sluice-data/databases')['audit']).toBe('chosen');
  const { 'main-api.keys': former = '', ...others } = server.entries('sluice/keys');
  server.put('sluice/keys', { ...others, 'main-api.keys': `new:key,${former}` });
  expect(await run()).toBe('Secret sluice/main-api: changed\nAll Secrets are there.\n');
  expect(server.entries('sluice/main-api')['SECRETS_KEYS']).toBe(`new:key,${former.trim()}`);
}, 60_000);

test('Secrets without the keys that they were made of stay as they are, and the error says what to do', async () => {
  server.put('sluice/audit', { DATABASE_URL: 'of another' });
  const before = snapshot();
  await expect(run()).rejects.toThrow('Secret sluice/audit is there, but not Secret sluice/keys');
  expect(snapshot()).toBe(before);
}, 60_000);

test('a broken entry is refused without being shown', async () => {
  server.put('sluice/keys', {
    'audit.signing.json': 'not-to-be-shown',
    'nats-audit.nk': 'not-to-be-shown-either',
  });
  const said = await run().catch((error: Error) => error.message);
  expect(said).not.toContain('not-to-be-shown');
  expect([...server.stored.keys()]).toEqual(['sluice/keys']);
}, 60_000);

test.each([
  [{ REGIONS: '' }, 'REGIONS is missing'],
  [{ REGIONS: 'nowhere' }, 'REGIONS has nowhere, which is not <cloud>/<region>'],
  [{ UPGRADING: 'yes' }, 'UPGRADING has to be true or false'],
])('refuses %j', async (settings, message) => {
  await expect(run(settings)).rejects.toThrow(message);
});
