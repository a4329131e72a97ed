import { InvalidArgumentError, Option, type Command } from 'commander';

/** For commands that change something: `--dry-run`. */
export const changes = (command: Command): Command =>
  command.option('--dry-run', 'show the request that would be sent, and send nothing');

/** For commands that destroy something: they ask for its name, unless `--yes` is given. */
export const destroys = (command: Command): Command =>
  changes(command).option('-y, --yes', 'do not ask; needed without a terminal');

/** For what can be protected. */
export const protectable = (command: Command): Command =>
  destroys(command).option('--code <code>', 'the one-time code that deleting something protected needs');

/** For commands that hand out a secret; `handOut` (files.ts) does it. */
export const secretOut = (command: Command): Command =>
  command.option(
    '--out <file>',
    'write it as JSON to this new file, which only you can read, and not to stdout',
  );

/** For commands whose effect comes later. */
export const waits = (command: Command): Command =>
  command
    .option('--wait', 'wait until it has happened, and show the steps')
    .addOption(
      new Option(
        '--timeout <duration>',
        'how long to wait, such as 90s or 15m; with it --wait can be left out',
      )
        .argParser(duration)
        .default(600_000, '10m')
        .implies({ wait: true }),
    );

/** For lists without an end. */
export const limited = (command: Command, most?: number): Command =>
  command.option('--limit <count>', 'show so many at most', integer, most);

export interface WaitFlags {
  wait?: boolean;
  /** milliseconds */
  timeout: number;
}

export interface DestroyFlags {
  yes?: boolean;
  code?: string;
}

export function integer(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(text);
}

/** US dollars. */
export function dollars(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError('It has to be US dollars, such as 250 or 12.50.');
  return Number(text);
}

const sizes: Record<string, number> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** `512`, `64KiB`, `512MiB`, `2G`: powers of two. @returns bytes */
export function size(text: string): number {
  const [, count, unit = ''] = /^(\d{1,12})(?:([kmgt])(?:i?b)?)?$/i.exec(text) ?? [];
  const bytes = Number(count) * (sizes[unit.toLowerCase()] ?? NaN);
  if (!Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('It has to be a number of bytes, such as 65536, 64KiB, 512MiB or 2GiB.');
  return bytes;
}

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const mostMs = 36_500 * 86_400_000;

/** `90s`, `15m`, `2h`, `7d`. @returns milliseconds */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = units[unit];
  if (count === undefined || factor === undefined)
    throw new InvalidArgumentError('It has to be a number with its unit, such as 90s, 15m, 2h or 7d.');
  const milliseconds = Number(count) * factor;
  // dates have an end, too
  if (milliseconds > mostMs) throw new InvalidArgumentError('It has to be 36500d at most.');
  return milliseconds;
}

/** A time: as it is in JSON, or so long ago. */
export function moment(text: string): Date {
  if (/^\d+[a-z]+$/.test(text)) return new Date(Date.now() - duration(text));
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : new Date(NaN);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'It has to be a duration such as 2h, or a time such as 2026-03-14T09:00:00Z.',
    );
  return time;
}

/** Gathers an option that can be given several times, or with commas. */
export const list = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text.split(',').filter((part) => part !== ''),
];

/** Gathers an option that can be given several times, whose values can have commas. */
export const gather = (text: string, before: string[] = []): string[] => [...before, text];

/** The first entries of a list; all without a limit. */
export async function* first<T>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number | undefined,
): AsyncGenerator<T, void, undefined> {
  let left = limit ?? Infinity;
  if (left === 0) return;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}
