import { access, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unpackDebian } from './debian-package.ts';
import { programCache } from './program-cache.ts';

export interface DebianProgram {
  /** where it is kept */
  name: string;
  /** what it is in, those of its libraries apart */
  packages: readonly string[];
  /** where it is in the packages, such as usr/sbin/haproxy */
  path: string;
  /** where others of the packages are that are run as well */
  others?: readonly string[];
}

/** Where a fetched program is, whether it is there or not. Beside it are the files of its packages. */
export async function fetchedProgram({ name, path }: DebianProgram): Promise<string> {
  return join(await programCache(name), 'package', basename(path));
}

/** Fetches a program with the libraries that it runs by. Several callers at once are safe. @returns whether it is there now */
export async function fetchDebianProgram(wanted: DebianProgram): Promise<boolean> {
  const cache = await programCache(wanted.name);
  const workshop = await mkdtemp(join(cache, 'fetching-'));
  try {
    const folder = await unpackDebian(workshop, wanted.packages, { withLibraries: true });
    if (folder === undefined) return false;
    for (const path of [wanted.path, ...(wanted.others ?? [])]) await writeStarter(folder, path);
    // another process may have been quicker
    await rename(folder, join(cache, 'package')).catch(() => undefined);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return await access(await fetchedProgram(wanted)).then(
    () => true,
    () => false,
  );
}

/** Lets the program run by the libraries beside it, whichever the machine has. */
async function writeStarter(folder: string, path: string): Promise<void> {
  const names = await readdir(join(folder, 'usr/lib'), { recursive: true });
  const loader = names.find((name) => /^[^/]+-linux-gnu\/ld-linux-[^/]+\.so\.\d+$/.test(name));
  if (loader === undefined) return;
  const text = `#!/bin/sh
here=$(dirname "$0")
libraries="$here/usr/lib/${loader.split('/')[0]}"
exec "$here/usr/lib/${loader}" --library-path "$libraries" --argv0 "$0" "$here/${path}" "$@"
`;
  await writeFile(join(folder, basename(path)), text, { mode: 0o755 });
}
