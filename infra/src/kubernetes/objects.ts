import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { repository } from '../settings.ts';

/** An object of Kubernetes, as far as every object has it. */
export const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type KubernetesObject = z.infer<typeof objectSchema>;

/** The services, by the names of their Deployments. */
export const services = ['main-api', 'audit', 'notifier', 'console', 'supervisor'] as const;

/** Where the manifests are. */
export const manifests = join(repository, 'k8s');

/** The objects of a text, which may hold several. @throws Error when it is not YAML, or not objects */
export function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'));
    return objectSchema.parse(document.toJS());
  });
}

/** The objects of each file of the manifests that kustomize puts together, by the file's path below `k8s`. */
export async function objectsByFile(): Promise<Map<string, KubernetesObject[]>> {
  const found = new Map<string, KubernetesObject[]>();
  for await (const file of glob('**/*.yaml', { cwd: manifests })) {
    if (/(kustomization|catalogue)\.yaml$/.test(file)) continue;
    found.set(file, objectsIn(await readFile(join(manifests, file), 'utf8')));
  }
  return found;
}

/**
 * What `kubectl kustomize` makes of a folder, whose path is absolute or below `k8s`; undefined where there is no kubectl.
 * @throws Error when kustomize refuses it
 */
export async function rendered(folder: string): Promise<KubernetesObject[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)('kubectl', ['kustomize', resolve(manifests, folder)], {
      maxBuffer: 10_000_000,
    });
    return objectsIn(stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
