import { InvalidArgumentError, type Command } from 'commander';
import { integer } from '@sluice/terminal/options';
import { z } from 'zod';

/** How values of command lines are read. Each throws InvalidArgumentError, which says what is allowed. */

/** how many are named in one call */
const mostIds = 100;
const mostListed = 500;

export interface ListFlags {
  after: number;
  limit: number;
}

/** For lists in pages. */
export const listed = (command: Command): Command =>
  command
    .option('--after <id>', 'only those behind this one', integer, 0)
    .option('--limit <count>', `so many at most, up to ${mostListed}`, between(1, mostListed), 50);

export function between(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = integer(text);
    if (value < least || value > most)
      throw new InvalidArgumentError(`It has to be a number from ${least} to ${most}.`);
    return value;
  };
}

/** Gathers numbers, at most a hundred. */
export function ids(text: string, before: readonly number[] | undefined): number[] {
  const all = [...(before ?? []), integer(text)];
  if (all.length > mostIds) throw new InvalidArgumentError(`At most ${mostIds} are named in one call.`);
  return all;
}

/** Gathers numbers of an option that is given several times. */
export const gathered = (text: string, before: readonly number[]): number[] => [...before, integer(text)];

export function consumerName(text: string): string {
  if (!/^[\w-]{1,120}$/.test(text))
    throw new InvalidArgumentError("A consumer's name has letters, digits, - and _.");
  return text;
}

export interface Place {
  cloud: string;
  region: string;
}

export function region(text: string): Place {
  const [, cloud, name] = /^([a-z]\w{0,60})\/([a-z][\w-]{0,100})$/.exec(text) ?? [];
  if (cloud === undefined || name === undefined)
    throw new InvalidArgumentError('It has to be a region, such as cloud_a/us-east-1.');
  return { cloud, region: name };
}

/** Gathers regions of an option that is given several times, at most a hundred. */
export function places(text: string, before: readonly Place[]): Place[] {
  const all = [...before, region(text)];
  if (all.length > mostIds) throw new InvalidArgumentError(`At most ${mostIds} are named in one call.`);
  return all;
}

const mostOfParagraph = 1_000;

/** A text that may have lines. */
export function paragraph(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > mostOfParagraph || /[^\P{Cc}\n]/u.test(trimmed))
    throw new InvalidArgumentError(`It has to be a text of at most ${mostOfParagraph} characters.`);
  return trimmed;
}

/** what people read of it is one line */
const mostOfLine = 200;

export function oneLine(text: string): string {
  const line = text.trim();
  if (line === '' || line.length > mostOfLine || /\p{Cc}/u.test(line))
    throw new InvalidArgumentError(`It has to be one line of at most ${mostOfLine} characters.`);
  return line;
}

/** a year, in milliseconds: later than that is a slip of the keyboard */
const mostAhead = 366 * 86_400_000;
const time = z.iso.datetime({ offset: true });

/** `now`, or a time with its offset that is to come. */
export function comingTime(text: string): Date {
  const now = Date.now();
  const { data } = time.safeParse(text);
  const at = text === 'now' ? new Date(now) : new Date(data ?? Number.NaN);
  if (!(at.getTime() >= now && at.getTime() <= now + mostAhead))
    throw new InvalidArgumentError('It has to be a time to come, such as 2026-12-01T02:00:00Z, or now.');
  return at;
}

/** A whole second, as a time with its offset. */
export function instant(text: string): Date {
  const { data } = time.safeParse(text);
  const at = new Date(data ?? Number.NaN);
  if (!(at.getTime() % 1000 === 0))
    throw new InvalidArgumentError('It has to be a time to the second, such as 2027-01-01T00:00:00Z.');
  return at;
}

/** A month of the calendar (UTC). @returns its first moment */
export function month(text: string): Date {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('It has to be a month, such as 2026-11.');
  return new Date(`${text}-01T00:00:00Z`);
}
