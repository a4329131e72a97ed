import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

interface RunOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end.
 * @returns what it printed, without the last line break
 * @throws Error with what it said on stderr
 */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      maxBuffer: 256_000_000,
    });
    return stdout.trimEnd();
  } catch (error) {
    const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
    const said = [stderr, stdout, message].find((text) => text !== undefined && text.trim() !== '') ?? '';
    // programs in Go say first what they tried
    const reason = said.split(/^(?:Error|error during command execution): /m).at(-1) ?? '';
    throw new Error(`${basename(program)} ${args[0] ?? ''}: ${reason.trim().slice(-1_500)}`, {
      cause: error,
    });
  }
}

/** git in a folder. */
export const gitIn =
  (root: string) =>
  (...args: string[]): Promise<string> =>
    run('git', args, { cwd: root });

/** Whether a command succeeds. */
export const succeeds = (command: Promise<unknown>): Promise<boolean> =>
  command.then(
    () => true,
    () => false,
  );
