import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { libpqConnection } from '@sluice/service';

const mostErrorText = 2_000;

/** With a database; its password does not show in the list of processes. */
function runAt(address: string, program: string, args: readonly string[]) {
  const { url, password } = libpqConnection(address);
  const environment = { PGPASSWORD: password, PGCONNECT_TIMEOUT: '10' };
  return run(program, [...args, '--no-password', `--dbname=${url}`], environment);
}

/** Runs a program of PostgreSQL. */
function run(program: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...environment } });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text = `${text}${chunk.toString()}`.slice(-mostErrorText)));
  const ended = once(child, 'close').then(([code, signal]) => {
    if (code !== 0) throw new Error(`${program} ended with ${String(signal ?? code)}: ${text.trim()}`);
  });
  // waited for later
  ended.catch(() => undefined);
  return { child, ended };
}

/** The output of pg_dump, which ends without an error only where pg_dump has. */
export async function* dumpOf(address: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { child, ended } = runAt(address, 'pg_dump', ['--format=custom']);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    await ended;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/**
 * Restores a dump in one transaction: where its content ends with an error, or PostgreSQL refuses anything of it, the database is as before.
 * @throws Error which says what failed
 */
export const restoreInto = (address: string, content: Readable): Promise<void> =>
  feed(runAt(address, 'pg_restore', ['--exit-on-error', '--single-transaction']), content);

/** Reads a dump to its end, without a database. @throws Error where its content ends with an error, or is none of pg_dump */
export const readThrough = (content: Readable): Promise<void> =>
  feed(run('pg_restore', ['--file=/dev/null']), content);

async function feed({ child, ended }: ReturnType<typeof run>, content: Readable): Promise<void> {
  let broken: Error | undefined;
  // before pg_restore could take the end of its input for that of the dump
  content.once('error', (error) => {
    broken = error;
    child.kill('SIGKILL');
  });
  const fed = pipeline(content, child.stdin).catch((error: unknown) => error);
  await ended.catch((error: unknown) => {
    throw broken ?? error;
  });
  await fed;
}
