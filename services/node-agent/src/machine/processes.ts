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

/** Whether this is among the arguments with which the process was started. */
export async function hasArgument(pid: number, argument: string): Promise<boolean> {
  const table = process.platform === 'linux' ? await argumentsFromProc([pid]) : await argumentsFromPs();
  return table.some((row) => row.pid === pid && row.has(argument));
}

/** The processes that were started with this argument. */
export async function findByArgument(argument: string): Promise<number[]> {
  const linux = process.platform === 'linux';
  const table = linux ? await argumentsFromProc(await allPids()) : await argumentsFromPs();
  return table.filter((row) => row.has(argument)).map((row) => row.pid);
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

interface Row {
  pid: number;
  has(argument: string): boolean;
}

async function allPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function argumentsFromProc(pids: number[]): Promise<Row[]> {
  const rows = await Promise.all(
    pids.map(async (pid) => {
      const line = await orNull(readFile(`/proc/${pid}/cmdline`, 'utf8'));
      const words = line?.split('\0') ?? [];
      return { pid, has: (argument: string) => words.includes(argument) };
    }),
  );
  return rows;
}

async function argumentsFromPs(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axwwo', 'pid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, words] = /^\s*(\d+)\s(.*)$/.exec(line) ?? [];
    return words === undefined ? [] : [{ pid: Number(pid), has: (argument: string) => words.includes(argument) }];
  });
}

async function orNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  return await promise.catch(() => null);
}
