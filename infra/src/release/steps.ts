import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { images } from '../images/images.ts';
import { archiveOf } from './archive.ts';
import {
  beginImages,
  endImages,
  finishedImages,
  releaseChart,
  releaseImage,
  type ImageRelease,
} from './images.ts';
import { sumsFile, writeManifest, type ReleasedImage } from './manifest.ts';
import type { Options } from './options.ts';
import type { Prepared } from './preconditions.ts';
import { gitIn, run } from './programs.ts';
import { signFile } from './signatures.ts';
import { verifyFiles, verifyArtifacts } from './verify.ts';
import { moveBranch, tagOfVersion } from './version.ts';

export interface Step {
  /** what it does, for the operator */
  title: string;
  run: () => Promise<void>;
}

export const folderOf = (root: string, version: string) => join(root, 'dist', `release-${version}`);

/** Those for Compose alone and the command line are no part of an installation in a cluster. */
const chartImages = images.filter(({ name }) => !['region', 'front-door', 'cli'].includes(name));

/**
 * The steps of a release in their order: the tags come last, and each step can be repeated.
 * @param pushTo the registry for the images, if it is not the one of the options
 */
export function releaseSteps(
  root: string,
  options: Options,
  prepared: Prepared,
  pushTo = options.registry,
): Step[] {
  const { target, publicKey, platforms, source, bases, others } = prepared;
  const { version, commit, created } = target;
  const folder = folderOf(root, version);
  const work = `${folder}.work`;
  const publicKeyFile = join(work, 'cosign.pub');
  const release: ImageRelease = {
    ...{ folder, sources: join(work, 'sources'), platforms, bases, registry: options.registry, pushTo },
    ...{ layout: options.layout, key: options.key, publicKey, publicKeyFile },
    origin: { version, revision: commit, created, source },
  };
  const where = options.layout ? `dist/release-${version}/oci` : options.registry;
  return [
    {
      title: `commit "Release ${version}": package.json, CHANGELOG.md, .changeset`,
      run: async () => await moveBranch(root, target),
    },
    {
      title: `take the sources of ${target.onBranch ? commit.slice(0, 12) : 'that commit'}, into dist/release-${version}`,
      run: async () => {
        await rm(work, { recursive: true, force: true });
        await exportSources(root, commit, release.sources);
        await writeFile(publicKeyFile, publicKey);
        await beginImages(release);
      },
    },
    ...images.map((image) => ({
      title: `sluice/${image.name}: build for ${platforms.join(' and ')}, attach the bill of materials, sign, keep in ${where}`,
      run: async () => await releaseImage(release, image),
    })),
    {
      title: 'chart and install.yaml',
      run: async () => {
        await requireCommit(root, commit);
        await writeChart(root, folder, version, await finishedImages(folder));
      },
    },
    ...platforms.map((platform) => {
      const architecture = platform === 'linux/arm64' ? 'arm64' : 'x64';
      return {
        title: `the command line for linux-${architecture} as one file, and its bill of materials`,
        run: async () => {
          await requireCommit(root, commit);
          const command = ['run', '--silent', 'build:executable', '--', folder, version, architecture];
          await run('npm', command, { cwd: root });
        },
      };
    }),
    {
      title: `sluice-${version}-sources.tar.gz, the archive for upgrade tests; release-notes.md; images.txt`,
      run: async () => {
        await writeFile(join(folder, `sluice-${version}-sources.tar.gz`), archiveOf(root, commit));
        await writeFile(join(folder, 'release-notes.md'), await notesOf(root, commit, version));
        await writeFile(join(folder, 'images.txt'), imageList(version, await finishedImages(folder), others));
      },
    },
    {
      title: `the chart in ${where}, release.json and ${sumsFile}: each signed`,
      run: async () => {
        const released = { images: await finishedImages(folder), chart: await releaseChart(release) };
        await writeManifest(folder, { version, commit, created, source, ...released });
        await signFile(options.key, join(folder, sumsFile));
      },
    },
    {
      title: 'verify all of it, as npm run release:verify does',
      run: async () => await verify(folder, publicKeyFile, publicKey),
    },
    ...(options.layout
      ? []
      : [
          {
            title: `tag the images ${version}`,
            run: async () => {
              for (const { reference } of await finishedImages(folder))
                await run('crane', ['tag', reference, version]);
            },
          },
        ]),
    {
      title: `tag the commit ${tagOfVersion(version)}`,
      run: async () => {
        const message = `Sluice ${version}`;
        await gitIn(root)('tag', '--annotate', '--message', message, tagOfVersion(version), commit);
        await endImages(folder);
        await rm(work, { recursive: true, force: true });
      },
    },
  ];
}

/** The files of a commit, without the repository around them. */
async function exportSources(root: string, commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await gitIn(root)('archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
}

/** The chart is made by the checkout, which may have changed while the images were built. */
async function requireCommit(root: string, commit: string): Promise<void> {
  const git = gitIn(root);
  if ((await git('rev-parse', 'HEAD')) !== commit || (await git('status', '--porcelain')) !== '')
    throw new Error(
      `The checkout was changed meanwhile: \`git checkout ${commit.slice(0, 12)}\` without changed files, and repeat.`,
    );
}

async function writeChart(
  root: string,
  folder: string,
  version: string,
  finished: readonly ReleasedImage[],
): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'sluice-chart-'));
  try {
    const references = finished
      .filter((one) => chartImages.some(({ name }) => name === one.name))
      .map(({ name, reference }) => [`sluice/${name}`, reference]);
    await writeFile(join(work, 'images.json'), JSON.stringify(Object.fromEntries(references), undefined, 2));
    const args = ['--version', version, '--images', join(work, 'images.json'), '--out', folder];
    await run('npm', ['run', '--silent', 'chart', '--', ...args], { cwd: root });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The part of CHANGELOG.md about a version. */
async function notesOf(root: string, commit: string, version: string): Promise<string> {
  const text = await gitIn(root)('show', `${commit}:CHANGELOG.md`);
  const part = text.split(/^(?=## )/m).find((one) => one.startsWith(`## ${version}\n`));
  if (part === undefined) throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return `${part.trimEnd()}\n`;
}

/** Lines of a name with a tag, and of the reference by digest: what an installation needs in a registry of its own. */
function imageList(
  version: string,
  own: readonly ReleasedImage[],
  others: Readonly<Record<string, string>>,
): string {
  const lines = [
    ...own.map(({ name, reference }) => `sluice/${name}:${version} ${reference}`),
    ...Object.entries(others).map(([name, reference]) => `${name} ${reference}`),
  ];
  return `${lines.join('\n')}\n`;
}

async function verify(folder: string, publicKeyFile: string, publicKey: string): Promise<void> {
  const { faults, manifest } = await verifyFiles(folder, publicKey);
  if (manifest !== undefined) faults.push(...(await verifyArtifacts(folder, manifest, publicKeyFile)));
  if (faults.length > 0)
    throw new Error(`${faults.join('\n')}\nRemove ${folder} and ${folder}.unfinished.json, and repeat.`);
}
