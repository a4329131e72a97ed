import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isErrorCode } from './errors.ts';
import { readProcesses, startOf, type CommandLine } from './process-table.ts';

/**
 * Processes that this one may not be the parent of. A pid alone proves nothing, since the system uses it again: a
 * process is known by its start time or by its command line.
 */

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

/** Picks processes by their command line. */
export type Match = (commandLine: CommandLine) => boolean;

/** The process was started with exactly these arguments, of any program. */
export function withArguments(...programArguments: readonly string[]): Match {
  return ({ text, separator }) => {
    const expected = programArguments.map((word) => `${word}${separator}`).join('');
    // where words are separated by spaces, the program's own path may hold some
    return separator === '\0'
      ? text.slice(text.indexOf(separator) + 1) === expected
      : text.endsWith(`${separator}${expected}`);
  };
}

/** One of its arguments is one of these. */
export function withArgument(...any: readonly string[]): Match {
  return ({ text, separator }) =>
    any.some((argument) => `${separator}${text}`.includes(`${separator}${argument}${separator}`));
}

/** Its command line names the path, or something in that folder; `/nodes/12` is not named by `/nodes/123`. */
export function naming(path: string): Match {
  return ({ text }) =>
    text
      .split(path)
      .slice(1)
      .some((rest) => !/^[\w.-]/.test(rest));
}

/** The ids of all processes but this one that match. */
export async function findProcesses(match: Match): Promise<number[]> {
  const processes = await readProcesses();
  return processes
    .filter(({ pid, commandLine }) => pid !== process.pid && match(commandLine))
    .map(({ pid }) => pid);
}

/** Whether the process runs and matches. */
export async function isRunning(pid: number, match: Match): Promise<boolean> {
  return (await readProcesses([pid])).some(({ commandLine }) => match(commandLine));
}

/** The command line of a process, its arguments separated by spaces; null when there is no such process. */
export async function commandLineOf(pid: number): Promise<string | null> {
  const [found] = await readProcesses([pid]);
  return found === undefined ? null : found.commandLine.text.replaceAll('\0', ' ').trim();
}

const defaultSignals = ['SIGTERM', 'SIGKILL'] as const;
const defaultPatience = 5_000;
const lookEvery = 20;

/**
 * Ends a process if it matches, by each signal in turn until one has worked; waits `patience` milliseconds after each
 * and resolves once the process is gone. Does nothing if there is no such process or it belongs to another user.
 */
export async function endProcess(
  pid: number,
  match: Match,
  signals: readonly NodeJS.Signals[] = defaultSignals,
  patience = defaultPatience,
): Promise<void> {
  const find = async () => ((await isRunning(pid, match)) ? [pid] : []);
  for (const signal of signals) if (!(await endBy(signal, find, match, patience))) return;
}

/**
 * Ends all processes that match: asks first, and after five seconds forces.
 * @throws Error when something survives even that
 */
export async function endProcesses(match: Match): Promise<void> {
  for (const signal of defaultSignals)
    if (!(await endBy(signal, () => findProcesses(match), match, defaultPatience))) return;
  const left = await findProcesses(match);
  if (left.length > 0) throw new Error(`process ${left.join(', ')} does not end`);
}

/** @returns whether there was any to end: to look again would cost as much as to look */
async function endBy(
  signal: NodeJS.Signals,
  find: () => Promise<number[]>,
  match: Match,
  patience: number,
): Promise<boolean> {
  let pids = await find();
  if (pids.length === 0) return false;
  for (const pid of pids) sendSignal(pid, signal);
  const deadline = performance.now() + patience;
  while (pids.length > 0 && performance.now() < deadline) {
    await sleep(lookEvery);
    const matching = (await readProcesses(pids)).filter(({ commandLine }) => match(commandLine));
    pids = matching.map(({ pid }) => pid);
  }
  return true;
}

/** Sends a signal; a process that is already gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrorCode(error, 'ESRCH')) throw error;
  }
}
