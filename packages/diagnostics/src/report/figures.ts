/** Numbers as people read them. */

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

function scaled(value: number, base: number, units: readonly string[]): string {
  let [amount, unit] = [value, 0];
  while (Math.abs(amount) >= base && unit < units.length - 1) {
    amount /= base;
    unit += 1;
  }
  const digits = unit === 0 || Math.abs(amount) >= 100 ? 0 : Math.abs(amount) >= 10 ? 1 : 2;
  return `${Number(amount.toFixed(digits))} ${units[unit] ?? ''}`.trim();
}

const bytes = (value: number) => scaled(value, 1_024, byteUnits);
const count = (value: number) =>
  value > 0 && value < 10 ? String(Number(value.toFixed(1))) : scaled(value, 1_000, ['', 'k', 'M', 'G', 'T']);

export type Unit = 'percent' | 'bytes' | 'bytes per second' | 'count' | 'count per second';

export const written: Record<Unit, (value: number) => string> = {
  percent: (value) => `${Number(value.toFixed(value < 10 ? 1 : 0))} %`,
  bytes,
  'bytes per second': (value) => `${bytes(value)}/s`,
  count,
  'count per second': (value) => `${count(value)}/s`,
};

/** an axis that ended lower would show noise */
const leastAxis = { bytes: 1_024, 'bytes per second': 1_024, count: 4, 'count per second': 4 };

/** The least round number that is not below `value`, for the upper end of an axis. */
export function roundedUp(value: number, unit: Unit): number {
  if (unit === 'percent') return 100;
  const base = unit.startsWith('bytes') ? 1_024 : 10;
  const greatest = Math.max(value, leastAxis[unit]);
  const magnitude = base ** Math.floor(Math.log(greatest) / Math.log(base));
  const steps = base === 10 ? [1, 2, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];
  return (steps.find((step) => step * magnitude >= greatest) ?? base) * magnitude;
}

/** `22 November 2026, 14:05:09 UTC` */
export function moment(time: string): string {
  const shown = new Date(time);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(shown);
  return `${day}, ${shown.toISOString().slice(11, 19)} UTC`;
}
