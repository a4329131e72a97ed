import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian's first release whose programs are new enough for what they are needed for. */
const release = 'trixie';
const archiveKeys = '/usr/share/keyrings/debian-archive-keyring.gpg';

export interface Unpacking {
  /** Also the libraries that it needs, those of the system among them: for programs that run by no other release's. */
  withLibraries?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Unpacks packages of this machine's distribution, or on a Debian that is older than `release` that release's ones,
 * from the same mirror. Nothing is installed, nothing of the machine's own package lists is changed, and apt checks
 * Debian's signature. Answers the folder; undefined where there is no apt, or no such packages to be had.
 * @param workshop a folder that exists, the caller's to remove
 */
export async function unpackDebian(
  workshop: string,
  packages: readonly string[],
  { withLibraries = false, signal }: Unpacking = {},
): Promise<string | undefined> {
  try {
    const sources = (await isOlderDebian()) ? await writeSources(workshop, signal) : [];
    const options = [...sources, ...(await ownState(join(workshop, 'there')))];
    await run('apt-get', [...options, 'update'], { timeout: 120_000, signal });
    const names = [...packages, ...(withLibraries ? await librariesOf(packages, options) : [])];
    await run('apt-get', [...options, 'download', ...names], { cwd: workshop, timeout: 60_000, signal });
    const archives = (await readdir(workshop)).filter((name) => name.endsWith('.deb'));
    if (archives.length === 0) return undefined;
    for (const archive of archives) await run('dpkg', ['-x', archive, 'package'], { cwd: workshop });
    return join(workshop, 'package');
  } catch {
    return undefined;
  }
}

/** The libraries that packages need, and those that these need. */
async function librariesOf(packages: readonly string[], options: readonly string[]): Promise<string[]> {
  const libraries = new Set<string>();
  let asked = [...packages];
  while (asked.length > 0) {
    const { stdout } = await run('apt-cache', [...options, 'depends', '--important', ...asked]);
    const needed = [...stdout.matchAll(/^ *\|?(?:Pre)?Depends: ((?:lib|zlib)\S+)$/gm)].flatMap(
      ([, name]) => name ?? [],
    );
    asked = [...new Set(needed)].filter((name) => !libraries.has(name));
    for (const name of asked) libraries.add(name);
  }
  return [...libraries];
}

async function isOlderDebian(): Promise<boolean> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID=debian$/m.test(text) && /^VERSION_CODENAME=(bullseye|bookworm)$/m.test(text);
}

/** Writes a list of sources with `release` at this machine's own mirror; answers the options that make apt use it. */
async function writeSources(workshop: string, signal?: AbortSignal): Promise<string[]> {
  const options = await ownState(join(workshop, 'here'));
  await run('apt-get', [...options, 'update'], { timeout: 120_000, signal });
  const { stdout } = await run('apt-get', [
    ...options,
    ...['indextargets', '--format', '$(ORIGIN) $(COMPONENT) $(RELEASE) $(REPO_URI)', 'Created-By: Packages'],
  ]);
  const mirror = /^Debian main (?:bullseye|bookworm) (\S+)$/m.exec(stdout)?.[1];
  if (mirror === undefined) throw new Error('No mirror of Debian is configured');
  const file = join(workshop, 'sources.list');
  const keys = existsSync(archiveKeys) ? ` [signed-by=${archiveKeys}]` : '';
  await writeFile(file, `deb${keys} ${mirror} ${release} main\n`);
  return ['-o', `Dir::Etc::SourceList=${file}`, '-o', 'Dir::Etc::SourceParts=-'];
}

/** Package lists of our own: this works for any user, and the machine's stay as they are. */
async function ownState(folder: string): Promise<string[]> {
  await mkdir(join(folder, 'lists/partial'), { recursive: true });
  await mkdir(join(folder, 'cache'), { recursive: true });
  const settings = {
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'Acquire::Languages': 'none',
    // the sandbox user of apt may not be able to enter the repository
    'APT::Sandbox::User': 'root',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}
