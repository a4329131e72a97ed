import { existsSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Begins a new log and keeps the one before, with `.old` appended. */
export function rotate(file: string): void {
  if (existsSync(file)) renameSync(file, `${file}.old`);
}

/** The last lines of a log, empty if there is none. */
export async function lastLines(file: string, count: number): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
