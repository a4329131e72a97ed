import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { freePort, keySet, natsServerProgram, newSigningKey } from '@sluice/embedded';
import { eventually, testFolder } from '@sluice/testing';
import { manifests, objectsIn } from './objects.ts';
import { podOf } from './pods.ts';
import { kubernetesSecrets, type KubernetesSecret } from './secrets.ts';

const program = join(import.meta.dirname, '../print-kubernetes-secrets.ts');
const run = promisify(execFile);

async function print(folder: string, ...regions: string[]): Promise<KubernetesSecret[]> {
  const options = regions.map((region) => `--region=${region}`);
  const { stdout } = await run(process.execPath, [program, `--folder=${folder}`, ...options]);
  return (JSON.parse(stdout) as { items: KubernetesSecret[] }).items;
}

test('each service has the secrets that its pod mounts, a region of its own, and a second time the same', async () => {
  const folder = await testFolder();
  const secrets = await print(folder, 'cloud_a/us-east-1', 'cloud_b/us-central1');
  expect(secrets.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    'sluice/main-api',
    'sluice/audit',
    'sluice/notifier',
    'sluice-cloud-a-us-east-1/supervisor',
    'sluice-cloud-b-us-central1/supervisor',
    'sluice/admin',
    'sluice-data/databases',
    'sluice-data/postgresql',
    'sluice-data/nats',
  ]);
  for (const { metadata, stringData } of secrets.slice(0, 5)) {
    const [deployment] = objectsIn(
      await readFile(join(manifests, `base/${metadata.name}/deployment.yaml`), 'utf8'),
    );
    const mounted =
      deployment && podOf(deployment)?.containers[0]?.env.filter(({ name }) => name.endsWith('_FILE'));
    const wanted = mounted
      ?.map(({ name }) => name.slice(0, -'_FILE'.length))
      .filter((name) => name !== 'CATALOGUE');
    expect(Object.keys(stringData).sort()).toEqual(wanted?.sort());
  }
  const admin = secrets.find(({ metadata }) => metadata.name === 'admin')?.stringData ?? {};
  expect(Object.keys(admin)).toEqual([
    'NATS_NKEY_SEED',
    'DATABASE_URL.main-api',
    'DATABASE_URL.audit',
    'DATABASE_URL.notifier',
    'DATABASE_URL.supervisor-cloud-a-us-east-1',
    'DATABASE_URL.supervisor-cloud-b-us-central1',
  ]);
  expect(Object.values(admin).slice(1)).toEqual(
    secrets.slice(0, 5).map(({ stringData }) => stringData['DATABASE_URL']),
  );
  const more = await print(folder, 'cloud_a/us-east-1', 'cloud_b/us-central1', 'cloud_b/us-east4');
  const kept = (list: KubernetesSecret[]) =>
    list
      .slice(0, 5)
      .map(({ stringData }) => Object.entries(stringData).filter(([name]) => name !== 'TRUSTED_KEYS'));
  expect(kept(more)).toEqual(kept(secrets));
  // whose word is taken over NATS, and who may come, grows by the new region
  expect(more[0]?.stringData['TRUSTED_KEYS']).toContain('supervisor/cloud_b/us-east4:');
  expect(secrets[0]?.stringData['TRUSTED_KEYS']).not.toContain('us-east4');
});

/** The same without starting the program. */
async function secretsIn(folder: string, ...regions: string[]): Promise<KubernetesSecret[]> {
  return await makeSecrets(folder, regions, false);
}

async function makeSecrets(folder: string, regions: readonly string[], upgrading: boolean) {
  await mkdir(join(folder, 'secrets'), { recursive: true });
  return await kubernetesSecrets(
    { path: (...names) => join(folder, ...names) },
    {
      ...{ namespace: 'sluice', postgresql: 'localhost:5432', smtpUrl: 'smtp://localhost', upgrading },
      regions: regions.map((name) => {
        const [cloud = '', region = ''] = name.split('/');
        return { cloud, region };
      }),
    },
  );
}

