import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { takeLock } from '@sluice/system';

const root = import.meta.dirname;
const repository = join(root, '../..');
const builds = join(root, 'dist');

/** former builds that are kept: a console that runs may serve one of them */
const keptBuilds = 3;

/** what the build is made from: the web app, the packages that it is built on, and what is installed */
const sources = [
  'packages/console/*.{ts,html,json}',
  'packages/console/src/**',
  'packages/client/{package.json,src/**}',
  'packages/contracts/{package.json,src/**}',
  'pnpm-lock.yaml',
];

async function digestOfSources(): Promise<string> {
  const paths = new Set<string>();
  for await (const entry of glob(sources, { cwd: repository, withFileTypes: true }))
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) paths.add(join(entry.parentPath, entry.name));
  const hash = createHash('sha256').update(process.version);
  for (const path of [...paths].sort())
    hash.update(path.slice(repository.length)).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

export interface BuildOptions {
  /** `design` adds the page of all components */
  mode?: 'production' | 'design';
  /** called before the build, which takes its time, and not when there is one of these sources */
  onBuild?: () => void;
}

/**
 * Builds the console, unless there is a build of these sources. Of processes that ask at the same time one builds, and no server loses
 * the files that it serves.
 * @returns the folder that is to be served
 */
export async function buildConsole(options: BuildOptions = {}): Promise<string> {
  const { mode = 'production', onBuild } = options;
  const id = await digestOfSources();
  const folder = join(builds, `${mode}-${id}`);
  if (existsSync(folder)) return folder;
  onBuild?.();
  const release = await untilLocked();
  try {
    if (!existsSync(folder)) await build(folder, mode, id);
  } finally {
    await release();
  }
  return folder;
}

async function untilLocked() {
  for (;;) {
    const release = await takeLock('console-build', root);
    if (release) return release;
    await pause(200);
  }
}

async function build(folder: string, mode: string, id: string): Promise<void> {
  await mkdir(builds, { recursive: true });
  const unfinished = await mkdtemp(join(builds, 'unfinished-'));
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const args = [vite, 'build', root, '--mode', mode, '--outDir', unfinished, '--logLevel', 'warn'];
    // tests run with another NODE_ENV, for which React is built otherwise
    const environment = { ...process.env, NODE_ENV: 'production', CONSOLE_BUILD_ID: id };
    await promisify(execFile)(process.execPath, args, { env: environment });
    await removeFormer();
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeFormer(): Promise<void> {
  const names = (await readdir(builds)).filter((name) => !name.startsWith('unfinished-'));
  const dated = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(builds, name)).catch(() => undefined);
      return { name, at: found?.mtimeMs ?? 0 };
    }),
  );
  const former = dated.sort((a, b) => b.at - a.at).slice(keptBuilds);
  await Promise.all(former.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
}

if (import.meta.main) process.stdout.write(`${await buildConsole()}\n`);
