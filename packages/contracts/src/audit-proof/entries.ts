import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { entriesOfText } from './text-entries.ts';
import type { PlacedEntry } from './verify-entries.ts';

/** The entries of files, in their order. @throws Broken for a line that is none */
export async function* entriesOf(files: readonly string[]): AsyncGenerator<PlacedEntry> {
  for (const file of files) {
    const bytes = createReadStream(file);
    const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
    // what goes wrong with the file goes wrong with what is read
    if (input !== bytes) bytes.on('error', (error) => input.destroy(error));
    yield* entriesIn(input, file);
  }
}

/** The entries of one export. @param name what it is called where it is wrong @throws Broken for a line that is none */
export function entriesIn(input: Readable, name: string): AsyncGenerator<PlacedEntry> {
  return entriesOfText(input.setEncoding('utf8') as AsyncIterable<string>, name);
}
