import { access, constants, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotStart } from '@sluice/embedded';
import { identify, processIdentitySchema, takeLock, writePrivateFile } from '@sluice/system';

/** The folder that a stack keeps everything in, held by one launcher at a time. */
export interface Home {
  folder: string;
  /** the path of something in the folder */
  path: (...names: string[]) => string;
  release: () => Promise<void>;
}

const folders = ['logs', 'mail', 'nodes', 'run', 'secrets'];

/** Creates the folder if need be and takes hold of it. Throws `CannotStart`. */
export async function openHome(folder: string): Promise<Home> {
  const path = (...names: string[]) => join(folder, ...names);
  try {
    for (const name of folders) await mkdir(path(name), { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CannotStart(
      `${folder} cannot be used as data folder (${reason}): set SLUICE_HOME to a folder that can be written to.`,
    );
  }
  return { folder, path, release: await takeHome(await realpath(folder), path('launcher.json')) };
}

/** Makes this process the only launcher of the folder, and tells others in `holderFile` which one it is. */
async function takeHome(folder: string, holderFile: string): Promise<Home['release']> {
  const unlock = await takeLock('stack', folder);
  if (unlock === null) {
    const holder = await readHolder(holderFile);
    throw new CannotStart(
      `A stack already runs on ${folder}${holder}: stop it first, or set SLUICE_HOME and SLUICE_PORT_BASE for a second one.`,
    );
  }
  await writePrivateFile(holderFile, JSON.stringify(await identify(process.pid)));
  return async () => {
    await rm(holderFile, { force: true });
    await unlock();
  };
}

/** For the message: ` (process 123)`, or nothing where the holder has just begun. */
async function readHolder(file: string): Promise<string> {
  try {
    const { pid } = processIdentitySchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return ` (process ${pid})`;
  } catch {
    return '';
  }
}
