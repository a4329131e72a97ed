import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './repository.ts';

const run = promisify(execFile);
const archives = join(repository, 'test-e2e/releases');

/**
 * Unpacks the last release, which stands in the repository as an archive of its sources, and installs what its services need by
 * its own lock file: once, in `.cache`.
 * @returns the folder of its sources
 */
export async function lastRelease(): Promise<string> {
  const file = await archiveOfTheLast();
  const digest = createHash('sha256').update(await readFile(file));
  const folder = join(repository, '.cache/releases', digest.digest('hex').slice(0, 16));
  if (await isThere(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  await mkdir(making, { recursive: true });
  try {
    await unpackLastRelease(making);
    await install(making);
    await rename(making, folder).catch(async (error: unknown) => {
      // another run was faster
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return folder;
}

/** Unpacks the sources of the last release into a folder. */
export async function unpackLastRelease(folder: string): Promise<void> {
  await run('tar', ['-xzf', await archiveOfTheLast(), '-C', folder]);
}

async function archiveOfTheLast(): Promise<string> {
  const [archive, ...others] = (await readdir(archives)).filter((name) => name.endsWith('.tar.gz'));
  if (archive === undefined || others.length > 0) throw new Error(`${archives} has to hold one release`);
  return join(archives, archive);
}

async function install(folder: string): Promise<void> {
  const { packageManager } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  // what its services run on, without what it was tested and built with; no script of a package runs
  const what = ['--frozen-lockfile', '--prod', '--ignore-scripts', '--filter', '{./services/*}...'];
  const env = { ...process.env, CI: 'true' };
  await run('npm', ['exec', '--yes', packageManager, '--', 'install', ...what], { cwd: folder, env });
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
