import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The processes of this machine, read from /proc on Linux and from `ps` elsewhere. No library does this: ps-list,
 * find-process and systeminformation all read what `ps` prints, which minimal images lack and which does not tell an
 * argument with a space from two arguments; none of them leaves zombies out.
 */

/** A process that has not ended: one that its parent has not reaped yet counts as ended. */
export interface TableEntry {
  pid: number;
  commandLine: CommandLine;
}

/** The program and its arguments, each followed by the separator. Empty for a process of the kernel. */
export interface CommandLine {
  text: string;
  /** NUL, where the system tells arguments apart, else a space */
  separator: '\0' | ' ';
}

const onLinux = process.platform === 'linux';

/** All processes, or those with these ids that there are. */
export async function readProcesses(pids?: readonly number[]): Promise<TableEntry[]> {
  if (!onLinux) {
    const rows = await readPs(pids === undefined ? ['-ax'] : ['-p', pids.join(',')]);
    return rows.map(({ pid, words }) => ({ pid, commandLine: { text: `${words} `, separator: ' ' } }));
  }
  const entries = await Promise.all((pids ?? (await allPids())).map(readCommandLine));
  return entries.filter((entry) => entry !== null);
}

/** When a process began, as the operating system tells it; null when it has ended. */
export async function startOf(pid: number): Promise<string | null> {
  if (!onLinux) return (await readPs(['-p', String(pid)]))[0]?.start ?? null;
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (stat === null) return null;
  // The second field, the program's name in parentheses, may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || start === undefined ? null : start;
}

async function allPids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function readCommandLine(pid: number): Promise<TableEntry | null> {
  // empty for a process that has ended but was not reaped
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (line === '') return null;
  // a process that has given itself a title may have lost the last NUL
  const text = line.endsWith('\0') ? line : `${line}\0`;
  return { pid, commandLine: { text, separator: '\0' } };
}

async function readPs(selection: readonly string[]) {
  const options = ['-ww', ...selection, '-o', 'pid=,stat=,lstart=,args='];
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  // ps fails when it finds none
  const { stdout } = await promisify(execFile)('ps', options, { env }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap(parsePsLine);
}

/** A line of `ps -o pid=,stat=,lstart=,args=`, of which lstart is five words: `Tue Jan  6 09:41:00 2026`. */
export function parsePsLine(line: string): { pid: number; start: string; words: string }[] {
  const [, pid, state, start, words] =
    /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*?)\s*$/.exec(line) ?? [];
  if (start === undefined || words === undefined || state?.startsWith('Z')) return [];
  return [{ pid: Number(pid), start, words }];
}
