import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import { z } from 'zod';
import { buildImage, docker, type Image } from '../images/images.ts';
import { labelsOf, type Origin } from '../images/labels.ts';
import { billOfMaterials } from '../supply-chain/bill-of-materials.ts';
import {
  chartFile,
  chartPath,
  layoutFolder,
  releasedImageSchema,
  sbomFile,
  sha256,
  type Manifest,
  type ReleasedImage,
} from './manifest.ts';
import { run } from './programs.ts';
import { attachSbom, copyToLayout, pushChart } from './registry.ts';
import { signImage } from './signatures.ts';

export interface ImageRelease {
  /** dist/release-<version> */
  folder: string;
  /** the sources of the commit, and nothing else */
  sources: string;
  origin: Required<Origin>;
  platforms: readonly string[];
  /** what the Dockerfile's images of others are, by digest */
  bases: Readonly<Record<string, string>>;
  /** the registry that references name */
  registry: string;
  /** where images are pushed: that registry, or one that lasts as long as the command */
  pushTo: string;
  layout: boolean;
  key: string;
  /** PEM, and a file with it */
  publicKey: string;
  publicKeyFile: string;
}

/** What of a release has been done before, and how; beside its folder, since it is part of no release. */
const recordSchema = z.object({
  way: z.record(z.string(), z.string()),
  images: z.array(releasedImageSchema),
});
const recordOf = (folder: string) => `${folder}.unfinished.json`;

const wayOf = ({ origin, platforms, registry, layout, publicKey }: ImageRelease): Record<string, string> => ({
  ...{ revision: origin.revision, source: origin.source, platforms: platforms.join(), registry },
  ...{ images: layout ? 'layout' : 'registry', publicKey },
});

/** Continues what was begun in the same way; anything else begins anew, with an empty folder. */
export async function beginImages(release: ImageRelease): Promise<void> {
  const { folder } = release;
  const text = await readIfPresent(recordOf(folder));
  const way = wayOf(release);
  if (text !== null && isDeepStrictEqual(recordSchema.parse(JSON.parse(text)).way, way)) return;
  await endImages(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'sbom'), { recursive: true });
  await writePrivateFile(recordOf(folder), JSON.stringify({ way, images: [] }));
}

/** The images that are built, described, signed and where they belong, in the order in which they got there. */
export async function finishedImages(folder: string): Promise<ReleasedImage[]> {
  return recordSchema.parse(JSON.parse(await readFile(recordOf(folder), 'utf8'))).images;
}

export const endImages = (folder: string) => rm(recordOf(folder), { force: true });

/** Builds an image, pushes it, and adds its bill of materials and its signature. A later call does nothing. */
export async function releaseImage(release: ImageRelease, image: Image): Promise<void> {
  const { folder, origin } = release;
  const finished = await finishedImages(folder);
  if (finished.some(({ name }) => name === image.name)) return;
  const sbom = join(folder, sbomFile(image.name));
  await writeFile(sbom, `${await billOfMaterials(image, origin.version)}\n`);
  const digest = await build(release, image);
  const pushed = `${release.pushTo}/sluice/${image.name}@${digest}`;
  await attachSbom(pushed, folder, sbomFile(image.name), origin.created);
  await signImage(release.key, release.publicKeyFile, pushed);
  if (release.layout) await copyToLayout(pushed, join(folder, layoutFolder), image.name);
  const reference = `${release.registry}/sluice/${image.name}@${digest}`;
  finished.push({ name: image.name, reference, digest, platforms: [...release.platforms] });
  await writePrivateFile(recordOf(folder), JSON.stringify({ way: wayOf(release), images: finished }));
}

/** Builds an image and pushes it under a tag of its commit; that of the version follows when all is done. @returns its digest */
async function build(release: ImageRelease, image: Image): Promise<string> {
  const { sources, origin, platforms, bases } = release;
  const work = await mkdtemp(join(tmpdir(), 'sluice-image-'));
  const ofCommit = `sluice/${image.name}:commit-${origin.revision.slice(0, 12)}`;
  const wanted = ['--quiet', '--platform', platforms.join(',')];
  const common = {
    tag: ofCommit,
    context: sources,
    labels: await labelsOf(image, origin),
    buildArguments: bases,
  };
  try {
    if (platforms.length > 1) {
      const output = `type=oci,tar=false,dest=${work}/image`;
      await buildImage(image, { ...common, options: [...wanted, '--provenance=false', '--output', output] });
    } else {
      await buildImage(image, { ...common, options: wanted });
      await docker('save', '--output', join(work, 'image'), ofCommit);
      // what it was built of stays, for the images to come
      await docker('image', 'rm', '--no-prune', ofCommit);
    }
    const pushed = await run('crane', ['push', join(work, 'image'), `${release.pushTo}/${ofCommit}`]);
    return pushed.replace(/^.*@/, '');
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Pushes the chart and signs it. A later call changes nothing. */
export async function releaseChart(release: ImageRelease): Promise<Manifest['chart']> {
  const { folder, origin, pushTo, registry, key, publicKeyFile } = release;
  const file = join(folder, chartFile(origin.version));
  const digest = await pushChart(file, await sha256(file), pushTo, origin.version);
  const pushed = `${pushTo}/${chartPath}@${digest}`;
  await signImage(key, publicKeyFile, pushed);
  if (release.layout) await copyToLayout(pushed, join(folder, layoutFolder), 'chart');
  return { reference: `${registry}/${chartPath}@${digest}`, digest };
}
