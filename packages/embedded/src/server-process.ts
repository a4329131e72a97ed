import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';

/** How a process ended: its exit code, or the signal that ended it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server that runs as a child of this process. */
export interface ServerProcess {
  pid: number;
  port: number;
  url: string;
  /** settles when the process has ended; never rejects */
  exited: Promise<Exit>;
  /** whether it does its work, where it can tell */
  isHealthy?: () => Promise<boolean>;
  /** ends the process in an orderly way, by force if it takes too long; a second call waits for the first */
  stop(): Promise<void>;
}

export interface Launch {
  /** what a person calls this server */
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** receives stdout and stderr; the log of the start before is kept beside it with `.old` appended */
  logFile: string;
}

/** Starts a server in a session of its own: a Ctrl-C in the terminal reaches its owner, who stops it in the right order. */
export function launch({ command, args, env, logFile }: Launch): {
  child: ChildProcess;
  exited: Promise<Exit>;
} {
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.old`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(command, args, {
    stdio: ['ignore', log, log],
    detached: true,
    env: env ?? process.env,
  });
  closeSync(log);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  return { child, exited };
}

/** Waits until `probe` answers true; throws when the process ends first, with the last lines of its log. */
export async function waitUntilReady(
  { name, logFile }: Launch,
  exited: Promise<Exit>,
  probe: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  let ended = false;
  void exited.then(() => (ended = true));
  const deadline = Date.now() + timeoutMs;
  while (!(await probe())) {
    if (ended)
      throw new CannotStart(`${name} did not start: ${await lastProblem(logFile)} (log: ${logFile}).`);
    if (Date.now() > deadline)
      throw new CannotStart(`${name} was not ready within ${timeoutMs / 1000} s (log: ${logFile}).`);
    await delay(15);
  }
}

/** Sends each signal in turn until the process has ended, with `patienceMs` in between. */
export async function endChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  signals: readonly NodeJS.Signals[],
  patienceMs: number,
): Promise<void> {
  for (const signal of signals) {
    child.kill(signal);
    const patience = new AbortController();
    const late = delay(patienceMs, 'late', { signal: patience.signal }).catch(() => 'ended');
    const outcome = await Promise.race([exited, late]);
    patience.abort();
    if (outcome !== 'late') return;
  }
  await exited;
}

/** The line of a log that most likely says why a server did not start. */
async function lastProblem(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const telling = lines.findLast((line) => /fatal|\[ftl\]|error|panic/i.test(line)) ?? lines.at(-1);
  return telling?.trim().replace(/\.$/, '') ?? 'it ended without a word';
}
