import { z } from 'zod';

/** Images that the chart and `install.yaml` name, by their key in the values. */
export const imageNames = [
  { key: 'mainApi', name: 'sluice/main-api' },
  { key: 'audit', name: 'sluice/audit' },
  { key: 'notifier', name: 'sluice/notifier' },
  { key: 'console', name: 'sluice/console' },
  { key: 'supervisor', name: 'sluice/supervisor' },
  { key: 'node', name: 'sluice/node' },
  { key: 'admin', name: 'sluice/admin' },
] as const;

/** References of published images by their names here: `{ "sluice/node": "registry.example/sluice/node:1.1.0@sha256:…" }`. */
export const imagesSchema = z.partialRecord(z.enum(imageNames.map(({ name }) => name)), z.string());

export interface Reference {
  /** what stands before the name */
  registry: string;
  tag: string;
  /** empty, or `sha256:…` */
  digest: string;
}

/**
 * Where each image of a release is.
 *
 * @param published references; an image that is missing has the version as its tag
 * @throws Error when one is not a reference of its image, or registries differ
 */
export function referencesOf(
  version: string,
  published: z.infer<typeof imagesSchema>,
): Map<string, Reference> {
  const found = new Map(
    imageNames.map(({ name }) => [name as string, referenceOf(name, published[name] ?? name, version)]),
  );
  const registries = new Set([...found.values()].map(({ registry }) => registry));
  if (registries.size > 1)
    throw new Error(`Images are in different registries: ${[...registries].join(', ')}`);
  return found;
}

function referenceOf(name: string, reference: string, version: string): Reference {
  const match = /^(?:(.+)\/)?([^/:@]+\/[^/:@]+)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(reference);
  const [, registry = '', path, tag = version, digest = ''] = match ?? [];
  if (path !== name) throw new Error(`${reference} is no reference of the image ${name}`);
  return { registry, tag, digest };
}

/** The reference, by digest if there is one. */
export const textOf = (name: string, { registry, tag, digest }: Reference) =>
  `${registry === '' ? '' : `${registry}/`}${name}${digest === '' ? `:${tag}` : `@${digest}`}`;
