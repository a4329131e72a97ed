import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '@sluice/embedded';
import { repository } from '../settings.ts';

const webApp = join(repository, 'packages/console');
const files = join(webApp, 'dist');
/** says of which sources the files were made */
const marker = join(files, '.sources');

/** What the files are made of: the web app's sources, those of the packages that it is built on, and what is installed. */
const sources = [
  'packages/{console,stream-ui,client,contracts}/{package.json,index.html,*.config.*,tsconfig*.json}',
  'packages/{console,stream-ui,client,contracts}/{src,public}/**',
  'pnpm-lock.yaml',
];
const isIgnored = (name: string) => /\.test\.tsx?$|^(node_modules|dist)$/.test(name);

/** The folder of the web app's files, built if need be; `CONSOLE_FILES` names another one. */
export const webAppFolder = async (say: (line: string) => void): Promise<string | undefined> =>
  process.env['CONSOLE_FILES'] ?? (await builtWebApp(say));

/**
 * Builds the console's web app, unless its files are those of these sources already.
 * @returns the folder of its files; undefined in a repository without the web app
 * @throws CannotStart with what the build has said
 */
async function builtWebApp(say: (line: string) => void): Promise<string | undefined> {
  if (!existsSync(join(webApp, 'package.json'))) return undefined;
  const digest = await digestOfSources();
  if ((await readFile(marker, 'utf8').catch(() => '')) === digest) return files;
  say('Building the console…');
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: webApp, maxBuffer: 2 ** 24 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new CannotStart(`The console could not be built:\n${`${stdout}${stderr}`.trim() || String(error)}`);
  }
  await writeFile(marker, digest);
  return files;
}

async function digestOfSources(): Promise<string> {
  const paths: string[] = [];
  for (const pattern of sources)
    for await (const entry of glob(pattern, {
      cwd: repository,
      withFileTypes: true,
      exclude: isIgnoredEntry,
    }))
      if (entry.isFile()) paths.push(join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const path of [...new Set(paths)].sort()) hash.update(`${path}\n`).update(await readFile(path));
  return hash.digest('hex');
}

const isIgnoredEntry = ({ name }: { name: string }) => isIgnored(name);

if (import.meta.main) console.log(await webAppFolder((line) => console.error(line)));
