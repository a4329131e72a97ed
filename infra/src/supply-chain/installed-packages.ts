import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../settings.ts';

/** What is read of a `package.json`. */
export interface Manifest {
  name: string;
  version: string;
  license?: string;
  /** how it was written in former times */
  licenses?: { type: string }[];
  dependencies?: Record<string, string>;
}

export interface InstalledPackage {
  manifest: Manifest;
  /** of this repository, rather than of a registry */
  own: boolean;
  /** digest of its archive by the lock file, as `sha512-<base64>`; undefined for one's own */
  integrity: string | undefined;
  /** names and versions of what it depends on, as `name@version` */
  dependsOn: string[];
}

interface LockFile {
  packages: Record<string, { resolution: { integrity?: string } }>;
  /** by `name@version`, with peers in brackets behind it where it has any */
  snapshots: Record<string, { dependencies?: Record<string, string> }>;
}

/**
 * Everything that programs run with, themselves among it: what is installed of their dependencies, and of theirs, as Node finds them.
 * What is optional is no part of an image. @param programs names of services, or of folders of the repository
 */
export async function packagesOf(programs: readonly string[]): Promise<InstalledPackage[]> {
  const lock = parse(await readFile(join(repository, 'pnpm-lock.yaml'), 'utf8')) as LockFile;
  // with which peers it is installed decides what it finds; the lock file knows better than the manifest what is left out
  const installed = Map.groupBy(Object.entries(lock.snapshots), ([key]) => key.replace(/\(.*$/, ''));
  const namesOf = (id: string) =>
    (installed.get(id) ?? []).flatMap(([, { dependencies = {} }]) => Object.keys(dependencies));
  const found = new Map<string, InstalledPackage>();
  const visit = async (folder: string): Promise<string> => {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
    const id = idOf(manifest);
    if (found.has(id)) return id;
    const own = !folder.includes('node_modules');
    const integrity = lock.packages[id]?.resolution.integrity;
    const one: InstalledPackage = { manifest, own, integrity, dependsOn: [] };
    found.set(id, one);
    const names = own ? Object.keys(manifest.dependencies ?? {}) : namesOf(id);
    for (const name of new Set(names.sort())) {
      const place = await folderOf(name, folder);
      if (place !== undefined) one.dependsOn.push(await visit(place));
      else if (own) throw new Error(`${name}, which ${id} depends on, is not installed`);
    }
    return id;
  };
  for (const program of programs) {
    const service = join(repository, 'services', program);
    await visit(existsSync(service) ? service : join(repository, program));
  }
  return [...found.values()].sort((a, b) => (idOf(a.manifest) < idOf(b.manifest) ? -1 : 1));
}

/** Packages whose manifest names no licence that SPDX knows, and which one the text beside it is. */
const licencesAsRead: Record<string, string> = { 'url-template@2.0.8': 'BSD-3-Clause' };

export const licenceOf = (manifest: Manifest) =>
  licencesAsRead[idOf(manifest)] ??
  manifest.license ??
  manifest.licenses?.map(({ type }) => type).join(' OR ');

export const idOf = ({ name, version }: Pick<Manifest, 'name' | 'version'>) => `${name}@${version}`;

/** Where Node finds a package that another one, in `from`, imports. */
async function folderOf(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return await realpath(place);
  }
  return undefined;
}
