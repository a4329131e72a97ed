import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file with lines: `<prefix>-<number>-<when it began>.<extension>`, with `.open` while it grows or `.gz` when it is compressed. */
export interface LineFile {
  name: string;
  number: number;
  size: number;
  startedAt: number;
  endedAt: number;
}

export interface LineFolder {
  finished: LineFile[];
  growing: LineFile[];
  /** names of what was left half made, or has been compressed */
  leftovers: string[];
  otherBytes: number;
}

const namePattern =
  /^[A-Za-z0-9_-]+-(\d{8,15})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.[a-z]+(\.open|\.gz)?$/;

export function lineFileName(prefix: string, number: number, startedAt: number, extension: string): string {
  const time = new Date(startedAt).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${prefix}-${String(number).padStart(8, '0')}-${time}.${extension}`;
}

/** What is in a folder. Links are neither followed nor counted. */
export async function readLineFolder(folder: string): Promise<LineFolder> {
  const found: LineFolder = { finished: [], growing: [], leftovers: [], otherBytes: 0 };
  const names = new Set(await readdir(folder));
  for (const name of names) {
    // it may have been taken away meanwhile
    const status = await lstat(join(folder, name)).catch(() => null);
    if (!status?.isFile()) continue;
    const [, number, year, month, day, hour, minute, second, state] = namePattern.exec(name) ?? [];
    const isCompressed = state === undefined && names.has(`${name}.gz`);
    if (name.endsWith('.gz.tmp') || (number !== undefined && isCompressed)) found.leftovers.push(name);
    else if (number === undefined) found.otherBytes += status.size;
    else {
      const startedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      const file = { name, number: Number(number), size: status.size, startedAt, endedAt: status.mtimeMs };
      (state === '.open' ? found.growing : found.finished).push(file);
    }
  }
  for (const files of [found.finished, found.growing]) files.sort((one, other) => one.number - other.number);
  return found;
}
