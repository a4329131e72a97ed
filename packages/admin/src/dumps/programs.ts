import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { libpqConnection } from '@sluice/service';

const mostErrorText = 2_000;

/** Runs a program of PostgreSQL at a database, whose password does not show in the list of processes. */
function run(program: string, args: readonly string[], address: string) {
  const { url, password } = libpqConnection(address);
  const env = { PATH: process.env['PATH'], PGPASSWORD: password, PGCONNECT_TIMEOUT: '10' };
  const child = spawn(program, [...args, '--no-password', `--dbname=${url}`], { env });
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
  const { child, ended } = run('pg_dump', ['--format=custom'], address);
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
export async function restoreInto(address: string, content: Readable): Promise<void> {
  const { child, ended } = run('pg_restore', ['--exit-on-error', '--single-transaction'], address);
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
