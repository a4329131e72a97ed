import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  Broken,
  conclusions,
  entriesOf,
  headKeysOf,
  knownHeads,
  verifyEntries,
} from '@sluice/contracts/audit-proof';

/**
 * `npm run --silent verify-audit-export -- FILE… [--partial] [--heads FILE]… [--key FILE]`: verifies exports of an audit log, or the objects
 * of its sink, in this order, with nothing but Node. Prints what is proven by them and what is not; ends with 1 at the first break, or where
 * keys were given and no signed head vouches for anything, and with 2 for what it cannot read.
 */
const usage = `Usage: verify-audit-export FILE… [--partial] [--heads FILE]… [--key FILE]
  FILE       an export as NDJSON or CSV, or objects of a sink, also compressed by gzip (.gz); several in the order of the log
  --partial  it was filtered: entries may be left out
  --heads    what is known of the log from elsewhere, a JSON object with tenant_id, seq and hash a line, as audit publishes them
  --key      the public key that heads have to be signed with: PEM, a JSON Web Key, or a set of them such as TRUSTED_KEYS`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      partial: { type: 'boolean', default: false },
      heads: { type: 'string', multiple: true, default: [] },
      key: { type: 'string' },
    },
  });
  const { partial, heads: files, key } = values;
  if (positionals.length === 0 || (key !== undefined && files.length === 0)) throw new Error(usage);
  const keys = key === undefined ? undefined : headKeysOf(await readFile(key, 'utf8'));
  const known = await knownHeads(files, keys);
  try {
    const found = await verifyEntries(entriesOf(positionals), { partial, heads: known.heads });
    process.stdout.write(
      `${conclusions(found, known, { partial, signed: keys !== undefined }).join('\n')}\n`,
    );
    return keys && found.vouched === 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    process.stdout.write(`${error.message}\n`);
    return 1;
  }
}

if (import.meta.main) {
  try {
    process.exitCode = await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
