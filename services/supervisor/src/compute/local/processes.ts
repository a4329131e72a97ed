import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Processes that this supervisor may not be the parent of. A pid alone proves nothing, since the system uses it
 * again; a process is known by an argument that no other has. One that has ended counts as none, reaped or not.
 */

/** Whether the process runs and was started with `argument`. */
export async function hasArgument(pid: number, argument: string): Promise<boolean> {
  const table = process.platform === 'linux' ? await fromProc([pid]) : await fromPs(['-p', String(pid)]);
  return table.some((row) => row.pid === pid && row.matches(argument));
}

/** All processes that were started with `argument`. */
export async function findByArgument(argument: string): Promise<number[]> {
  const table = process.platform === 'linux' ? await fromProc(await allPids()) : await fromPs(['-ax']);
  return table.filter((row) => row.matches(argument)).map(({ pid }) => pid);
}

const patienceMilliseconds = 5_000;
const lookEveryMilliseconds = 20;

/**
 * Ends whatever was started with `argument`: asks first, and after five seconds forces.
 * @throws Error when something survives even that
 */
export async function endByArgument(argument: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    let pids = await findByArgument(argument);
    for (const pid of pids) send(pid, signal);
    const deadline = performance.now() + patienceMilliseconds;
    while (pids.length > 0 && performance.now() < deadline) {
      await pause(lookEveryMilliseconds);
      const alive = await Promise.all(pids.map((pid) => hasArgument(pid, argument)));
      pids = pids.filter((_, index) => alive[index]);
    }
  }
  const left = await findByArgument(argument);
  if (left.length > 0) throw new Error(`process ${left.join(', ')} does not end`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // it has ended meanwhile
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface Row {
  pid: number;
  matches(argument: string): boolean;
}

async function allPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function fromProc(pids: readonly number[]): Promise<Row[]> {
  return await Promise.all(
    pids.map(async (pid) => {
      // empty for a process that has ended but was not reaped
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const words = line.split('\0');
      return { pid, matches: (argument: string) => words.includes(argument) };
    }),
  );
}

async function fromPs(selection: readonly string[]): Promise<Row[]> {
  const options = ['-ww', ...selection, '-o', 'pid=,stat=,args='];
  const { stdout } = await promisify(execFile)('ps', options).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state, words] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || words === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), matches: (argument: string) => ` ${words} `.includes(` ${argument} `) }];
  });
}
