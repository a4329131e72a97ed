import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const modules = join(import.meta.dirname, '../node_modules');

const range = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** ASCII, Latin-1, and the signs that the apps write. Other letters come from the next typeface of the style. */
const characters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ıŒœŠšŽžŸ–—‘’‚“”„†•…‹›⁄€™←↑→↓−·×`;

/** What of the typefaces the styles use. */
const typefaces = {
  /** weights from 400 to 600, tabular figures, two alternates, kerning and accents */
  'typeface:inter': {
    file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    options: {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: 400, max: 600, default: 400 } },
      keepFeatures: ['kern', 'tnum', 'cv11', 'ss03', 'ccmp', 'locl', 'mark', 'mkmk'],
      noHinting: true,
    },
  },
  /** no ligatures: what is shown is data */
  'typeface:mono': {
    file: '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2',
    options: { targetFormat: 'woff2', keepFeatures: ['ccmp', 'locl', 'mark', 'mkmk'], noHinting: true },
  },
} as const;

/** @returns the file with the part of a typeface that the apps use, made once for each version of it */
async function partOf({ file, options }: (typeof typefaces)[keyof typeof typefaces]): Promise<string> {
  const whole = await readFile(join(modules, file));
  const digest = createHash('sha256').update(whole).update(JSON.stringify(options)).update(characters);
  const folder = join(modules, '.typeface', digest.digest('hex').slice(0, 16));
  const made = join(folder, basename(file));
  if (existsSync(made)) return made;
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${process.pid}`);
  await writeFile(unfinished, await subsetFont(whole, characters, options));
  await rename(unfinished, made);
  return made;
}

/** Makes `typeface:inter` and `typeface:mono` of styles fonts of what the apps use: the first is loaded before anything is read. */
export function typeface(): Plugin {
  return {
    name: 'typeface',
    config: async () => {
      const parts = Object.entries(typefaces).map(async ([name, one]) => [name, await partOf(one)] as const);
      return { resolve: { alias: Object.fromEntries(await Promise.all(parts)) } };
    },
  };
}
