import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { takeLock } from './lock.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that has the lock, as it says. */
async function holder(folder: string): Promise<ChildProcess> {
  const lock = JSON.stringify(join(import.meta.dirname, 'lock.ts'));
  const program = `
    import { takeLock } from ${lock};
    console.log(await takeLock('test', ${JSON.stringify(folder)}) !== null);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('true\n');
  return child;
}

const someFolder = () => `/somewhere/${randomUUID()}`;

test('one process has the lock of a folder, and another program has one of its own', async () => {
  const folder = someFolder();
  const release = await takeLock('test', folder);
  expect(await takeLock('test', folder)).toBeNull();
  expect(await takeLock('other', folder)).not.toBeNull();
  await release?.();
  expect(await takeLock('test', folder)).not.toBeNull();
});

test('a process that is killed has the lock no more, at once; one that is merely halted keeps it', async () => {
  const folder = someFolder();
  const child = await holder(folder);
  child.kill('SIGSTOP');
  expect(await takeLock('test', folder)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await takeLock('test', folder)).not.toBeNull();
});
