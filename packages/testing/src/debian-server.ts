import { access, constants } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { fetchDebianProgram, fetchedProgram, type DebianProgram } from '@sluice/embedded';

/**
 * The path of a program that some tests need: the one on PATH, else one fetched before, else Debian's package where the environment variable
 * `fetching` is set. Null, after one line that says so, where there is none.
 */
export async function optionalProgram(wanted: DebianProgram, fetching: string): Promise<string | null> {
  const fetched = await fetchedProgram(wanted);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = [...folders.map((folder) => join(folder, basename(wanted.path))), fetched];
  for (const path of paths) if (await isProgram(path)) return path;
  if (process.env[fetching] && (await fetchDebianProgram(wanted))) return fetched;
  const way = process.env[fetching] ? "nor as Debian's package" : `${fetching}=true has it fetched`;
  console.warn(`Tests against ${basename(wanted.path)} are left out: it is not on PATH (${way})`);
  return null;
}

const isProgram = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
