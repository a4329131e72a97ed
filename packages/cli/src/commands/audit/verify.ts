import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { exportAuditLog } from '@sluice/client';
import {
  Broken,
  conclusions,
  entriesIn,
  entriesOf,
  headKeysOf,
  knownHeads,
  verifyEntries,
  type PlacedEntry,
} from '@sluice/contracts/audit-proof';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { inTenant } from '../entries/entries.ts';

interface Flags {
  partial?: boolean;
  heads?: string[];
  key?: string;
}

/** Computes the chain of an export anew. @throws CliError 1 at the first entry that does not fit */
export async function verify(
  cli: Cli,
  files: readonly string[],
  { partial = false, heads = [], key }: Flags,
): Promise<void> {
  if (key !== undefined && heads.length === 0)
    throw usageError('--key is what heads are signed with.', 'pass --heads FILE');
  if (partial && files.length === 0)
    throw usageError('--partial is for files that were filtered.', 'name them, or leave it out');
  const known = await read('--heads', async () => {
    const keys = key === undefined ? undefined : headKeysOf(await readFile(key, 'utf8'));
    return knownHeads(heads, keys);
  });
  const entries = files.length === 0 ? await exported(cli) : entriesOf(files);
  try {
    const found = await read('files', () => verifyEntries(entries, { partial, heads: known.heads }));
    const lines = conclusions(found, known, { partial, signed: key !== undefined });
    if (cli.output.isForPeople) await cli.output.raw(`${lines.join('\n')}\n`);
    else await cli.output.value({ intact: true, ...found, conclusions: lines });
    if (key !== undefined && found.vouched === 0)
      throw broken('No head that is signed with this key vouches for an entry.');
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    if (!cli.output.isForPeople) await cli.output.value({ intact: false, reason: error.message });
    throw broken(`The log is not as it was recorded. ${error.message}.`);
  }
}

const broken = (message: string): CliError => new CliError({ exitCode: exitCodes.unexpected, message });

/** @throws CliError 2 for a file that cannot be read, or is no file of heads or keys */
async function read<T>(what: string, reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfFile = code !== undefined && /^(E[A-Z]+|Z_[A-Z_]+)$/.test(code);
    if (error instanceof Broken || (what === 'files' && !isOfFile)) throw error;
    throw usageError(`${what}: ${message}`);
  }
}

/** The whole log as it is now. */
async function exported(cli: Cli): Promise<AsyncIterable<PlacedEntry>> {
  const { data } = await exportAuditLog({ ...(await inTenant(cli)), parseAs: 'stream' });
  return entriesIn(Readable.from(data, { objectMode: false }), 'the export');
}
