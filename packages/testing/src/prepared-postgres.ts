import { execFile } from 'node:child_process';
import { access, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCluster } from '@sluice/embedded';
import { testFolder } from './folder.ts';

/**
 * Puts the data of an unused PostgreSQL into `folder`, which has none. It is made once in a test run, and copied: to make
 * it takes a second of a processor, and there are dozens. Outside of a test run it does nothing, and the server makes its own.
 */
export async function preparePostgres(folder: string): Promise<void> {
  const run = process.env.SLUICE_TEST_FOLDER;
  if (run === undefined) return;
  const prepared = join(run, 'prepared-postgres');
  if (!(await isThere(prepared))) await make(prepared);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // unlike Node's own, it keeps whose the files are
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder]);
}

async function make(prepared: string): Promise<void> {
  const folder = await testFolder();
  await ensureCluster(folder);
  await rename(folder, prepared).catch(async (error: unknown) => {
    // another worker was quicker
    if (!(await isThere(prepared))) throw error;
  });
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
