import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { visible } from './escape.ts';

export interface TableOptions {
  /** the width to fit in; undefined: as wide as it is */
  columns: number | undefined;
  bold: (text: string) => string;
}

/** A column that is cut to less than this is not readable: entries are shown one below the other then. */
const leastWidth = 8;
const gap = 2;

/** Lines of a table without borders; fields one below the other where the terminal is too narrow for columns. */
export function tableOf(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string {
  const cells = rows.map((row) => row.map(visible));
  const natural = headers.map((_header, at) => widest([headers, ...cells].map((row) => row[at] ?? '')));
  const widths = options.columns === undefined ? natural : fitted(natural, options.columns);
  if (!widths) return stacked(headers, rows, options);
  const line = (row: readonly string[], style: (text: string) => string) =>
    widths
      .map((width, at) => {
        const text = cut(row[at] ?? '', width);
        return style(text) + ' '.repeat(at === widths.length - 1 ? 0 : width - stringWidth(text) + gap);
      })
      .join('');
  return [line(headers, options.bold), ...cells.map((row) => line(row, (text) => text))].join('\n');
}

/** Pairs of a label and a value, one below the other. Long values wrap. */
export function pairsOf(
  pairs: readonly (readonly [string, string])[],
  { columns, bold }: TableOptions,
): string {
  const labelWidth = widest(pairs.map(([label]) => visible(label))) + gap;
  const room = columns === undefined ? Infinity : Math.max(leastWidth, columns - labelWidth);
  return pairs
    .map(([name, text]) => {
      const label = visible(name);
      const value = room === Infinity ? visible(text) : wrapAnsi(visible(text), room, { hard: true });
      const [first = '', ...others] = value.split('\n');
      const begin = bold(label) + ' '.repeat(labelWidth - stringWidth(label));
      return [begin + first, ...others.map((other) => ' '.repeat(labelWidth) + other)].join('\n');
    })
    .join('\n');
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => stringWidth(text)));

/** Shortens a text to a width. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Widths that fit, the widest columns cut first. @returns undefined where a column would be unreadable */
function fitted(natural: readonly number[], columns: number): number[] | undefined {
  const widths = [...natural];
  const room = columns - gap * (widths.length - 1);
  for (let sum = widths.reduce((one, other) => one + other, 0); sum > room; sum--) {
    const most = Math.max(...widths);
    if (most <= leastWidth) return undefined;
    widths[widths.indexOf(most)] = most - 1;
  }
  return widths;
}

const stacked = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string =>
  rows
    .map((row) =>
      pairsOf(
        headers.map((header, at) => [header, row[at] ?? ''] as const),
        options,
      ),
    )
    .join('\n\n');
