import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfPresent, writePrivateFile } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-files-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('a file is for its owner alone, also one that others could read before', async () => {
  const path = join(folder, 'secret');
  await writeFile(path, 'before');
  await chmod(path, 0o644);
  await writePrivateFile(path, 'after');
  expect(await readFile(path, 'utf8')).toBe('after');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('many writers at once leave the whole text of one of them, and nothing else', async () => {
  const path = join(folder, 'state');
  const texts = Array.from({ length: 30 }, (_, index) => String(index).repeat(100_000));
  await Promise.all(texts.map((text) => writePrivateFile(path, text)));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(folder)).toEqual(['state']);
});

test('a reader meanwhile finds the text before or the one after, never a part', async () => {
  const path = join(folder, 'state');
  const [before, after] = ['b'.repeat(500_000), 'a'.repeat(500_000)];
  await writePrivateFile(path, before);
  const writing = writePrivateFile(path, after);
  let done = false;
  void writing.then(() => (done = true));
  while (!done) expect([before, after]).toContain(await readFile(path, 'utf8'));
});

test('a writing that fails leaves nothing behind', async () => {
  await expect(writePrivateFile(folder, 'a folder is in the way')).rejects.toThrow();
  await expect(writePrivateFile(join(folder, 'missing', 'file'), '')).rejects.toThrow(/ENOENT/);
  expect(await readdir(folder)).toEqual([]);
  expect((await readdir(tmpdir())).filter((name) => name.endsWith('.new') && folder.includes(name))).toEqual(
    [],
  );
});

test('a file that is not there reads as null', async () => {
  expect(await readIfPresent(join(folder, 'missing'))).toBeNull();
  await expect(readIfPresent(folder)).rejects.toThrow(/EISDIR/);
});
