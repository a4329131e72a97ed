import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testFolder } from '@sluice/testing';
import { manifests, objectsIn } from './objects.ts';
import { podOf } from './pods.ts';
import type { KubernetesSecret } from './secrets.ts';

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

test.each([[], ['--folder=x'], ['--folder=x', '--region=nowhere'], ['--folder=x', '--region=cloud_a/*']])(
  'refuses %s %s',
  async (...options) => {
    await expect(run(process.execPath, [program, ...options])).rejects.toThrow('Usage');
  },
);
