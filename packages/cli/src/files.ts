import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Cli } from './cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';

/** longest body or configuration that is read */
const mostBytes = 32 * 2 ** 20;

/** The bytes of a file, or of stdin for `-`, as they come. @throws CliError 2 where it cannot be read */
export async function* openInput({ io }: Cli, file: string, flag: string): AsyncGenerator<Buffer> {
  try {
    yield* file === '-'
      ? (io.stdin as AsyncIterable<Buffer>)
      : (createReadStream(file) as AsyncIterable<Buffer>);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(`${flag}: ${file} cannot be read (${code ?? String(error)}).`);
  }
}

/** The text of a file, or of stdin for `-`. @throws CliError 2 where it cannot be read, or is larger than what is read */
export async function readText(cli: Cli, file: string, flag: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of openInput(cli, file, flag)) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostBytes)
      throw usageError(`${flag}: ${file === '-' ? 'stdin' : file} has more than ${mostBytes} bytes.`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Writes to a file that only its owner can read, and that did not exist: a secret is not written into a file that others can read, nor over
 * another one. It is there before the content is made, and is deleted where that fails.
 * @throws CliError 2 where it cannot be written
 */
export async function writeSecretFile(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  flag = '--out',
): Promise<void> {
  let file;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(
      `${flag}: ${path} ${code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`}.`,
    );
  }
  try {
    await file.writeFile(content);
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}

export interface OutFlags {
  out?: string;
}

/** Makes a secret and writes it to stdout, or as JSON to the file of `--out`. A secret is not made where the file cannot be. */
export async function handOut<T>(
  cli: Cli,
  { view, what, out }: OutFlags & { view: View<T>; what: string },
  make: () => Promise<{ data: T }>,
): Promise<void> {
  if (out === undefined) return cli.output.item((await make()).data, view);
  let isMade = false;
  async function* content() {
    const { data } = await make();
    isMade = true;
    yield Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
  }
  try {
    await writeSecretFile(out, content());
  } catch (error) {
    if (!isMade) throw error;
    throw new CliError({
      exitCode: exitCodes.partlyApplied,
      message: `The ${what} is there, and cannot be written to ${out}: ${(error as Error).message}`,
    });
  }
  cli.say(`The ${what} is in ${out}.`);
}

/** Writes what comes to stdout, or to the file of `--out`. @param what such as `The log` */
export async function writeStream(
  cli: Cli,
  pieces: AsyncIterable<Uint8Array>,
  what: string,
  out: string | undefined,
): Promise<void> {
  if (out === undefined) return cli.output.pieces(pieces);
  await writeSecretFile(out, pieces);
  cli.say(`${what} is in ${out}.`);
}
