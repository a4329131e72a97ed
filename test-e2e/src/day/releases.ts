import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@sluice/testing';
import type { Day } from './day.ts';

const changeset = "---\n'sluice': patch\n---\n\n- Nothing but its version: the second release of a day.\n";

/** A release of the sources as they are committed, and one that follows it: made, verified, and given to a cluster that cannot pull. */
export async function twoReleases(day: Day): Promise<void> {
  const sources = join(day.folder, 'sources');
  const { registry, base } = day.options;
  const inSources = { cwd: sources };
  const command = [
    `npm run release -- --registry ${registry} --key ../cosign.key --source https://git.example/sluice`,
    ...(base === undefined ? [] : [`--base ${base}`]),
  ].join(' ');
  if (!existsSync(sources)) {
    await day.run(`git clone --quiet ${repository} sources`, {
      shown: 'git clone --quiet <checkout> sources',
    });
    for (const setting of ['user.name Operator', 'user.email operator@example.com'])
      await day.run(`git config ${setting}`, inSources);
  }
  if (!existsSync(join(day.folder, 'cosign.key'))) await day.run('cosign generate-key-pair');
  for (const isSecond of [false, true]) {
    if ((await versionsOf(day)).length > Number(isSecond)) continue;
    if (isSecond) {
      await writeFile(join(sources, '.changeset/of-the-day.md'), changeset);
      await day.run(
        'git add .changeset && git commit --quiet --no-verify --message "The second release"',
        inSources,
      );
    }
    await day.run(command, {
      ...inSources,
      keep: [/the release \d/, /^\[\d+\/\d+\] (chart|the chart|verify|tag)/],
    });
  }
  for (const version of await versionsOf(day))
    await day.run(`npm run --silent release:verify -- dist/release-${version} --key ../cosign.pub`, {
      ...inSources,
      keep: [/^Release /],
    });
  await load(day);
}

/** The versions that were made here, in their order. */
export async function versionsOf(day: Day): Promise<string[]> {
  const tagsIn = async (folder: string) => {
    const { stdout } = await promisify(execFile)('git', ['tag', '--list', 'v*', '--sort=creatordate'], {
      cwd: folder,
    });
    return stdout.split('\n').filter((tag) => tag !== '');
  };
  const former = await tagsIn(repository);
  const made = await tagsIn(join(day.folder, 'sources'));
  return made.filter((tag) => !former.includes(tag)).map((tag) => tag.slice(1));
}

/** The first and the second release. */
export async function bothVersions(day: Day): Promise<[string, string]> {
  const [first, second] = await versionsOf(day);
  if (first === undefined || second === undefined) throw new Error('There are no two releases.');
  return [first, second];
}

async function load(day: Day): Promise<void> {
  const { load: command } = day.options;
  if (command === undefined) return;
  let count = 0;
  for (const version of await versionsOf(day)) {
    const list = await readFile(join(day.release(version), 'images.txt'), 'utf8');
    for (const line of list.split('\n').filter((one) => one !== '')) {
      const [name = '', reference = ''] = line.split(' ');
      // manifests of a release name its own images by digest, and those of others by a tag
      const wanted = name.startsWith('sluice/') ? reference : name;
      await promisify(execFile)('bash', ['-c', `${command} "$@"`, 'load', wanted, reference], {
        env: process.env,
      });
      count++;
    }
  }
  day.note(`${count} images are given to the cluster, which cannot pull them.`);
}
