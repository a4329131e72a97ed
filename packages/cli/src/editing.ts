import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { Cli } from './cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { DryRunEnd } from './errors.ts';
import { readText } from './files.ts';
import { yamlOf } from '@sluice/terminal/yaml';

type Fields = Record<string, unknown>;

interface Editing {
  /** what it is, such as `the role operator` */
  what: string;
  /** as it is now; empty for something new */
  value: Fields;
  /** lines for the person who edits it, which are not part of it */
  notes?: readonly string[];
  /** the file that takes its place, `-` for stdin; without it an editor is opened */
  file?: string | undefined;
}

/**
 * Has a document of YAML or JSON changed: by a file, or in the editor of `VISUAL` or `EDITOR`, on a temporary file that only its owner can
 * read. What was typed is kept where it cannot be used.
 * @param send stores the new document
 * @returns what `send` gives; undefined where nothing is different
 * @throws CliError 2 without a terminal and a file, 7 for what is no document
 */
export async function edit<T>(
  cli: Cli,
  { what, value, notes = [], file }: Editing,
  send: (value: Fields) => Promise<T>,
): Promise<T | undefined> {
  if (file !== undefined) return changed(cli, what, value, await readText(cli, file, '--file'), send);
  if (!cli.io.isInteractive)
    throw usageError('There is no terminal for an editor.', 'pass --file FILE, or --file - for stdin');
  const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
  const path = join(folder, 'edit.yaml');
  const head = [what, ...notes].map((note) => `# ${note}\n`).join('');
  await writeFile(path, `${head}\n${Object.keys(value).length === 0 ? '' : yamlOf(value)}`, { mode: 0o600 });
  try {
    await openEditor(cli, path);
    const result = await changed(cli, what, value, await readFile(path, 'utf8'), send);
    await rm(folder, { recursive: true });
    return result;
  } catch (error) {
    if (error instanceof DryRunEnd) await rm(folder, { recursive: true });
    else cli.say(`What you have typed is kept: --file ${path}`);
    throw error;
  }
}

async function changed<T>(
  cli: Cli,
  what: string,
  before: Fields,
  text: string,
  send: (value: Fields) => Promise<T>,
): Promise<T | undefined> {
  const after = documentOf(what, text);
  if (!isDeepStrictEqual(after, before)) return send(after);
  cli.say('Nothing is different, and nothing is changed.');
  return undefined;
}

/** @throws CliError 7 */
function documentOf(what: string, text: string): Fields {
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw badDocument(`This is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  if (typeof value !== 'object' || Array.isArray(value)) throw badDocument(`${what} has to be an object.`);
  return value as Fields;
}

const badDocument = (message: string): CliError => new CliError({ exitCode: exitCodes.badInput, message });

/** It gets the terminal. What it shows is no data, so it is stderr's. */
async function openEditor({ io: { env }, signal }: Cli, path: string): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  const child = spawn(`${editor} "${path}"`, { shell: true, stdio: [0, 2, 2], signal });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw usageError(`The editor ${editor} has ended with ${code}.`, 'set EDITOR, or pass --file FILE');
}