test('during a rotation the next and the former signing key are trusted, and the one between them signs', async () => {
  const folder = await testFolder();
  const kept = join(folder, 'secrets/audit.signing');
  await secretsIn(folder, 'cloud_a/us-east-1');
  await cp(`${kept}.json`, `${kept}.former.json`);
  for (const file of ['json', 'next.json']) {
    await writeFile(`${kept}.${file}`, keySet([newSigningKey('audit')]));
  }
  const kidsIn = (set = '') => (JSON.parse(set) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  const kidsOf = async (file: string) => kidsIn(await readFile(`${kept}.${file}`, 'utf8'));
  const [, audit] = await secretsIn(folder, 'cloud_a/us-east-1');
  const trusted = kidsIn(audit?.stringData['TRUSTED_KEYS']).filter((kid) => kid.startsWith('audit:'));
  const all = await Promise.all(['json', 'next.json', 'former.json'].map(kidsOf));
  expect(trusted.sort()).toEqual(all.flat().sort());
  expect(new Set(trusted).size).toBe(3);
  expect(kidsIn(audit?.stringData['SIGNING_KEYS'])).toEqual(await kidsOf('json'));
  expect(audit?.stringData['TRUSTED_KEYS']).not.toContain('"d"');
});

test('beside a notifier of 1.0.0, which does not start without them, the notifier has keys to sign with', async () => {
  const folder = await testFolder();
  const signs = async (upgrading: boolean) =>
    (await makeSecrets(folder, ['cloud_a/us-east-1'], upgrading)).flatMap(({ metadata, stringData }) =>
      'SIGNING_KEYS' in stringData ? metadata.name : [],
    );
  expect(await signs(true)).toEqual(['main-api', 'audit', 'notifier', 'supervisor']);
  expect(await signs(false)).toEqual(['main-api', 'audit', 'supervisor']);
});

test('a NATS server of the example takes over users that are added, and knows the former one of a sender during a rotation', async () => {
  const folder = await testFolder();
  const [port, monitor, data, pid] = [
    await freePort(),
    await freePort(),
    join(folder, 'data'),
    join(folder, 'pid'),
  ];
  const write = async (secrets: KubernetesSecret[]) => {
    const { stringData } = secrets.find(({ metadata }) => metadata.name === 'nats') ?? secrets[0]!;
    await mkdir(join(folder, 'secret'), { recursive: true });
    await writeFile(join(folder, 'secret/users.conf'), stringData['users.conf'] ?? '');
    // it stands alone here
    await writeFile(join(folder, 'secret/cluster.conf'), '');
  };
  const seedOf = (secrets: KubernetesSecret[], region: string) =>
    secrets.find(({ metadata }) => metadata.namespace === `sluice-${region}`)?.stringData['NATS_NKEY_SEED'] ??
    '';
  const enter = async (seed: string) => {
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
    const servers = `127.0.0.1:${port}`;
    await (await connect({ servers, authenticator, reconnect: false })).close();
  };
  const before = await secretsIn(folder, 'cloud_a/us-east-1');
  await write(before);

  const [set] = objectsIn(await readFile(join(manifests, 'examples/data/nats.yaml'), 'utf8')).filter(
    ({ kind }) => kind === 'StatefulSet',
  );
  const [container] = (set && podOf(set)?.containers) ?? [];
  const configuration = (await readFile(join(manifests, 'examples/data/nats.conf'), 'utf8'))
    .replace('port: 4222', `port: ${port}\nhost: 127.0.0.1`)
    .replace('http: 8222', `http: 127.0.0.1:${monitor}`)
    .replace('/tmp/nats.pid', pid)
    .replace('/data', data);
  await writeFile(join(folder, 'nats.conf'), configuration);
  const args = (container!['args'] as string[]).map((argument) =>
    argument.replace('/etc/nats/nats.conf', join(folder, 'nats.conf')),
  );
  const program = await natsServerProgram();
  const server = spawn(program, args, { env: { POD_NAME: 'nats-0' }, stdio: 'ignore' });
  try {
    await eventually(() => enter(seedOf(before, 'cloud-a-us-east-1')));
    const after = await secretsIn(folder, 'cloud_a/us-east-1', 'cloud_b/us-central1');
    await write(after);
    await expect(enter(seedOf(after, 'cloud-b-us-central1'))).rejects.toThrow('Authorization');
    await run(program, ['--signal', `reload=${pid}`]);
    await eventually(() => enter(seedOf(after, 'cloud-b-us-central1')));

    const kept = join(folder, 'secrets/nats-supervisor-cloud_a-us-east-1');
    await rename(`${kept}.nk`, `${kept}.former.nk`);
    const rotated = await secretsIn(folder, 'cloud_a/us-east-1');
    await write(rotated);
    await run(program, ['--signal', `reload=${pid}`]);
    await eventually(() => enter(seedOf(rotated, 'cloud-a-us-east-1')));
    await enter(seedOf(before, 'cloud-a-us-east-1'));
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }
});

test.each([[], ['--folder=x'], ['--folder=x', '--region=nowhere'], ['--folder=x', '--region=cloud_a/*']])(
  'refuses %s %s',
  async (...options) => {
    await expect(run(process.execPath, [program, ...options])).rejects.toThrow('Usage');
  },
);
