import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { haproxyVersion } from '@sluice/system';
import { unpackDebian } from './debian-package.ts';
import { programCache } from './program-cache.ts';

const programName = 'haproxy';

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
    if ((await haproxyVersion(path)) !== null) return path;
  await fetchInto(cache);
  return (await haproxyVersion(fetched)) !== null ? fetched : undefined;
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
