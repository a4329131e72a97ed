import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most hand-written lines that a package or a service has, without tests and their fixtures: what a person can still know. */
const mostLines = 16_000;

const isTest = (file: string) => /\.test\.tsx?$|(^|\/)(test|fixtures)\//.test(file);
const isMade = (file: string) => /(^|\/)(generated|dist|node_modules)(\/|$)/.test(file);

/** The packages and services below a folder that have too many lines. @returns what a person reads, empty when all is well */
export function sizeProblems(root: string): string[] {
  return globSync('{packages,services}/*', { cwd: root }).flatMap((workspace) => {
    const lines = linesOf(join(root, workspace));
    return lines > mostLines
      ? [`${workspace} has ${lines} lines, more than ${mostLines}: it is several packages`]
      : [];
  });
}

function linesOf(folder: string): number {
  const files = globSync('**/*.{ts,tsx,mjs}', { cwd: folder, exclude: isMade });
  const sources = files.filter((file) => !isTest(file) && !isMade(file));
  const lines = sources.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
  return lines.reduce((sum, count) => sum + count, 0);
}
