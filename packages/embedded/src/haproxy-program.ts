import { delimiter, join } from 'node:path';
import { haproxyVersion } from '@sluice/system';
import { fetchDebianProgram, fetchedProgram } from './debian-program.ts';

const haproxy = { name: 'haproxy', packages: ['haproxy'], path: 'usr/sbin/haproxy' };

/**
 * The path of an HAProxy that a gateway can be made of: the one on PATH, else one fetched before, else Debian's package.
 * Undefined where there is none to be had. Several callers at once are safe.
 */
export async function haproxyProgram(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const fetched = await fetchedProgram(haproxy);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const path of [...folders.map((folder) => join(folder, haproxy.name)), fetched])
    if ((await haproxyVersion(path)) !== null) return path;
  await fetchDebianProgram(haproxy);
  return (await haproxyVersion(fetched)) !== null ? fetched : undefined;
}
