import Table from 'cli-table3';
import stringWidth from 'string-width';
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
export function tableOf(headers: readonly string[], rows: readonly (readonly string[])[], options: TableOptions): string {
  const cells = rows.map((row) => row.map(visible));
  const natural = headers.map((header, at) =>
    Math.max(stringWidth(header), ...cells.map((row) => stringWidth(row[at] ?? ''))),
  );
  const widths = options.columns === undefined ? natural : fitted(natural, options.columns);
  if (!widths) return stacked(headers, cells, options);
  return lines(headers.map(options.bold), cells, widths);
}

/** Pairs of a label and a value, one below the other. Long values wrap. */
export function pairsOf(pairs: readonly (readonly [string, string])[], { columns, bold }: TableOptions): string {
  const labels = pairs.map(([label]) => label);
  const labelWidth = Math.max(0, ...labels.map((label) => stringWidth(label)));
  const room = columns === undefined ? Infinity : Math.max(leastWidth, columns - labelWidth - gap);
  const values = pairs.map(([, value]) => visible(value));
  const valueWidth = Math.min(room, Math.max(1, ...values.map((value) => stringWidth(value))));
  const rows = pairs.map(([label], at) => [bold(label), values[at] ?? '']);
  return lines(undefined, rows, [labelWidth, valueWidth], true);
}

function lines(
  head: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  wordWrap = false,
): string {
  const none = Object.fromEntries(borders.map((name) => [name, '']));
  const table = new Table({
    ...(head && { head: [...head] }),
    chars: none,
    colWidths: widths.map((width, at) => width + (at === widths.length - 1 ? 0 : gap)),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    wordWrap,
    wrapOnWordBoundary: false,
  });
  table.push(...rows.map((row) => row.map((cell, at) => cut(cell, widths[at] ?? 0, wordWrap))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Shortens a text to a width, with room for the gap that follows. */
function cut(text: string, width: number, wraps: boolean): string {
  if (wraps || stringWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** @returns undefined where a column would be unreadable */
function fitted(natural: readonly number[], columns: number): number[] | undefined {
  const widths = [...natural];
  const room = columns - gap * (widths.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= leastWidth) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
    excess--;
  }
  return widths;
}

const stacked = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string =>
  rows
    .map((row) => pairsOf(headers.map((header, at) => [header, row[at] ?? ''] as const), options))
    .join('\n\n');

const borders = [
  'top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left',
  'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle',
];
