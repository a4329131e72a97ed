import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { faultsOf } from '../images/labels.ts';
import {
  chartFile,
  chartPath,
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
import { chartsOf, copyFromLayout, sbomsOf, withRegistry } from './registry.ts';
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
    const { chart } = manifest;
    if (!chart.reference.endsWith(`/${chartPath}@${chart.digest}`))
      faults.push(`${manifestFile}: the reference of the chart does not name its digest.`);
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

/** What a release has in a registry. */
interface Artifact {
  /** below the registry */
  path: string;
  digest: string;
  /** its name in the layout */
  name: string;
  /** @param reference where it is at present */
  faults: (reference: string) => Promise<Faults>;
}

/**
 * Looks at the images and the chart of a release: contents by digest, signature, and of images also user, labels and bill of materials.
 * @param publicKeyFile the key that cosign has to have signed with
 * @param registry where they are; without it the layout in the folder, else the registry that the release names
 */
export async function verifyArtifacts(
  folder: string,
  manifest: Manifest,
  publicKeyFile: string,
  registry?: string,
): Promise<Faults> {
  const { images, chart, files } = manifest;
  const artifacts: Artifact[] = [
    ...images.map((image) => ({
      ...{ path: `sluice/${image.name}`, digest: image.digest, name: image.name },
      faults: async (reference: string) => await faultsOfImage(manifest, image, reference),
    })),
    {
      ...{ path: chartPath, digest: chart.digest, name: 'chart' },
      faults: async (reference) => await faultsOfChart(manifest, reference),
    },
  ];
  const all = async (where: (artifact: Artifact) => Promise<string>): Promise<Faults> => {
    const faults: Faults = [];
    for (const artifact of artifacts) {
      try {
        const reference = await where(artifact);
        const found = await artifact.faults(reference);
        await verifyImage(publicKeyFile, reference).catch((error: unknown) =>
          found.push(`is not signed by this key: ${messageOf(error)}`),
        );
        faults.push(...found.map((fault) => `${artifact.path} ${fault}.`));
      } catch (error) {
        faults.push(`${artifact.path} cannot be read: ${messageOf(error)}`);
      }
    }
    return faults;
  };
  if (registry === undefined && Object.keys(files).some((path) => path.startsWith(`${layoutFolder}/`)))
    return await withRegistry(
      async (address) =>
        await all(async ({ path, digest, name }) => {
          await copyFromLayout(join(folder, layoutFolder), name, `${address}/${path}:${name}`);
          return `${address}/${path}@${digest}`;
        }),
    );
  const named = chart.reference.slice(0, -`/${chartPath}@${chart.digest}`.length);
  return await all(async ({ path, digest }) => `${registry ?? named}/${path}@${digest}`);
}

async function faultsOfImage(
  { version, commit, source, files }: Manifest,
  image: ReleasedImage,
  reference: string,
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
  const sbom = `sha256:${files[sbomFile(image.name)] ?? ''}`;
  if (!(await sbomsOf(reference)).includes(sbom))
    faults.push(`has no bill of materials attached that is ${sbomFile(image.name)}`);
  return faults;
}

async function faultsOfChart({ version, files }: Manifest, reference: string): Promise<Faults> {
  const file = chartFile(version);
  const isSame = (await chartsOf(reference)).includes(`sha256:${files[file] ?? ''}`);
  return isSame ? [] : [`is not ${file}`];
}
