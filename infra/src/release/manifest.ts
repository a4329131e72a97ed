import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { bundleOf } from './signatures.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** An image of a release. */
export const releasedImageSchema = z.object({
  name: z.string(),
  /** by digest */
  reference: z.string(),
  digest,
  platforms: z.array(z.string()),
});
export type ReleasedImage = z.infer<typeof releasedImageSchema>;

/** `release.json`: what a release consists of. */
export const manifestSchema = z.object({
  version: z.string(),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  created: z.string(),
  source: z.string(),
  images: z.array(releasedImageSchema).nonempty(),
  /** in the same registry */
  chart: z.object({ reference: z.string(), digest }),
  /** SHA-256 by path, of all files but those about the whole */
  files: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const manifestFile = 'release.json';
/** the list that `sha256sum --check` reads, with the manifest in it; it is what is signed */
export const sumsFile = 'SHA256SUMS';
/** the images, where they are not in a registry */
export const layoutFolder = 'oci';
/** the chart, packed, and its name in a registry */
export const chartPath = 'charts/sluice';
export const chartFile = (version: string) => `sluice-${version}.tgz`;
/** the bill of materials of an image */
export const sbomFile = (name: string) => `sbom/${name}.cdx.json`;

const aboutTheWhole = [sumsFile, bundleOf(sumsFile)];

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * SHA-256 of the files of a release, by their paths in its folder, in the order of these.
 * @throws Error where something else is there, such as a link: its content would be that of another place
 */
export async function checksumsOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathOf = (entry: Dirent) => relative(folder, join(entry.parentPath, entry.name));
  const foreign = entries.find((entry) => !entry.isDirectory() && !entry.isFile());
  if (foreign) throw new Error(`${pathOf(foreign)} is neither a file nor a folder.`);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(pathOf)
    .filter((path) => !aboutTheWhole.includes(path))
    .sort();
  const sums = new Map<string, string>();
  for (const path of paths) sums.set(path, await sha256(join(folder, path)));
  return sums;
}

/** Writes the manifest and the checksums of what is in a folder. */
export async function writeManifest(folder: string, about: Omit<Manifest, 'files'>): Promise<void> {
  const files = await checksumsOf(folder);
  files.delete(manifestFile);
  const manifest: Manifest = { ...about, files: Object.fromEntries(files) };
  await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const lines = [...(await checksumsOf(folder))].map(([path, sum]) => `${sum}  ${path}\n`);
  await writeFile(join(folder, sumsFile), lines.join(''));
}

/** The checksums that a release's list states. @throws Error where a line is none */
export async function readChecksums(folder: string): Promise<Map<string, string>> {
  const lines = (await readFile(join(folder, sumsFile), 'utf8')).trimEnd().split('\n');
  return new Map(
    lines.map((line): [string, string] => {
      const [, sum = '', path = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      if (path === '') throw new Error(`${sumsFile} has a line that is no checksum: ${line.slice(0, 100)}`);
      return [path, sum];
    }),
  );
}
