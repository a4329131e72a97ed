import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import type { SnapshotArchivePiece } from '@sluice/contracts';
import { ZipFile } from 'yazl';
import { filesBelow, mostFiles, type FoundFile } from './files-below.ts';

/** bytes of a piece: in base64 it fits into what the supervisor takes */
const pieceBytes = 44 * 1_024;
/** what a file takes in a ZIP beside its bytes and its name, which stands there twice; generously */
const overhead = 300;
/** of the list, and of what the ZIP has at its end */
const reserve = 64 * 1_024;

/** A folder, and where its files are in the ZIP; an empty name for the top. */
export interface ArchivedFolder {
  path: string;
  name: string;
}

interface StoredFile extends FoundFile {
  name: string;
}

/**
 * The ZIP of folders in pieces, of so many bytes at most: where they have more, their largest files are left out. `contents.txt` in it names all
 * there are. It holds a piece and what is being compressed in memory, however much there is. What changes meanwhile is as it was read.
 */
export async function* archivePieces(
  folders: readonly ArchivedFolder[],
  mostBytes: number,
): AsyncGenerator<SnapshotArchivePiece> {
  const found = await Promise.all(folders.map(storedIn));
  const files = found
    .flat()
    .slice(0, mostFiles)
    .sort((one, other) => one.size - other.size);
  const chosen = new Set(fitting(files, mostBytes - reserve));
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(contents(files, chosen)), 'contents.txt');
  let current: Readable | undefined;
  for (const file of chosen)
    zip.addReadStreamLazy(file.name, { mtime: file.modifiedAt }, (ready) => {
      current = Readable.from(bytesOf(file.path, file.size), { objectMode: false });
      ready(null, current);
    });
  zip.on('error', (error) => (zip.outputStream as Readable).destroy(error as Error));
  zip.end();
  try {
    yield* numbered(inPieces(zip.outputStream as Readable));
  } finally {
    // a caller that takes no more pieces leaves no file open
    current?.destroy();
  }
}

async function storedIn({ path: top, name: within }: ArchivedFolder): Promise<StoredFile[]> {
  const { files } = await filesBelow(top);
  return files.map((file) => ({ ...file, name: join(within, relative(top, file.path)) }));
}

/** The smallest ones, as many as there is room for if nothing can be compressed. */
function fitting(files: readonly StoredFile[], room: number): StoredFile[] {
  let taken = 0;
  return files.filter(({ name, size }) => {
    taken += size + overhead + 2 * Buffer.byteLength(name);
    return taken <= room;
  });
}

/** at most so many lines: the list has its room */
const mostLines = 400;

function contents(files: readonly StoredFile[], chosen: ReadonlySet<StoredFile>): string {
  const left = files.length - chosen.size;
  const lines = [...files]
    .reverse()
    .slice(0, mostLines)
    .map(
      (file) =>
        `${chosen.has(file) ? 'here    ' : 'left out'} ${String(file.size).padStart(12)} ${file.name.slice(0, 100)}`,
    );
  return [
    `${files.length} files, of which ${left} were left out since there was no room for them.`,
    `The largest, with their sizes in bytes when the list was made:`,
    ...lines,
    '',
  ].join('\n');
}

/** What a file has, as much as it had when it was listed; what is gone since has nothing. */
async function* bytesOf(path: string, size: number): AsyncGenerator<Buffer> {
  const file = await open(path).catch(() => null);
  if (file === null || size === 0) return void (await file?.close());
  try {
    yield* file.createReadStream({
      end: size - 1,
      highWaterMark: 64 * 1_024,
      autoClose: false,
    }) as AsyncIterable<Buffer>;
  } catch {
    // what cannot be read any more ends here
  } finally {
    await file.close().catch(() => undefined);
  }
}

async function* inPieces(stream: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    while (size >= pieceBytes) {
      const all = Buffer.concat(waiting);
      yield all.subarray(0, pieceBytes);
      waiting = [all.subarray(pieceBytes)];
      size -= pieceBytes;
    }
  }
  yield Buffer.concat(waiting);
}

async function* numbered(pieces: AsyncIterable<Buffer>): AsyncGenerator<SnapshotArchivePiece> {
  const upload = randomUUID();
  let number = 0;
  let former: Buffer | undefined;
  const piece = (bytes: Buffer, last: boolean) => ({
    upload,
    number: ++number,
    content: bytes.toString('base64'),
    last,
  });
  for await (const bytes of pieces) {
    if (former !== undefined) yield piece(former, false);
    former = bytes;
  }
  yield piece(former ?? Buffer.alloc(0), true);
}
