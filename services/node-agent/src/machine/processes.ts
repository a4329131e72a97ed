import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Names one process for good: the kernel reuses a pid, but not together with the time at which its process began. */
export const processIdentitySchema = z.object({
  pid: z.int().positive(),
  /** when the record was made, for people */
  started_at: z.iso.datetime(),
  /** when the process began, as the operating system tells it */
  process_start: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** @returns null when no process with this pid is alive */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const process_start = await startOf(pid);
  return process_start === null ? null : { pid, started_at: new Date().toISOString(), process_start };
}

/** Whether exactly this process still runs. One that has ended but was not reaped by its parent does not. */
export async function isAlive({ pid, process_start }: ProcessIdentity): Promise<boolean> {
  return (await startOf(pid)) === process_start;
}

/** Whether the process was started with exactly these arguments. */
export async function runsWith(pid: number, programArguments: string[]): Promise<boolean> {
  const running = process.platform === 'linux' ? await fromProc([pid]) : await fromPs();
  return running.some((candidate) => candidate.pid === pid && candidate.runsWith(programArguments));
}

/** The processes that were started with exactly these arguments, whatever the program. */
export async function findRunningWith(programArguments: string[]): Promise<number[]> {
  const running = process.platform === 'linux' ? await fromProc(await allPids()) : await fromPs();
  return running.filter((candidate) => candidate.runsWith(programArguments)).map(({ pid }) => pid);
}

async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return await startFromPs(pid);
  const stat = await orNull(readFile(`/proc/${pid}/stat`, 'latin1'));
  if (stat === null) return null;
  // The second field, the program's name in parentheses, may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || start === undefined ? null : start;
}

async function startFromPs(pid: number): Promise<string | null> {
  const result = await orNull(promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]));
  const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/m.exec(result?.stdout ?? '') ?? [];
  return start === undefined || state?.startsWith('Z') ? null : start;
}

interface Running {
  pid: number;
  runsWith(programArguments: string[]): boolean;
}

async function allPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function fromProc(pids: number[]): Promise<Running[]> {
  return await Promise.all(
    pids.map(async (pid) => {
      const line = (await orNull(readFile(`/proc/${pid}/cmdline`, 'utf8'))) ?? '';
      const own = line.slice(line.indexOf('\0') + 1);
      return {
        pid,
        runsWith: (programArguments) => own === programArguments.map((word) => `${word}\0`).join(''),
      };
    }),
  );
}

async function fromPs(): Promise<Running[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axwwo', 'pid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, words] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    if (words === undefined) return [];
    return [
      { pid: Number(pid), runsWith: (programArguments) => words.endsWith(` ${programArguments.join(' ')}`) },
    ];
  });
}

async function orNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  return await promise.catch(() => null);
}
