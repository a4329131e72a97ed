import { globSync } from 'node:fs';
import { stringify } from 'yaml';
import { manifests, type KubernetesObject } from '../kubernetes/objects.ts';
import { kustomized } from './bases.ts';
import { imageNames, textOf, type Reference } from './images.ts';

/** `install.yaml`: all that the example for one machine has, with the images of a release. */
export async function installation(
  version: string,
  references: ReadonlyMap<string, Reference>,
): Promise<string> {
  const folders = [
    'examples/local/data',
    'examples/local/cluster',
    'examples/local/control-plane',
    ...globSync('examples/local/regions/*', { cwd: manifests }).sort(),
  ];
  const images = imageNames.map(({ name }) => {
    const { registry, tag, digest } = references.get(name) ?? { registry: '', tag: version, digest: '' };
    const newName = registry === '' ? name : `${registry}/${name}`;
    return digest === '' ? { name, newName, newTag: tag } : { name, newName, digest };
  });
  const node = references.get('sluice/node');
  const literals = node ? [`NODE_IMAGE=${textOf('sluice/node', node)}`] : [];
  const objects: KubernetesObject[] = [];
  for (const folder of folders) {
    const hasSettings = /control-plane|regions/.test(folder);
    const configMapGenerator = hasSettings ? [{ name: 'installation', behavior: 'merge', literals }] : [];
    objects.push(...(await kustomized({ resources: [folder], images, configMapGenerator })));
  }
  const head = `# Sluice ${version} on a cluster of one machine, with PostgreSQL and NATS: docs/operations/helm.md\n`;
  return (
    head + objects.map((object) => `---\n${stringify(object, { version: '1.1', lineWidth: 0 })}`).join('')
  );
}
