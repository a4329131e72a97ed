/** How names and times are put into texts for people. */

/**
 * Names are other people's text: without line breaks and without the characters that change the direction of
 * writing, they can neither add lines of their own to a text nor reorder what it says.
 */
export const oneLine = (text: string) =>
  text
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** A name within a sentence. */
export const quoted = (name: string) => `“${name}”`;

/** Several names within a sentence: `a`, `a and b`, `a, b and c`. */
export const listed = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);

/** A point in time for readers anywhere, such as `21 November 2026, 14:05 UTC`. */
export function moment(time: Date): string {
  const shown = momentFormat.formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    shown.find((found) => found.type === type)?.value ?? '';
  return `${part('day')} ${part('month')} ${part('year')}, ${part('hour')}:${part('minute')} UTC`;
}

const momentFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
