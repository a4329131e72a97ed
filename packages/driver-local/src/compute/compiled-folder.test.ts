import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRoot, unprivileged, unprivilegedUser } from '@sluice/system';
import { testFolder } from '@sluice/testing';
import { shareCompiledFolder } from './compiled-folder.ts';

const kept = async (folder: string) =>
  (await Promise.all((await readdir(folder)).map((user) => readdir(join(folder, user))))).flat();

test('an agent keeps what it has compiled, also where the supervisor is root and the agent is not', async () => {
  const folder = await testFolder();
  const program = join(folder, 'program.mjs');
  await writeFile(program, "import './other.mjs';");
  await writeFile(join(folder, 'other.mjs'), 'export const one = 1;');
  const compiled = await testFolder();
  const run = async () => {
    const [command, args] = unprivileged(process.execPath, [program], 'dac_read_search');
    await promisify(execFile)(command, args, { env: { ...process.env, NODE_COMPILE_CACHE: compiled } });
    return await kept(compiled);
  };
  if (isRoot) expect(await run()).toEqual([]);
  await shareCompiledFolder(compiled);
  expect(await run()).toHaveLength(2);
  const [theirs] = await readdir(compiled);
  if (isRoot) expect((await stat(join(compiled, theirs ?? ''))).uid).toBe(unprivilegedUser);
});

test('a supervisor that can make no such folder goes on without', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(shareCompiledFolder(join(folder, 'file'))).resolves.toBeUndefined();
});
