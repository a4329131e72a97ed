import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from './cannot-start.ts';

const run = promisify(execFile);
const programName = 'nats-server';

/**
 * The release that is fetched where there is neither an installed nats-server nor Debian's package, by platform.
 * The checksums are those that the publishers of the Docker images and of the Hermit packages verify against.
 */
const releases: Record<string, { version: string; architecture: string; sha256: string } | undefined> = {
  'linux-x64': {
    version: '2.10.29',
    architecture: 'linux-amd64',
    sha256: 'e314da74a83a1d3876db8814c27eb990fe729640fd6452025b441bcede8390da',
  },
  'linux-arm64': {
    version: '2.10.29',
    architecture: 'linux-arm64',
    sha256: 'da4b27942ecfb4c5f0c54553d2e7f470ddda9d7581cfe8131b351a0e223ed401',
  },
  'darwin-x64': {
    version: '2.10.10',
    architecture: 'darwin-amd64',
    sha256: '5b6bfed8f75ecb2f6465b87334f4e757a66c32b6c5f802e964a080a3716ffffb',
  },
  'darwin-arm64': {
    version: '2.10.10',
    architecture: 'darwin-arm64',
    sha256: '8af6cbd8f3f21bcec164d17bc879d3e7807cd98e1c7839ac668986a71c4e52c6',
  },
};

/**
 * The path of a nats-server: `SLUICE_NATS_SERVER`, else the one on PATH, else one fetched before, else Debian's
 * package, else its GitHub release. Several callers at once are safe. `signal` ends a fetch that is under way.
 * Throws `CannotStart`.
 */
export async function natsServerProgram(signal?: AbortSignal): Promise<string> {
  const named = process.env.SLUICE_NATS_SERVER;
  if (named !== undefined && named !== '') {
    if (await isProgram(named)) return named;
    throw new CannotStart(`SLUICE_NATS_SERVER names ${named}, which is not a program that can be run.`);
  }
  const cache = await cacheFolder();
  const places = [...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), cache];
  for (const folder of places) {
    if (await isProgram(join(folder, programName))) return join(folder, programName);
  }
  return await fetchProgram(cache, signal);
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** `.cache` in the repository, or in the user's home where the repository may not be written to. */
async function cacheFolder(): Promise<string> {
  const inRepository = join(import.meta.dirname, '../../../.cache', programName);
  try {
    await mkdir(inRepository, { recursive: true });
    await access(inRepository, constants.W_OK);
    return inRepository;
  } catch {
    const inHome = join(homedir(), '.cache/sluice', programName);
    await mkdir(inHome, { recursive: true });
    return inHome;
  }
}

async function fetchProgram(cache: string, signal?: AbortSignal): Promise<string> {
  const workshop = await mkdtemp(join(cache, 'fetching-'));
  try {
    const found = (await fromDebian(workshop, signal)) ?? (await fromRelease(workshop, signal));
    signal?.throwIfAborted();
    if (found === undefined) {
      throw new CannotStart(
        'nats-server is not on PATH and could not be fetched from Debian or GitHub: install it, or name its path in SLUICE_NATS_SERVER.',
      );
    }
    await chmod(found, 0o755);
    const path = join(cache, programName);
    await rename(found, path);
    return path;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Unpacks Debian's package, without installing it; undefined where there is no apt or it doesn't have the package. */
async function fromDebian(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  // the sandbox user of apt may not be able to enter the repository
  const download = () =>
    run('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', programName], {
      cwd: workshop,
      timeout: 60_000,
      signal,
    });
  try {
    await download().catch(async () => {
      await run('apt-get', ['update'], { timeout: 120_000, signal });
      await download();
    });
    const archive = (await readdir(workshop)).find((name) => name.endsWith('.deb'));
    if (archive === undefined) return undefined;
    await run('dpkg', ['-x', archive, 'package'], { cwd: workshop });
  } catch {
    return undefined;
  }
  const path = join(workshop, 'package/usr/sbin', programName);
  return (await isProgram(path)) ? path : undefined;
}

/** Downloads and unpacks the pinned release; undefined where there is none for this platform or no way to reach it. */
async function fromRelease(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  const release = releases[`${process.platform}-${process.arch}`];
  if (release === undefined) return undefined;
  const name = `nats-server-v${release.version}-${release.architecture}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${release.version}/${name}.tar.gz`;
  let archive: Buffer;
  try {
    const patience = AbortSignal.timeout(120_000);
    const answer = await fetch(url, { signal: signal ? AbortSignal.any([signal, patience]) : patience });
    if (!answer.ok) return undefined;
    archive = Buffer.from(await answer.arrayBuffer());
  } catch {
    return undefined;
  }
  if (createHash('sha256').update(archive).digest('hex') !== release.sha256) {
    throw new CannotStart(
      `What came from ${url} is not the nats-server that Sluice expects: its checksum differs.`,
    );
  }
  const file = join(workshop, 'release.tar.gz');
  await writeFile(file, archive);
  await run('tar', ['-xzf', file, '-C', dirname(file)]);
  return join(workshop, name, programName);
}
