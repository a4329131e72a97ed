import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@sluice/testing';
import { z } from 'zod';
import type { Day } from './day.ts';

const changeset = "---\n'sluice': patch\n---\n\n- The second release of a day.\n";

/** Releases the sources as they are committed: makes, verifies, and gives the images to a cluster that cannot pull them. */
export async function firstRelease(day: Day): Promise<void> {
  if (day.options.releases.length > 0) return await takeOver(day, 0);
  if (!existsSync(sourcesOf(day))) {
    await day.run(`git clone --quiet ${repository} sources`, {
      shown: 'git clone --quiet <checkout> sources',
    });
    for (const setting of ['user.name Operator', 'user.email operator@example.com'])
      await day.run(`git -C sources config ${setting}`);
  }
  if (!existsSync(join(day.folder, 'cosign.key'))) await day.run('cosign generate-key-pair');
  await release(day, 0);
}

/** A release that follows it, with what was committed to the checkout since. */
export async function nextRelease(day: Day): Promise<void> {
  if (day.options.releases.length > 0) return await takeOver(day, 1);
  const file = '.changeset/of-the-day.md';
  if ((await versionsOf(day)).length === 1 && !existsSync(join(sourcesOf(day), file))) {
    await day.run('git -C sources pull --quiet --no-rebase --no-edit');
    await writeFile(join(sourcesOf(day), file), changeset);
    await day.run(
      `git -C sources add ${file} && git -C sources commit --quiet --no-verify --message "A change"`,
    );
  }
  await release(day, 1);
}

async function release(day: Day, number: 0 | 1): Promise<void> {
  const { registry, base } = day.options;
  const inSources = { cwd: sourcesOf(day), ofCaller: true };
  const command = [
    `npm run release -- --registry ${registry} --key ../cosign.key --source https://git.example/sluice`,
    ...(base === undefined ? [] : [`--base ${base}`]),
  ].join(' ');
  if ((await versionsOf(day)).length === number)
    await day.run(command, {
      ...inSources,
      keep: [/the release \d/, /^\[\d+\/\d+\] (chart|the chart|verify|tag)/],
    });
  const version = (await versionsOf(day))[number] ?? '';
  await day.run(`npm run --silent release:verify -- dist/release-${version} --key ../cosign.pub`, {
    ...inSources,
    keep: [/^Release /],
  });
  await load(day, version);
}

/** Takes a release that is there. */
async function takeOver(day: Day, number: 0 | 1): Promise<void> {
  const version = (await versionsOf(day))[number] ?? '';
  const [folder, key] = [await releaseFolder(day, version), resolve(day.options.key ?? 'cosign.pub')];
  await day.run(`npm run --silent release:verify -- ${folder} --key ${key}`, {
    ...{ cwd: repository, ofCaller: true, keep: [/^Release /] },
    shown: `npm run --silent release:verify -- release-${version} --key cosign.pub`,
  });
  await load(day, version);
}

/** The folder of a release. */
export async function releaseFolder(day: Day, version: string): Promise<string> {
  for (const folder of day.options.releases)
    if ((await manifestOf(folder)).version === version) return resolve(folder);
  return join(sourcesOf(day), 'dist', `release-${version}`);
}

const manifestSchema = z.object({
  version: z.string(),
  images: z.array(z.object({ name: z.string(), reference: z.string() })),
});

export async function manifestOf(folder: string): Promise<z.infer<typeof manifestSchema>> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')));
}

const sourcesOf = (day: Day) => join(day.folder, 'sources');

/** The versions that were made here, in their order. */
export async function versionsOf(day: Day): Promise<string[]> {
  const { releases } = day.options;
  if (releases.length > 0) return (await Promise.all(releases.map(manifestOf))).map(({ version }) => version);
  const tagsIn = async (folder: string) => {
    const { stdout } = await promisify(execFile)('git', ['tag', '--list', 'v*', '--sort=creatordate'], {
      cwd: folder,
    });
    return stdout.split('\n').filter((tag) => tag !== '');
  };
  const former = await tagsIn(repository);
  const made = await tagsIn(sourcesOf(day));
  return made.filter((tag) => !former.includes(tag)).map((tag) => tag.slice(1));
}

/** The version of the first release. */
export async function firstVersion(day: Day): Promise<string> {
  const [first] = await versionsOf(day);
  if (first === undefined) throw new Error('There is no release.');
  return first;
}

/** The version of the release that is installed: the second one, once there is one. */
export async function lastVersion(day: Day): Promise<string> {
  const last = (await versionsOf(day)).at(-1);
  if (last === undefined) throw new Error('There is no release.');
  return last;
}

/** The first and the second release. */
export async function bothVersions(day: Day): Promise<[string, string]> {
  const [first, second] = await versionsOf(day);
  if (first === undefined || second === undefined) throw new Error('There are no two releases.');
  return [first, second];
}

async function load(day: Day, version: string): Promise<void> {
  const { load: command } = day.options;
  if (command === undefined) return;
  const list = await readFile(join(await releaseFolder(day, version), 'images.txt'), 'utf8');
  const lines = list.split('\n').filter((one) => one !== '');
  for (const line of lines) {
    const [name = '', reference = ''] = line.split(' ');
    // manifests of a release name its own images by digest, and those of others by a tag
    const wanted = name.startsWith('sluice/') ? reference : name;
    await promisify(execFile)('bash', ['-c', `${command} "$@"`, 'load', wanted, reference]);
  }
  day.note(`${lines.length} images are given to the cluster, which cannot pull them.`);
}
