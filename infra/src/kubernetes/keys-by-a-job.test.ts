import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testFolder } from '@sluice/testing';
import { repository } from '../settings.ts';
import { SecretsServer } from './secrets-server.ts';

/**
 * The block of docs/operations/kubernetes.md that works without the sources, with those of rotations: Secrets are read and written by
 * the real kubectl at a server for Secrets, and a Job that is created is run here, with its variables.
 */

const run = promisify(execFile);
let server: SecretsServer;
let kubeconfig: string;
let folder: string;
let hasKubectl: boolean;
beforeAll(async () => {
  hasKubectl = await run('kubectl', ['version', '--client']).then(
    () => true,
    () => false,
  );
  if (!hasKubectl) console.warn('the commands of keys by a Job are not run: there is no kubectl on PATH');
});
beforeEach(async () => {
  server = new SecretsServer();
  kubeconfig = await server.start();
  folder = await testFolder();
  await writeFile(join(folder, 'kubectl'), kubectl, { mode: 0o755 });
});
afterEach(() => server.stop());

const program = (name: string) => join(import.meta.dirname, '..', name);
const job = {
  ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'keys-1' } },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'keys', image: 'sluice/admin:dev' }] } },
  },
};
/** What needs more of a cluster than Secrets is done here. */
const kubectl = `#!/usr/bin/env bash
set -euo pipefail
PATH=\${PATH#*:}
case "$*" in
  *'create job keys-'*' --from=cronjob/keys --dry-run=client -o yaml') echo '${JSON.stringify(job)}' ;;
  'create -f -') tee "$FOLDER/job.yaml" > /dev/null
    mapfile -t variables < <(sed -nE '/ env:/,/image:/ { s/ *- name: (.*)/\\1/p; s/ *value: /=/p }' < "$FOLDER/job.yaml" | tr -d '"' | paste -d '' - -)
    env DATA_NAMESPACE=sluice-data "\${variables[@]}" node ${program('keep-kubernetes-keys.ts')} > "$FOLDER/log" ;;
  '-n sluice wait --for=condition=complete --timeout=10m job/keys-'*) ;;
  '-n sluice logs job/keys-'*) cat "$FOLDER/log" ;;
  '-n sluice exec deployment/admin -- new-keys '*) shift 6; node ${program('new-keys.ts')} "$@" ;;
  # there is no document of the API to validate by
  'replace -f -') exec kubectl replace --validate=false -f - ;;
  *) exec kubectl "$@" ;;
esac
`;

/** The blocks below a heading of a runbook. */
async function blocks(document: string, heading: string): Promise<string[]> {
  const text = await readFile(join(repository, `docs/operations/${document}.md`), 'utf8');
  const section = new RegExp(`^#+ ${heading}\\n([^]*?)(?=^#+ )`, 'm').exec(`${text}\n# `)?.[1] ?? '';
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
}

/** Runs commands behind the definitions. */
async function bash(...commands: string[]): Promise<string> {
  const [definitions = ''] = await blocks('kubernetes', 'Commands');
  const [byJob = ''] = await blocks('kubernetes', 'Keys by a Job');
  const script = [
    'set -euo pipefail',
    definitions,
    byJob,
    ...['restart() { :; }', 'reload_nats() { :; }'],
    ...commands,
  ].join('\n');
  const env = {
    ...{ PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder, TMPDIR: folder },
    ...{ KUBECONFIG: kubeconfig, FOLDER: folder },
  };
  const { stdout, stderr } = await run('bash', ['-c', script], { env, timeout: 120_000 });
  return stdout + stderr;
}

test('makes the keys of an installation without a checkout, and of a region that is added', async () => {
  if (!hasKubectl) return;
  await bash('secrets');
  expect(server.stored.size).toBe(10);
  const before = server.entries('sluice/main-api');
  await bash('regions+=(cloud_b/us-east4)', 'secrets || true');
  expect(server.entries('sluice/admin')).toHaveProperty(['DATABASE_URL.supervisor-cloud-b-us-east4']);
  expect(server.entries('sluice/main-api')).toEqual({
    ...before,
    TRUSTED_KEYS: expect.stringContaining('us-east4') as string,
  });
}, 120_000);

test('an upgrade has the Job of the next release give its permissions', async () => {
  if (!hasKubectl) return;
  await bash('secrets');
  const imageOfJob = async () => /image: (.*)/.exec(await readFile(join(folder, 'job.yaml'), 'utf8'))?.[1];
  expect(await imageOfJob()).toBe('sluice/admin:dev');
  await bash('keys_image=sluice/admin:next', 'secrets --upgrading');
  expect(await imageOfJob()).toBe('sluice/admin:next');
  expect(await readFile(join(folder, 'job.yaml'), 'utf8')).toMatch(/name: UPGRADING\s+value: "true"/);
}, 120_000);

test('rotations of the runbook work with it', async () => {
  if (!hasKubectl) return;
  const [definition = '', ofMainApi = ''] = await blocks('rotate-keys', 'What is stored');
  const [next = '', signs = '', last = ''] = await blocks('rotate-keys', 'What a service signs with');
  await bash('secrets');
  const before = server.entries('sluice/main-api');
  const kidsIn = (text = '') => (JSON.parse(text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  const trusted = () =>
    kidsIn(server.entries('sluice/notifier')['TRUSTED_KEYS']).filter((kid) => kid.startsWith('audit:'));
  const signing = () => kidsIn(server.entries('sluice/audit')['SIGNING_KEYS']);
  await bash(definition, ofMainApi, next);
  expect(server.entries('sluice/main-api')['SECRETS_KEYS']).toMatch(/^[0-9a-f]{8}:[^,]{44},/);
  expect(server.entries('sluice/main-api')['SECRETS_KEYS']).toContain(`,${before['SECRETS_KEYS']}`);
  const former = signing();
  expect(trusted()).toHaveLength(2);
  await bash(signs);
  expect(trusted()).toHaveLength(2);
  expect(signing()).not.toEqual(former);
  // as for a region that is removed
  await bash(last, 'mkdir "$keys/removed"', 'mv "$keys/smtp.url" "$keys/removed/" || true', 'secrets');
  expect(trusted()).toEqual(signing());
}, 180_000);

test('keys that were changed meanwhile are not written over', async () => {
  if (!hasKubectl) return;
  await bash('secrets');
  server.put('sluice/keys', { ...server.entries('sluice/keys'), 'smtp.url': 'smtp://mail.example' });
  const before = server.entries('sluice/keys');
  await expect(bash('keys_version=1', 'rm "$keys/smtp.url"', 'secrets')).rejects.toThrow('has been modified');
  expect(server.entries('sluice/keys')).toEqual(before);
}, 60_000);
