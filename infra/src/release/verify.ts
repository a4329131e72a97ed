import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { faultsOf } from '../images/labels.ts';
import {
  checksumsOf,
  layoutFolder,
  manifestFile,
  manifestSchema,
  readChecksums,
  sbomFile,
  sumsFile,
  type Manifest,
  type ReleasedImage,
} from './manifest.ts';
import { run } from './programs.ts';
import { copyFromLayout, sbomsOf, withRegistry } from './registry.ts';
import { bundleOf, isSignedBy, verifyImage } from './signatures.ts';

/** A fault is a sentence. */
type Faults = string[];

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Compares the folder of a release with its signed list.
 * @param publicKey PEM
 * @returns the manifest, unless it cannot be read
 */
export async function verifyFiles(
  folder: string,
  publicKey: string,
): Promise<{ faults: Faults; manifest?: Manifest }> {
  const faults: Faults = [];
  try {
    const [list, bundle] = await Promise.all([
      readFile(join(folder, sumsFile)),
      readFile(join(folder, bundleOf(sumsFile)), 'utf8'),
    ]);
    if (!isSignedBy(publicKey, list, bundle))
      faults.push(`${sumsFile} is not signed by this key: it was changed, or another key signed it.`);
    const [listed, found] = [await readChecksums(folder), await checksumsOf(folder)];
    for (const [path, sum] of listed) {
      const actual = found.get(path);
      if (actual === undefined) faults.push(`${path} is missing.`);
      else if (actual !== sum) faults.push(`${path} was changed: its SHA-256 is ${actual}, not ${sum}.`);
    }
    for (const path of found.keys())
      if (!listed.has(path)) faults.push(`${path} is no part of the release: ${sumsFile} does not list it.`);
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, manifestFile), 'utf8')));
    listed.delete(manifestFile);
    if (!isDeepStrictEqual(manifest.files, Object.fromEntries(listed)))
      faults.push(`${manifestFile} and ${sumsFile} do not list the same files.`);
    for (const { name, reference, digest } of manifest.images) {
      if (!reference.endsWith(`/sluice/${name}@${digest}`))
        faults.push(`${manifestFile}: the reference of ${name} does not name its digest.`);
      if (!listed.has(sbomFile(name)))
        faults.push(`sluice/${name} has no bill of materials (${sbomFile(name)}).`);
    }
    return { faults, manifest };
  } catch (error) {
    return { faults: [...faults, `The folder is no release, or not whole: ${messageOf(error)}`] };
  }
}

/**
 * Looks at the images of a release: contents by digest, user and labels, signature, bill of materials.
 * @param publicKeyFile the key that cosign has to have signed with
 * @param registry where they are; without it the layout in the folder, else where the references lead
 */
export async function verifyImages(
  folder: string,
  manifest: Manifest,
  publicKeyFile: string,
  registry?: string,
): Promise<Faults> {
  const isLayout = Object.keys(manifest.files).some((path) => path.startsWith(`${layoutFolder}/`));
  const all = async (where: (image: ReleasedImage) => Promise<string>): Promise<Faults> => {
    const faults: Faults = [];
    for (const image of manifest.images) {
      try {
        const found = await faultsOfImage(manifest, image, await where(image), publicKeyFile);
        faults.push(...found.map((fault) => `sluice/${image.name} ${fault}.`));
      } catch (error) {
        faults.push(`sluice/${image.name} cannot be read: ${messageOf(error)}`);
      }
    }
    return faults;
  };
  if (registry !== undefined)
    return await all(async ({ name, digest }) => `${registry}/sluice/${name}@${digest}`);
  if (!isLayout) return await all(async ({ reference }) => reference);
  return await withRegistry(
    async (address) =>
      await all(async ({ name, digest }) => {
        const repository = `${address}/sluice/${name}`;
        await copyFromLayout(join(folder, layoutFolder), name, `${repository}:${name}`);
        return `${repository}@${digest}`;
      }),
  );
}

async function faultsOfImage(
  { version, commit, source, files }: Manifest,
  image: ReleasedImage,
  reference: string,
  publicKeyFile: string,
): Promise<Faults> {
  const faults: Faults = [];
  await run('crane', ['validate', '--remote', reference]).catch((error: unknown) =>
    faults.push(`is not what its digest says: ${messageOf(error)}`),
  );
  for (const platform of image.platforms) {
    const text = await run('crane', ['config', '--platform', platform, reference]);
    const { config = {} } = JSON.parse(text) as { config?: Parameters<typeof faultsOf>[1] };
    faults.push(...faultsOf(image, config, { version, revision: commit, source }));
  }
  await verifyImage(publicKeyFile, reference).catch((error: unknown) =>
    faults.push(`is not signed by this key: ${messageOf(error)}`),
  );
  const sbom = `sha256:${files[sbomFile(image.name)] ?? ''}`;
  if (!(await sbomsOf(reference)).includes(sbom))
    faults.push(`has no bill of materials attached that is ${sbomFile(image.name)}`);
  return faults;
}
