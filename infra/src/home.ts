import { randomBytes } from 'node:crypto';
import { access, constants, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotStart, commandLine } from '@sluice/embedded';
import { z } from 'zod';

/** The folder that a stack keeps everything in, held by one launcher at a time. */
export interface Home {
  folder: string;
  /** the path of something in the folder */
  path: (...names: string[]) => string;
  release: () => Promise<void>;
}

const folders = ['logs', 'mail', 'nodes', 'run', 'secrets'];
const holderSchema = z.object({ pid: z.int(), command_line: z.string() });

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
  const lock = path('launcher.json');
  await takeHold(lock, folder);
  return { folder, path, release: () => rm(lock, { force: true }) };
}

async function takeHold(lock: string, folder: string): Promise<void> {
  const ours = `${lock}.${process.pid}`;
  const holder = { pid: process.pid, command_line: await commandLine(process.pid) };
  await writeFile(ours, JSON.stringify(holder), { mode: 0o600 });
  try {
    while (!(await tryLink(ours, lock))) {
      const holder = await readHolder(lock);
      // a process id alone may meanwhile be somebody else's
      if (holder && (await commandLine(holder.pid)) === holder.command_line) {
        throw new CannotStart(
          `A stack already runs on ${folder} (process ${holder.pid}): stop it first, or set SLUICE_HOME and SLUICE_PORT_BASE for a second one.`,
        );
      }
      await removeStale(lock, holder?.pid);
    }
  } finally {
    await rm(ours, { force: true });
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(lock: string): Promise<z.infer<typeof holderSchema> | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Removes a lock whose holder is gone, and puts it back if another launcher has taken it over in this moment. */
async function removeStale(lock: string, holderPid: number | undefined): Promise<void> {
  const aside = `${lock}.stale.${randomBytes(4).toString('hex')}`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if ((await readHolder(aside))?.pid !== holderPid) await tryLink(aside, lock);
  await rm(aside, { force: true });
}
