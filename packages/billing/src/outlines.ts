import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import { create, type Font } from 'fontkit';

/**
 * Chinese, Japanese and Korean characters as outlines of Noto Sans. A package has a hundred files of some characters each, of which those that an
 * invoice needs are read. They are variable fonts in WOFF2, whose glyphs pdfkit cannot embed.
 */

/** The blocks of Unicode in which these characters are, with their punctuation. */
const blocks =
  /[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
export const isOutlined = (text: string): boolean => blocks.test(text);

interface Outline {
  /** as SVG has it, in units of the font, upwards */
  path: string;
  /** in units of the font */
  advance: number;
  unitsPerEm: number;
}

/** Chinese and Japanese; Korean */
const families = ['noto-sans-sc', 'noto-sans-kr'];
const mostFonts = 10;
const mostOutlines = 2_000;
const require = createRequire(import.meta.url);
const fonts = leastRecentlyUsed<string, Font>(mostFonts);
const outlines = leastRecentlyUsed<string, Outline>(mostOutlines);

/** The outline of a character; undefined where the font has none. */
export function outlineOf(character: string): Outline | undefined {
  const known = outlines.get(character);
  if (known) return known;
  const code = character.codePointAt(0) ?? 0;
  subsets ??= families.flatMap(readSubsets);
  // a range can name what the font does not have
  const font = subsets
    .filter(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to))
    .map(fontOf)
    .find((one) => one?.hasGlyphForCodePoint(code));
  if (!font) return undefined;
  const glyph = font.glyphForCodePoint(code);
  const outline = {
    ...{ path: glyph.path.toSVG(), advance: glyph.advanceWidth },
    unitsPerEm: font.unitsPerEm,
  };
  outlines.set(character, outline);
  return outline;
}

function fontOf({ file }: Subset): Font | undefined {
  const known = fonts.get(file);
  if (known) return known;
  const font = create(readFileSync(require.resolve(file)));
  // a collection, of which the packages have none
  if (!('unitsPerEm' in font)) return undefined;
  fonts.set(file, font);
  return font;
}

interface Subset {
  file: string;
  ranges: (readonly [from: number, to: number])[];
}
let subsets: Subset[] | undefined;

/** Which file has which characters: `{"[4]": "U+1f1e9-1f1f5,U+1f1f7"}`. */
function readSubsets(family: string): Subset[] {
  const folder = `@fontsource-variable/${family}`;
  const file = require.resolve(`${folder}/unicode.json`);
  const named = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.entries(named).map(([name, ranges]) => ({
    file: `${folder}/files/${family}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
    ranges: ranges.split(',').map((range) => {
      const [from = 0, to = from] = range
        .trim()
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return [from, to] as const;
    }),
  }));
}
