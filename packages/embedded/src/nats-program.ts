import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from './cannot-start.ts';
import { unpackDebian } from './debian-package.ts';
import { fromRelease } from './nats-release.ts';
import { programCache } from './program-cache.ts';

const run = promisify(execFile);
const programName = 'nats-server';

/** the oldest that is run: in those before it a client of one account can act on the streams of all (CVE-2025-30215) */
const oldest = [2, 10, 27] as const;

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
 * The path of a nats-server that is new enough: `SLUICE_NATS_SERVER`, else the one on PATH, else one fetched before,
 * else its GitHub release, else Debian's package. Several callers at once are safe. `signal` ends a fetch that is
 * under way. Throws `CannotStart`.
 */
export async function natsServerProgram(signal?: AbortSignal): Promise<string> {
  return await findNatsServer(
    {
      named: process.env.SLUICE_NATS_SERVER || undefined,
      folders: (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
      cache: await programCache(programName),
      sources: [fromRelease, fromDebian],
    },
    signal,
  );
}

/** `natsServerProgram`, told where to look. */
export async function findNatsServer(
  { named, folders, cache, sources }: NatsPlaces,
  signal?: AbortSignal,
): Promise<string> {
  if (named !== undefined) return await namedProgram(named);
  const tooOld: string[] = [];
  for (const folder of [...folders, cache]) {
    const path = join(folder, programName);
    const version = await versionOf(path);
    if (version && isNewEnough(version)) return path;
    if (version) tooOld.push(`${version.join('.')} at ${path}`);
  }
  const fetched = await fetchProgram(cache, sources, signal);
  if ('path' in fetched) return fetched.path;
  const found = [...tooOld, ...fetched.tooOld].join(', ');
  throw new CannotStart(
    `nats-server ${oldest.join('.')} or newer is needed and could not be fetched from GitHub or Debian` +
      `${found && ` (found: ${found})`}: install it, or name its path in SLUICE_NATS_SERVER.`,
  );
}

async function namedProgram(path: string): Promise<string> {
  const version = await versionOf(path);
  if (!version)
    throw new CannotStart(`SLUICE_NATS_SERVER names ${path}, which is not a nats-server that can be run.`);
  if (isNewEnough(version)) return path;
  throw new CannotStart(
    `SLUICE_NATS_SERVER names nats-server ${version.join('.')}, but ${oldest.join('.')} or newer is needed.`,
  );
}

type Version = readonly number[];

/** What the program says of itself; undefined if it is none. */
async function versionOf(path: string): Promise<Version | undefined> {
  const { stdout } = await run(path, ['--version'], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  const numbers = /^nats-server: v(\d+)\.(\d+)\.(\d+)/.exec(stdout)?.slice(1);
  return numbers?.map(Number);
}

function isNewEnough(version: Version): boolean {
  const decisive = oldest.findIndex((number, place) => version[place] !== number);
  return decisive === -1 || (version[decisive] ?? 0) > (oldest[decisive] ?? 0);
}

async function fromDebian(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  const folder = await unpackDebian(workshop, programName, { signal });
  if (folder === undefined) return undefined;
  const path = join(folder, 'usr/sbin', programName);
  return await access(path, constants.X_OK).then(
    () => path,
    () => undefined,
  );
}

async function fetchProgram(
  cache: string,
  sources: readonly NatsSource[],
  signal?: AbortSignal,
): Promise<{ path: string } | { tooOld: string[] }> {
  const tooOld: string[] = [];
  for (const source of sources) {
    const workshop = await mkdtemp(join(cache, 'fetching-'));
    try {
      const found = await source(workshop, signal);
      signal?.throwIfAborted();
      if (found === undefined) continue;
      await chmod(found, 0o755);
      const version = await versionOf(found);
      if (version && isNewEnough(version)) {
        const path = join(cache, programName);
        await rename(found, path);
        return { path };
      }
      if (version) tooOld.push(`${version.join('.')} as a package`);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
  }
  return { tooOld };
}
