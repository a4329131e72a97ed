import { units } from '../../time.ts';

/** Bytes for people. */
export function sizeOf(bytes: number): string {
  const sizes = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1_024 && unit < sizes.length - 1) {
    value /= 1_024;
    unit++;
  }
  if (bytes === 1) return '1 byte';
  return `${unit === 0 ? value : Number(value.toFixed(1))} ${sizes[unit]}`;
}

/** A duration for people. @param nanoseconds as JetStream has them */
export function agoOf(nanoseconds: number): string {
  const milliseconds = nanoseconds / 1e6;
  const [unit, length] = units.find(([, its]) => milliseconds >= its && milliseconds % its === 0) ?? [
    'ms',
    1,
  ];
  return `${milliseconds / length}${unit}`;
}

/** A limit for people. @returns null where there is none, which JetStream has as -1 or 0 */
export const limitOf = (limit: number | undefined, text: (limit: number) => string): string | null =>
  limit === undefined || limit <= 0 ? null : text(limit);
