import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { unpackDebian } from './debian-package.ts';
import { programCache } from './program-cache.ts';

const run = promisify(execFile);
const programName = 'haproxy';

/** as an agent needs it: it can limit a bandwidth, has Lua, and gets fixes */
const oldest = [2, 8] as const;

/**
 * The path of an HAProxy that a gateway can be made of: the one on PATH, else one fetched before, else Debian's package.
 * Undefined where there is none to be had. Several callers at once are safe.
 */
export async function haproxyProgram(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const cache = await programCache(programName);
  const fetched = join(cache, 'package', programName);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const path of [...folders.map((folder) => join(folder, programName)), fetched])
    if (await isUsable(path)) return path;
  await fetchInto(cache);
  return (await isUsable(fetched)) ? fetched : undefined;
}

async function isUsable(path: string): Promise<boolean> {
  const { stdout } = await run(path, ['-vv'], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  const [, major = 0, minor = 0] = /^HAProxy version (\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? [];
  const isNew = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return isNew && / \+LUA /.test(stdout);
}

async function fetchInto(cache: string): Promise<void> {
  const workshop = await mkdtemp(join(cache, 'fetching-'));
  try {
    const folder = await unpackDebian(workshop, programName, { withLibraries: true });
    if (folder === undefined) return;
    await writeStarter(folder);
    // somebody else may have been quicker
    await rename(folder, join(cache, 'package')).catch(() => undefined);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Lets the program run by the libraries beside it, whichever the machine has. */
async function writeStarter(folder: string): Promise<void> {
  const names = await readdir(join(folder, 'usr/lib'), { recursive: true });
  const loader = names.find((name) => /^[^/]+-linux-gnu\/ld-linux-[^/]+\.so\.\d+$/.test(name));
  if (loader === undefined) return;
  const text = `#!/bin/sh
here=$(dirname "$0")
libraries="$here/usr/lib/${loader.split('/')[0]}"
exec "$here/usr/lib/${loader}" --library-path "$libraries" --argv0 "$0" "$here/usr/sbin/${programName}" "$@"
`;
  await writeFile(join(folder, programName), text, { mode: 0o755 });
}
