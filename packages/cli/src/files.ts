import { open, readFile, rm, writeFile } from 'node:fs/promises';
import type { Cli } from './cli.ts';
import { usageError } from './errors.ts';
import { visible } from './output/escape.ts';
import type { View } from './output/output.ts';

/** longest body or configuration that is read */
const mostBytes = 32 * 2 ** 20;

/** The text of a file, or of stdin for `-`. @throws CliError 2 where it cannot be read */
export async function readText({ io }: Cli, file: string, flag: string): Promise<string> {
  if (file !== '-') {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      throw usageError(`${flag}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
    }
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of io.stdin as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostBytes) throw usageError(`${flag}: stdin has more than ${mostBytes} bytes.`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Writes to a file that only its owner can read, and that did not exist: a secret is not written into a file that others can read, nor over
 * another one.
 * @throws CliError 2 where it cannot be written
 */
export async function writeSecretFile(path: string, content: string | AsyncIterable<Uint8Array>, flag = '--out'): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw usageError(`${flag}: ${path} ${code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`}.`);
  }
}

export interface OutFlags {
  out?: string;
}

/**
 * Writes what has a secret to stdout, or as JSON to the file of `--out`. The file is there before the secret is made, so that the secret
 * is not lost for want of a place.
 */
export async function handOut<T>(
  cli: Cli,
  { view, what, out }: OutFlags & { view: View<T>; what: string },
  make: () => Promise<{ data: T }>,
): Promise<void> {
  if (out === undefined) return cli.output.item((await make()).data, view);
  await writeSecretFile(out, '');
  try {
    const { data } = await make();
    await writeFile(out, `${JSON.stringify(data, null, 2)}\n`);
  } catch (error) {
    await rm(out);
    throw error;
  }
  cli.say(visible(`The ${what} is in ${out}.`));
}
