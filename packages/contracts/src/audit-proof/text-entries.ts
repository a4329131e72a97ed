import { csvHeader, entryOfCsv, entryOfJson, type ExportedEntry } from '../audit-export.ts';
import { Broken } from './broken.ts';
import type { PlacedEntry } from './verify-entries.ts';

/** The entries of an export that comes in pieces. @param name what it is called where it is wrong @throws Broken for a line that is none */
export async function* entriesOfText(
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<PlacedEntry> {
  let read = entryOfJson;
  for await (const [line, record] of recordsOf(linesOf(pieces))) {
    const at = `${name}, line ${line}`;
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
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
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
