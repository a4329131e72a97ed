import { readFile } from 'node:fs/promises';
import { requestProtectionCode, SluiceError } from '@sluice/client';
import type { Cli } from './cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import { visible } from '@sluice/terminal/escape';

const interruptedError = () => new CliError({ exitCode: exitCodes.interrupted, message: 'Interrupted.' });

/** Prompts are words: they are shown on stderr, so that stdout stays data. */
const streams = ({ io, signal }: Cli) => ({ input: io.stdin, output: io.stderr, signal });

/** Asks for a line. @throws CliError 130 on Ctrl-C */
export async function askText(
  cli: Cli,
  message: string,
  validate: (text: string) => string | undefined,
): Promise<string> {
  const { isCancel, text } = await import('@clack/prompts');
  const answer = await text({
    message: visible(message),
    validate: (value) => validate(value ?? ''),
    ...streams(cli),
  });
  if (isCancel(answer)) throw interruptedError();
  return answer;
}

/**
 * Has a person confirm by its name that something is destroyed.
 * @param what such as `the deployment payments/dev/orders with everything in it`; `does` says what happens to it
 * @throws CliError 2 without a terminal and `--yes`, 130 on Ctrl-C
 */
export async function confirm(
  cli: Cli,
  { what, name, does = 'deletes' }: { what: string; name: string; does?: string },
  flags: DestroyFlags,
): Promise<void> {
  if (flags.yes || cli.options.dryRun) return;
  if (!cli.io.isInteractive)
    throw usageError(`This ${does} ${what}, and there is no terminal to ask on.`, 'pass --yes');
  // as it is shown: what is not shown cannot be typed
  const shown = visible(name);
  await askText(cli, `This ${does} ${what}. Type ${name} to confirm.`, (text) =>
    text === shown ? undefined : `Type ${shown}, or press Ctrl-C.`,
  );
}

interface Deletion {
  tenantId: number;
  about: Parameters<typeof requestProtectionCode>[0]['body'];
  /** what is deleted, where several things are */
  title?: string;
  /** has questions come one after the other, where several deletions are under way */
  alone?: <T>(ask: () => Promise<T>) => Promise<T>;
}

/**
 * Deletes something that may be protected: where a one-time code is needed, one is mailed to the owner and asked for.
 * @param about what requestProtectionCode takes
 * @throws CliError 2 where the code is needed and cannot be asked for
 */
export async function withCode<T>(
  cli: Cli,
  { tenantId, about, title, alone = (ask) => ask() }: Deletion,
  flags: DestroyFlags,
  destroy: (code: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await destroy(flags.code);
  } catch (error) {
    const isAsked = error instanceof SluiceError && error.code === 'protection_code_required';
    if (!isAsked || flags.code !== undefined) throw error;
    return alone(async () =>
      destroy(await askCode(cli, { tenantId, about, ...(title !== undefined && { title }) })),
    );
  }
}

async function askCode(cli: Cli, { tenantId, about, title = 'It' }: Deletion): Promise<string> {
  const { client } = await cli.session();
  await requestProtectionCode({ client, path: { tenant_id: tenantId }, body: about });
  if (!cli.io.isInteractive)
    throw usageError(
      `${title} is protected. A one-time code is on its way by mail.`,
      'pass the code with --code',
    );
  const code = await askText(cli, `${title} is protected. Type the one-time code that was mailed.`, (text) =>
    text.trim() === '' ? 'Type the code, or press Ctrl-C.' : undefined,
  );
  return code.trim();
}

/** longest secret that is read */
const mostBytes = 65_536;

/**
 * Reads a secret: from a file (`-` for stdin), from stdin where it is no terminal, or from a prompt. Never from arguments, which other
 * users of the machine can see.
 * @returns with `--dry-run`, which shows it, `***`
 * @throws CliError
 */
export async function readSecret(cli: Cli, source: SecretSource): Promise<string> {
  return shownSecret(cli, await readSource(cli, source));
}

/** A secret as it is sent, and as a dry run shows it: as servers do. */
export const shownSecret = ({ options }: Cli, secret: string): string => (options.dryRun ? '***' : secret);

interface SecretSource {
  message: string;
  file?: string | undefined;
  flag: string;
}

async function readSource(cli: Cli, { message, file, flag }: SecretSource): Promise<string> {
  if (file !== undefined && file !== '-') return firstLine(await readGiven(file, flag));
  if (file === '-' || !cli.io.stdin.isTTY) return firstLine(await readStdin(cli, flag));
  if (!cli.io.isInteractive)
    throw usageError('There is no terminal to ask on.', `pass ${flag} FILE, or the secret on stdin`);
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({ message, ...streams(cli), clearOnError: true });
  if (isCancel(answer)) throw interruptedError();
  return answer.trim();
}

async function readGiven(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`${flag}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function readStdin({ io }: Cli, flag: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of io.stdin as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostBytes) throw usageError('stdin has more than a secret.', `pass ${flag} FILE`);
  }
  if (length === 0) throw usageError('stdin is empty.', `pass ${flag} FILE, or the secret on stdin`);
  return Buffer.concat(pieces).toString('utf8');
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0]?.trim() ?? '';
