import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Processes that this program did not start itself, or no longer holds a handle of. */

const pollEvery = 20;

/**
 * The command line of a running process, its arguments separated by spaces; undefined when there is no such process
 * (a zombie counts as none).
 */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text === '' ? undefined : text.replaceAll('\0', ' ').trim();
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.trim() === '' ? undefined : stdout.trim();
}

/**
 * Whether the process exists and its command line names `mark`, a path: a process id alone may meanwhile be somebody
 * else's.
 */
export async function isOurs(pid: number, mark: string): Promise<boolean> {
  const line = (await commandLine(pid)) ?? '';
  // `/nodes/12` is not named by `/nodes/123`
  return line
    .split(mark)
    .slice(1)
    .some((rest) => !/^[\w.-]/.test(rest));
}

/** The ids of all processes but this one whose command line names `mark`. */
export async function processesNaming(mark: string): Promise<number[]> {
  const pids = (await processIds()).filter((pid) => pid !== process.pid);
  const ours = await Promise.all(pids.map((pid) => isOurs(pid, mark)));
  return pids.filter((_, index) => ours[index]);
}

async function processIds(): Promise<number[]> {
  const names =
    process.platform === 'linux'
      ? await readdir('/proc')
      : (await promisify(execFile)('ps', ['-ax', '-o', 'pid='])).stdout.split('\n');
  return names.map(Number).filter((pid) => pid > 0);
}

/**
 * Ends a process whose command line names `mark`, by each signal in turn until one has worked; waits `patienceMs` after
 * each and answers once the process is gone. Does nothing if there is no such process or it belongs to somebody else.
 */
export async function endProcess(
  pid: number,
  mark: string,
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGKILL'],
  patienceMs = 5_000,
): Promise<void> {
  for (const signal of signals) {
    if (!(await isOurs(pid, mark))) return;
    sendSignal(pid, signal);
    const deadline = Date.now() + patienceMs;
    while ((await isOurs(pid, mark)) && Date.now() < deadline) await delay(pollEvery);
  }
}

/** Sends a signal; a process that is already gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // no instanceof: under jest, Node's own errors are of another Error
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
