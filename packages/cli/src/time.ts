/** Units of time in milliseconds, the greatest first. */
export const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A time in the two greatest of its units: `3d 4h`, `12m 5s`, `0s`. */
export function lasting(milliseconds: number): string {
  const largest = units.findIndex(([, size]) => milliseconds >= size);
  if (largest === -1) return '0s';
  let rest = milliseconds;
  return units
    .slice(largest, largest + 2)
    .map(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count === 0 ? '' : `${count}${unit}`;
    })
    .filter((part) => part !== '')
    .join(' ');
}
