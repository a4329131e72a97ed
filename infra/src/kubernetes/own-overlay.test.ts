import { globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { repository } from '../settings.ts';
import { manifests, rendered, type KubernetesObject } from './objects.ts';
import { lacksOf, podOf } from './pods.ts';
import { faultsOf } from './schema.ts';

const parts = ['cluster', 'control-plane', 'regions/cloud-a-us-east-1', 'regions/cloud-b-us-central1'];

/** An installation's own folder beside a copy of the release, as docs/operations/kubernetes.md makes it. */
async function ownFolder(): Promise<string> {
  const folder = await testFolder();
  await cp(join(manifests, 'examples/own-overlay'), folder, { recursive: true });
  await mkdir(join(folder, 'sluice'));
  await cp(manifests, join(folder, 'sluice/k8s'), { recursive: true });
  const catalogue = await readFile(join(repository, 'infra/catalogue.yaml'), 'utf8');
  await writeFile(join(folder, 'control-plane/catalogue.yaml'), `# ours\n${catalogue}`);
  return folder;
}

/** What kustomize makes of all parts; undefined, with a warning, where there is no kubectl. */
async function renderedAll(folder: string): Promise<KubernetesObject[] | undefined> {
  const found = await Promise.all(parts.map((part) => rendered(join(folder, part))));
  if (!found.includes(undefined)) return found.flatMap((objects) => objects ?? []);
  console.warn('the overlay of its own is not looked at: there is no kubectl on PATH');
  return undefined;
}

const dataOf = (objects: readonly KubernetesObject[], name: string) =>
  objects.flatMap((object) =>
    object.kind === 'ConfigMap' && object.metadata.name.startsWith(name)
      ? [object['data'] as Record<string, string>]
      : [],
  );

test('an overlay outside of the tree changes all that differs between installations, and no file of the release', async () => {
  const folder = await ownFolder();
  const settings = join(folder, 'settings/kustomization.yaml');
  const text = await readFile(settings, 'utf8');
  // an upgrade: one file
  await writeFile(settings, text.replaceAll(/(newTag: |sluice\/node:)dev/g, '$19.9.9'));
  const objects = await renderedAll(folder);
  if (!objects) return;
  expect(objects.flatMap(faultsOf)).toEqual([]);
  const pods = objects.flatMap((object) => podOf(object) ?? []);
  expect(pods.flatMap(lacksOf)).toEqual([]);
  const images = new Set(pods.flatMap(({ containers }) => containers.map(({ image }) => image)));
  const services = ['admin', 'audit', 'console', 'main-api', 'notifier', 'supervisor'];
  expect([...images].sort()).toEqual(services.map((name) => `registry.example/sluice/${name}:9.9.9`));
  for (const data of dataOf(objects, 'installation'))
    expect(data).toMatchObject({
      NODE_IMAGE: 'registry.example/sluice/node:9.9.9',
      NATS_URL: 'nats://nats.messages.example:4222',
      // as the release has it
      NATS_NAMESPACE: 'sluice',
    });
  expect(dataOf(objects, 'catalogue')).toEqual([
    { 'catalogue.yaml': expect.stringMatching(/^# ours\n/) as string },
  ]);
  const all = JSON.stringify(objects);
  for (const host of ['api', 'audit', 'console', 'us-east-1.cloud-a', 'us-central1.cloud-b'])
    expect(all).toContain(`"host":"${host}.messages.example"`);
  expect(all).not.toMatch(/replaced\.example|:region"|sluice\.example"/);
  const copies = globSync('**/*', { cwd: manifests, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of copies) {
    const file = join(parentPath, name).slice(manifests.length);
    expect([file, await readFile(join(folder, 'sluice/k8s', file), 'utf8')]).toEqual([
      file,
      await readFile(join(manifests, file), 'utf8'),
    ]);
  }
});

test('everything that connects to PostgreSQL or NATS verifies it by a CA that is mounted', async () => {
  const objects = await renderedAll(await ownFolder());
  if (!objects) return;
  // the Job of keys speaks to the cluster alone, and the console to the three layers
  const connecting = objects.filter(
    ({ kind, metadata: { name } }) => !['CronJob keys', 'Deployment console'].includes(`${kind} ${name}`),
  );
  const pods = connecting.flatMap((object) => podOf(object) ?? []);
  expect(pods.length).toBe(4 + 2 + 2);
  for (const { containers, volumes } of pods)
    for (const { name, env, volumeMounts } of containers) {
      const files = Object.fromEntries(env.map((one) => [one.name, one.value]));
      // sluice-dumps speaks to PostgreSQL alone
      const wanted = { DATABASE_TLS_CA_FILE: 'postgresql-ca', NATS_TLS_CA_FILE: 'nats-ca' };
      for (const [setting, map] of Object.entries(wanted)) {
        if (setting === 'NATS_TLS_CA_FILE' && ['dumps', 'restore'].includes(name)) continue;
        const mount = volumeMounts.find(({ mountPath }) => files[setting]?.startsWith(`${mountPath}/`));
        expect([name, files[setting]]).toEqual([name, `${mount?.mountPath}/ca.crt`]);
        expect(volumes.find((volume) => volume.name === mount?.name)).toMatchObject({
          configMap: { name: map },
        });
      }
    }
});

test('no runbook changes a file of the release', async () => {
  const texts = await Promise.all(
    globSync('docs/operations/*.md', { cwd: repository }).map((file) =>
      readFile(join(repository, file), 'utf8'),
    ),
  );
  const commands = texts.flatMap((text) =>
    [...text.matchAll(/^ *```sh\n([^]*?)```/gm)].map(([, block = '']) => block),
  );
  expect(commands.length).toBeGreaterThan(50);
  const lines = commands.flatMap((block) => block.split('\n'));
  const changing = /\b(sed -i|cp|mv|tee|rm)\b.* k8s\/(base|components|overlays)\/|>\s*k8s\//;
  expect(lines.filter((line) => changing.test(line))).toEqual([]);
  expect(changing.test('sed -i s/a/b/ k8s/components/installation/kustomization.yaml')).toBe(true);
});
