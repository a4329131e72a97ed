export type TimeZoneChoice = 'local' | 'utc';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
let relative: Intl.RelativeTimeFormat | undefined;

/** How long ago or ahead a time is, in the largest unit that fits: `3 min. ago`. */
export function relativeTime(time: Date, now: Date): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) < 5) return 'now';
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });
  return relative.format(Math.trunc(seconds / length), unit);
}

/** A time to the second, with its zone: `2026-03-14 09:26:53 UTC`. */
export function exactTime(time: Date, zone: TimeZoneChoice): string {
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  return `${day} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')}`;
}

/** How often a relative time changes, in milliseconds. */
export function refreshAfter(time: Date, now: Date): number {
  const seconds = Math.abs(time.getTime() - now.getTime()) / 1000;
  if (seconds < 60) return 5000;
  return seconds < 3600 ? 30_000 : 600_000;
}

/** How long something took, in its two largest units: `2 min 5 s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const from = parts.findIndex(([count]) => count > 0);
  if (from === -1) return 'less than 1 s';
  return parts
    .slice(from, from + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
