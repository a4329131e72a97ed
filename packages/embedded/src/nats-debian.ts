import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packageName = 'nats-server';

/** Debian's first release with a nats-server that is new enough; its program runs on the release before, too. */
const release = 'trixie';
const archiveKeys = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Unpacks the package of this machine's distribution, or on a Debian that is older than `release` that release's one,
 * from the same mirror. Nothing is installed, nothing of the machine's own package lists is changed, and apt checks
 * Debian's signature. Undefined where there is no apt, or no such package to be had.
 */
export async function fromDebian(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const sources = (await isOlderDebian()) ? await writeSources(workshop, signal) : [];
    return await unpack(workshop, sources, signal);
  } catch {
    return undefined;
  }
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

async function unpack(workshop: string, sources: string[], signal?: AbortSignal) {
  const options = [...sources, ...(await ownState(join(workshop, 'there')))];
  await run('apt-get', [...options, 'update'], { timeout: 120_000, signal });
  await run('apt-get', [...options, 'download', packageName], { cwd: workshop, timeout: 60_000, signal });
  const archive = (await readdir(workshop)).find((name) => name.endsWith('.deb'));
  if (archive === undefined) return undefined;
  await run('dpkg', ['-x', archive, 'package'], { cwd: workshop });
  const path = join(workshop, 'package/usr/sbin', packageName);
  await access(path, constants.X_OK);
  return path;
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
