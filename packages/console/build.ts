import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = import.meta.dirname;
const repository = join(root, '../..');

/** what the build is made from */
const sources = [
  'packages/console/{src,*.ts,index.html,package.json}/**',
  'packages/console/*.{ts,html,json}',
  'packages/client/src/**',
  'pnpm-lock.yaml',
];

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  const paths: string[] = [];
  for await (const entry of glob(sources, { cwd: repository, withFileTypes: true }))
    if (entry.isFile() && !entry.name.endsWith('.test.ts')) paths.push(join(entry.parentPath, entry.name));
  for (const path of [...new Set(paths)].sort()) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

/**
 * Builds the console unless the folder has the build of these sources.
 * @param mode `design` adds the page of all components
 * @returns the folder that is to be served
 */
export async function buildConsole(folder = join(root, 'dist'), mode = 'production'): Promise<string> {
  const digest = `${mode} ${await digestOfSources()}`;
  const marker = `${folder}.digest`;
  const built = await readFile(marker, 'utf8').catch(() => '');
  if (built === digest) return folder;
  // a server never reads half of it
  const unfinished = await mkdtemp(join(root, 'dist-'));
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const args = [
      vite,
      'build',
      root,
      '--mode',
      mode,
      '--outDir',
      unfinished,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ];
    // tests run with another, for which React is built otherwise
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } });
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await writeFile(marker, digest);
  return folder;
}

if (process.argv[1] === import.meta.filename) await buildConsole();
