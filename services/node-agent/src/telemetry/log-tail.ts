import { open, stat } from 'node:fs/promises';

const mostRead = 256 * 1024;
/** a backlog that is longer is skipped */
const mostBehind = 4 * 2 ** 20;
const longestLine = 16 * 1024;

export interface TailPosition {
  /** tells the file from another of its name */
  file: number;
  offset: number;
}

export interface Tail {
  /** The lines since the last call, at most so many that one call is short, and bytes that were skipped. */
  read(): Promise<{ lines: string[]; skipped: number }>;
  readonly position: TailPosition | null;
}

/**
 * Reads a log that is written by another process: lines once they are whole. One that begins anew, since it was copied to `<path>.1` and
 * cut, or given that name, is read to its end there first.
 * @param from where a former agent has read to; without it a log is read from near its end
 */
export function tailOf(path: string, from: TailPosition | null): Tail {
  let position = from;
  let rest = '';

  async function readFrom(name: string, offset: number, size: number): Promise<string> {
    const length = Math.min(size - offset, mostRead);
    if (length <= 0) return '';
    const file = await open(name, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** What was written between the last look and the cut, or before another log took its place: of that file alone. */
  async function endOfFormer(offset: number, file?: number): Promise<string> {
    const former = await stat(`${path}.1`).catch(() => null);
    const isIt = former !== null && (file === undefined || former.ino === file);
    return isIt && former.size > offset ? await readFrom(`${path}.1`, offset, former.size) : '';
  }

  /** Bytes that stand for themselves, so that a character in two pieces comes together again. */
  function linesOf(text: string): string[] {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    return lines.map((line) => Buffer.from(line.slice(0, longestLine), 'latin1').toString('utf8'));
  }

  return {
    get position() {
      // a line that is not whole yet is read again by the next agent
      return position && { ...position, offset: Math.max(0, position.offset - rest.length) };
    },
    async read() {
      const log = await stat(path).catch(() => null);
      if (log === null) return { lines: [], skipped: 0 };
      const isSame = position !== null && position.file === log.ino;
      let offset = isSame
        ? (position?.offset ?? 0)
        : position === null
          ? Math.max(0, log.size - mostRead)
          : 0;
      const isCut = isSame && log.size < offset;
      const isAnother = position !== null && !isSame;
      const before = isCut
        ? await endOfFormer(offset)
        : isAnother
          ? await endOfFormer(position?.offset ?? 0, position?.file)
          : '';
      if (isCut) offset = 0;
      const skipped = log.size - offset > mostBehind ? log.size - offset - mostRead : 0;
      if (skipped > 0) rest = '';
      offset += skipped;
      const text = await readFrom(path, offset, log.size);
      position = { file: log.ino, offset: offset + text.length };
      // the last line of a file that another has replaced is whole, as it will not grow
      const end = isAnother && /[^\n]$/.test(rest + before) ? '\n' : '';
      return { lines: linesOf(before + end + text), skipped };
    },
  };
}
