import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchDebianProgram, fetchedProgram } from './debian-program.ts';

const haproxy = { name: 'haproxy', packages: ['haproxy'], path: 'usr/sbin/haproxy' };

/**
 * The path of an HAProxy, for the front door: the one on PATH, else one fetched before, else Debian's package. Undefined where there is
 * none to be had. Several callers at once are safe.
 */
export async function haproxyProgram(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const fetched = await fetchedProgram(haproxy);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const path of [...folders.map((folder) => join(folder, haproxy.name)), fetched])
    if (await runs(path)) return path;
  await fetchDebianProgram(haproxy);
  return (await runs(fetched)) ? fetched : undefined;
}

const runs = (program: string) =>
  promisify(execFile)(program, ['-v'], { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
