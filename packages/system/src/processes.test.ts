import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { parsePsLine } from './process-table.ts';
import {
  commandLineOf,
  endProcess,
  endProcesses,
  findProcesses,
  identify,
  isAlive,
  isRunning,
  naming,
  sendSignal,
  withArgument,
  withArguments,
} from './processes.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const idle = 'console.log(); setInterval(() => {}, 1000)';
const stubborn = `process.on('SIGTERM', () => {}); ${idle}`;

/** A program that has begun to run, with these arguments. */
async function run(
  program: string,
  ...programArguments: string[]
): Promise<{ pid: number; child: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', program, '--', ...programArguments]);
  children.push(child);
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, child };
}

/** A process that has ended and whose parent does not reap it: the parent has become a `sleep`, which has no idea. */
async function zombie(): Promise<number> {
  const shell = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
  children.push(shell);
  const [said] = (await once(shell.stdout, 'data')) as [Buffer];
  return Number(said.toString());
}

const mark = () => `/nodes/${randomUUID()}`;

test('a process is identified by its pid and the time of its start, for as long as it lives', async () => {
  const { pid, child } = await run(idle);
  const identity = await identify(pid);
  expect(identity).toMatchObject({ pid, process_start: expect.stringMatching(/\d/) as string });
  if (identity === null) return;
  expect(await isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isAlive(identity)).toBe(false);
  expect(await identify(pid)).toBeNull();
});

test('a process that has got the pid of another is not taken for it', async () => {
  const { pid } = await run(idle);
  const identity = { pid, started_at: new Date().toISOString(), process_start: '1' };
  expect(await isAlive(identity)).toBe(false);
});

test('a process that was halted is alive', async () => {
  const { pid, child } = await run(idle);
  child.kill('SIGSTOP');
  expect(await identify(pid)).not.toBeNull();
});

test('a process that has ended but was not reaped counts as ended', async () => {
  const pid = await zombie();
  while ((await identify(pid)) !== null) await sleep(10);
  expect(() => process.kill(pid, 0)).not.toThrow();
  expect(await commandLineOf(pid)).toBeNull();
  expect(await isRunning(pid, () => true)).toBe(false);
  expect(await findProcesses(() => true)).not.toContain(pid);
  await endProcess(pid, () => true);
});

test('processes are found by exactly their arguments, which may hold spaces', async () => {
  const folder = mark();
  const { pid } = await run(idle, `${folder} with space`, 'last');
  const all = ['-e', idle, '--', `${folder} with space`, 'last'];
  expect(await findProcesses(withArguments(...all))).toEqual([pid]);
  expect(await isRunning(pid, withArguments(...all))).toBe(true);
  expect(await findProcesses(withArguments(...all.slice(1)))).toEqual([]);
  expect(await findProcesses(withArguments(...all.slice(0, -1)))).toEqual([]);
});

test('or by one of their arguments, as a whole', async () => {
  const folder = mark();
  const { pid } = await run(idle, `${folder} with space`, 'last');
  expect(await findProcesses(withArgument(`${folder} with space`))).toEqual([pid]);
  if (process.platform === 'linux') expect(await findProcesses(withArgument(folder))).toEqual([]);
  expect(await findProcesses(withArgument(folder.slice(1)))).toEqual([]);
});

test('or by a path that they name, itself or something in it, not one that begins like it', async () => {
  const folder = mark();
  const { pid } = await run(idle, `--config=${folder}/123/file`);
  expect(await findProcesses(naming(folder))).toEqual([pid]);
  expect(await isRunning(pid, naming(`${folder}/123`))).toBe(true);
  expect(await isRunning(pid, naming(`${folder}/12`))).toBe(false);
  expect(await commandLineOf(pid)).toContain(`--config=${folder}/123/file`);
});

test('a process is ended only if it matches, and by force if it does not want to end', async () => {
  const folder = mark();
  const { pid, child } = await run(stubborn, folder);
  await endProcess(pid, withArgument(mark()));
  expect(child.exitCode ?? child.signalCode).toBeNull();
  const ended = once(child, 'exit');
  await endProcess(pid, withArgument(folder), ['SIGTERM', 'SIGKILL'], 100);
  expect(await ended).toEqual([null, 'SIGKILL']);
});

test('all that match are ended', async () => {
  const folder = mark();
  const ends = (await Promise.all([run(idle, folder), run(idle, folder)])).map(({ child }) =>
    once(child, 'exit'),
  );
  await endProcesses(withArgument(folder));
  expect(await Promise.all(ends)).toEqual([
    [null, 'SIGTERM'],
    [null, 'SIGTERM'],
  ]);
  expect(await findProcesses(withArgument(folder))).toEqual([]);
});

test('a signal to a process that is gone is no error', async () => {
  const { pid, child } = await run(idle);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(() => sendSignal(pid, 'SIGTERM')).not.toThrow();
});

test('where the system separates arguments by spaces, they are looked for in the text', () => {
  const commandLine = {
    text: '/Program Files/nats-server -c /nodes/12/broker.conf ',
    separator: ' ',
  } as const;
  expect(withArguments('-c', '/nodes/12/broker.conf')(commandLine)).toBe(true);
  expect(withArguments('/nodes/12/broker.conf', '-c')(commandLine)).toBe(false);
  expect(withArgument('/nodes/12/broker.conf')(commandLine)).toBe(true);
  expect(withArgument('/nodes/12')(commandLine)).toBe(false);
  expect(naming('/nodes/12')(commandLine)).toBe(true);
});

test('a line of ps is read, and zombies are left out', () => {
  const line = ' 4711 S+   Tue Jan  6 09:41:00 2026 /usr/bin/node -e x';
  expect(parsePsLine(line)).toEqual([
    { pid: 4711, start: 'Tue Jan  6 09:41:00 2026', words: '/usr/bin/node -e x' },
  ]);
  expect(parsePsLine(line.replace('S+', 'Z+'))).toEqual([]);
  expect(parsePsLine('')).toEqual([]);
});
