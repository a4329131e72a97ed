import { Writable } from 'node:stream';
import { ConfigError } from '@sluice/service';
import { CliError, exitCodes, usageError, type Explanation } from '@sluice/terminal/errors';
import { processIo } from '@sluice/terminal/io';
import { runProgram } from '@sluice/terminal/run';
import { createAdmin } from './admin.ts';
import type { Databases } from './databases.ts';
import { check, parse } from './program.ts';

/**
 * Runs a command line with settings of the environment, and sets the exit code of the process.
 * @param databases among which `--service` chooses; by default those of the folder `DATABASE_URLS_DIR`
 */
export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  databases?: Databases,
): Promise<void> {
  const interrupted = new AbortController();
  const io = processIo();
  const admin = createAdmin(io, environment, databases, interrupted.signal);
  await runProgram(io, interrupted, {
    parse: () => parse(admin, args),
    explain: (error) => Promise.resolve(explain(error, interrupted.signal)),
  });
}

const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH'];

function explain(error: unknown, signal: AbortSignal): Explanation {
  if (signal.aborted) return { exitCode: exitCodes.interrupted, message: 'Interrupted.' };
  if (error instanceof CliError) return error;
  if (error instanceof ConfigError)
    return {
      exitCode: exitCodes.usage,
      message: error.message,
      next: 'sluice-admin --help says what is read',
    };
  const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const { code, name, message } = failure;
  if (unreachable.includes(code ?? '') || name === 'ConnectionError' || name === 'TimeoutError')
    return {
      exitCode: exitCodes.tryAgain,
      message: `PostgreSQL or NATS cannot be reached: ${message || (code ?? name)}`,
      next: 'check the address, and that it runs; then try again',
    };
  return { exitCode: exitCodes.unexpected, message: `Unexpected: ${message}` };
}

/** The same without a process, for tests. @returns what is written to both streams @throws CliError, ConfigError, and what else fails */
export async function runAdmin(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  databases?: Databases,
): Promise<string> {
  const { admin, written } = captured(environment, databases);
  if ((await parse(admin, args)) !== 0) throw usageError(written());
  return written();
}

/** What is wrong with a command line, which is not run. @returns undefined where nothing is */
export async function misunderstood(args: readonly string[]): Promise<string | undefined> {
  const { admin, written } = captured({}, undefined);
  return (await check(admin, args)) === 0 ? undefined : written();
}

function captured(environment: NodeJS.ProcessEnv, databases: Databases | undefined) {
  const pieces: string[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece.toString());
      done();
    },
  }) as NodeJS.WriteStream;
  const io = {
    ...{ stdin: process.stdin, stdout: stream, stderr: stream, env: environment, isInteractive: false },
    ...{ columns: undefined, paint: (_: unknown, text: string) => text },
    paintWords: (_: unknown, text: string) => text,
  };
  const admin = createAdmin(io, environment, databases, new AbortController().signal);
  return { admin, written: () => pieces.join('').trimEnd() };
}
