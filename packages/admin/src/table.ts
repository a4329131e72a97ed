/** One line for each row, with the columns under one another. */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** How long ago, in its largest unit. */
export function ageOf(time: Date): string {
  const seconds = Math.max(0, Math.round((Date.now() - time.getTime()) / 1000));
  const [value, unit] =
    seconds < 60
      ? [seconds, 's']
      : seconds < 3_600
        ? [seconds / 60, 'min']
        : seconds < 86_400
          ? [seconds / 3_600, 'h']
          : [seconds / 86_400, 'd'];
  return `${Math.floor(Number(value))} ${unit}`;
}
