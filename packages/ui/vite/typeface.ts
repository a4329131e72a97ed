import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const modules = join(import.meta.dirname, '../node_modules');
const installed = join(modules, '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

const range = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** ASCII, Latin-1, and the signs that the console writes. Other letters come from the next typeface of the style. */
const characters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ıŒœŠšŽžŸ–—‘’‚“”„†•…‹›⁄€™←↑→↓−·×`;

/** What of the typeface the styles use: weights from 400 to 600, tabular figures, two alternates, kerning and accents. */
const options = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 600, default: 400 } },
  keepFeatures: ['kern', 'tnum', 'cv11', 'ss03', 'ccmp', 'locl', 'mark', 'mkmk'],
  noHinting: true,
} as const;

/** @returns the file with the part of Inter that the console uses, made once for each version of it */
async function inter(): Promise<string> {
  const whole = await readFile(installed);
  const digest = createHash('sha256').update(whole).update(JSON.stringify(options)).update(characters);
  const folder = join(modules, '.typeface', digest.digest('hex').slice(0, 16));
  const file = join(folder, 'inter-latin.woff2');
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${process.pid}`);
  await writeFile(unfinished, await subsetFont(whole, characters, options));
  await rename(unfinished, file);
  return file;
}

/** Makes `typeface:inter` of styles a font of what the console uses: it is loaded before anything is read. */
export function typeface(): Plugin {
  return {
    name: 'typeface',
    config: async () => ({ resolve: { alias: { 'typeface:inter': await inter() } } }),
  };
}
