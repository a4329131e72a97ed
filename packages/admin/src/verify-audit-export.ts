import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { emptyChain, hashOfEntry } from '@sluice/contracts/audit-chain';
import { csvHeader, entryOfCsv, entryOfJson, type ExportedEntry } from '@sluice/contracts/audit-export';
import { conclusions, type Verified } from './proof.ts';
import { headKeysOf, knownHeads, type KnownHead } from './signed-heads.ts';

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

/** Where an export is not what was recorded. */
export class Broken extends Error {}

/** An entry, and where it stands. */
export interface PlacedEntry {
  entry: ExportedEntry;
  at: string;
}

/**
 * Follows the chain from entry to entry, and compares it with the heads that are known.
 * @throws Broken at the first entry that is not as it was recorded, or does not follow the one before it
 */
export async function verifyEntries(
  entries: AsyncIterable<PlacedEntry>,
  { partial, heads }: { partial: boolean; heads: readonly KnownHead[] },
): Promise<Verified> {
  const found: Verified = {
    ...{ entries: 0, tenant: undefined, first: 0, last: emptyChain },
    ...{ heads: 0, vouched: 0, head: undefined },
  };
  // those of which each is chained to the next, and no head to them yet
  let open = 0;
  const known = new Map<number, KnownHead[]>();
  for await (const { entry, at } of entries) {
    found.tenant ??= tenantOf(entry, heads, known);
    if (entry.tenant_id !== found.tenant)
      throw new Broken(
        `${at}: entry ${entry.seq} is of tenant ${entry.tenant_id}, and not of ${found.tenant}`,
      );
    follow(found, entry, at, partial);
    const before = known.get(entry.seq - 1) ?? [];
    if (found.entries === 0) found.heads += compare(before, entry.prev_hash, at);
    open = entry.seq === found.last.seq + 1 ? open + 1 : 1;
    const here = known.get(entry.seq) ?? [];
    found.heads += compare(here, entry.hash, at);
    if (here[0]) {
      found.vouched += open;
      found.head = here[0];
      open = 0;
    }
    if (found.entries === 0) found.first = entry.seq;
    found.entries++;
    found.last = { seq: entry.seq, hash: entry.hash };
  }
  const beyond = [...known.keys()].filter((seq) => seq > found.last.seq);
  if (beyond.length > 0 && !partial)
    throw new Broken(
      `the end is missing: entry ${found.last.seq} is the last one here, and ${beyond.reduce((most, seq) => Math.max(most, seq))} is known to exist`,
    );
  return found;
}

function tenantOf(
  { tenant_id }: ExportedEntry,
  heads: readonly KnownHead[],
  known: Map<number, KnownHead[]>,
) {
  for (const head of heads)
    if (head.tenant_id === tenant_id) known.set(head.seq, [...(known.get(head.seq) ?? []), head]);
  return tenant_id;
}

function follow({ entries, last }: Verified, entry: ExportedEntry, at: string, partial: boolean): void {
  const { seq, prev_hash, hash } = entry;
  if (hashOfEntry(entry, prev_hash) !== hash) throw new Broken(`${at}: entry ${seq} was changed`);
  const before = entries === 0 && seq === 1 ? emptyChain : last;
  if (entries > 0 && seq <= last.seq)
    throw new Broken(`${at}: entry ${seq} does not belong behind ${last.seq}`);
  if (entries > 0 && seq > last.seq + 1 && !partial)
    throw new Broken(`${at}: ${missing(last.seq + 1, seq - 1)} missing before entry ${seq}`);
  const isNext = seq === before.seq + 1 && (entries > 0 || seq === 1);
  if (isNext && prev_hash !== before.hash)
    throw new Broken(
      `${at}: entry ${seq} is not chained to entry ${before.seq}, which was put in another's place`,
    );
}

const missing = (first: number, last: number) =>
  first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;

function compare(known: readonly KnownHead[], hash: string, at: string): number {
  for (const head of known)
    if (head.hash !== hash)
      throw new Broken(
        `${at}: the log was written anew: entry ${head.seq} had another hash when it was published`,
      );
  return known.length;
}

/** The entries of files, in their order. @throws Broken for a line that is none */
export async function* entriesOf(files: readonly string[]): AsyncGenerator<PlacedEntry> {
  for (const file of files) {
    const bytes = createReadStream(file);
    const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
    // what goes wrong with the file goes wrong with what is read
    if (input !== bytes) bytes.on('error', (error) => input.destroy(error));
    yield* entriesIn(recordsOf(linesOf(input)), file);
  }
}

async function* entriesIn(
  records: AsyncIterable<[number, string]>,
  file: string,
): AsyncGenerator<PlacedEntry> {
  let read = entryOfJson;
  for await (const [line, record] of records) {
    const at = `${file}, line ${line}`;
    if (line === 1 && record === csvHeader) read = entryOfCsv;
    else yield { entry: readEntry(read, record, at), at };
  }
}

function readEntry(read: (record: string) => ExportedEntry, record: string, at: string): ExportedEntry {
  try {
    return read(record);
  } catch (error) {
    throw new Broken(`${at}: is no entry: ${(error as Error).message}`);
  }
}

/** longer than any entry can be */
const mostCharacters = 16 * 2 ** 20;

/** Ends of lines are those that were written, and no other character that some take for one. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > mostCharacters) throw new Broken('a line has no end');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Lines, with those joined that are one record of CSV. */
async function* recordsOf(lines: AsyncIterable<string>): AsyncGenerator<[number, string]> {
  let number = 0;
  let began = 0;
  let open = '';
  for await (const line of lines) {
    number++;
    const record = open === '' ? line : `${open}\n${line}`;
    if (open === '') began = number;
    const isCsv = !record.startsWith('{');
    open = isCsv && record.split('"').length % 2 === 0 ? record : '';
    if (open.length > mostCharacters) throw new Broken(`line ${began}: has no end`);
    if (open === '' && record !== '') yield [began, record.endsWith('\r') ? record.slice(0, -1) : record];
  }
  if (open !== '') throw new Broken(`line ${began}: has no end`);
}

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
