import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { takeLock } from '@sluice/system';

const repository = join(import.meta.dirname, '../../..');

/** former builds that are kept: a server that runs may serve one of them */
const keptBuilds = 3;

export interface WebApp {
  /** its folder, with index.html and vite.config.ts; `dist` in it gets the builds */
  root: string;
  /** the folders of the workspace that it is made from besides */
  packages: readonly string[];
}

export interface BuildOptions {
  /** `design` adds the page of all components */
  mode?: 'production' | 'design';
  /** called before the build, which takes its time, and not when there is one of these sources */
  onBuild?: () => void;
}

async function digestOfSources({ root, packages }: WebApp): Promise<string> {
  const sources = [
    `packages/${basename(root)}/*.{ts,html,json}`,
    `packages/${basename(root)}/src/**`,
    'packages/ui/vite/*',
    ...['ui', ...packages].map((name) => `packages/${name}/{package.json,src/**}`),
    'pnpm-lock.yaml',
  ];
  const paths = new Set<string>();
  for await (const entry of glob(sources, { cwd: repository, withFileTypes: true }))
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) paths.add(join(entry.parentPath, entry.name));
  const hash = createHash('sha256').update(process.version);
  for (const path of [...paths].sort())
    hash.update(path.slice(repository.length)).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Builds a web app, unless there is a build of these sources. Of processes that ask at the same time one builds, and no server loses
 * the files that it serves.
 * @returns the folder that is to be served
 */
export async function buildWebApp(app: WebApp, options: BuildOptions = {}): Promise<string> {
  const { mode = 'production', onBuild } = options;
  const id = await digestOfSources(app);
  const folder = join(app.root, 'dist', `${mode}-${id}`);
  if (existsSync(folder)) return folder;
  onBuild?.();
  const release = await untilLocked(app.root);
  try {
    if (!existsSync(folder)) await build(app.root, folder, mode, id);
  } finally {
    await release();
  }
  return folder;
}

async function untilLocked(root: string) {
  for (;;) {
    const release = await takeLock(`${basename(root)}-build`, root);
    if (release) return release;
    await pause(200);
  }
}

async function build(root: string, folder: string, mode: string, id: string): Promise<void> {
  const builds = join(root, 'dist');
  await mkdir(builds, { recursive: true });
  const unfinished = await mkdtemp(join(builds, 'unfinished-'));
  try {
    const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js');
    const args = [vite, 'build', root, '--mode', mode, '--outDir', unfinished, '--logLevel', 'warn'];
    // tests run with another NODE_ENV, for which React is built otherwise
    const environment = { ...process.env, NODE_ENV: 'production', WEB_BUILD_ID: id };
    await promisify(execFile)(process.execPath, args, { env: environment });
    await removeFormer(builds);
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeFormer(builds: string): Promise<void> {
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
