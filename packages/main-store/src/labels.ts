/** The condition that labels fit what `labelValues` gives, at this position and the next. */
export const labelCondition = (position: number) =>
  `($${position}::jsonb[] IS NULL OR labels @> ALL ($${position}) AND labels ?& $${position + 1}::text[])`;

/**
 * Reads `key=value` and `key` for any value, separated by commas, as the document has checked it.
 * @param text undefined: everything fits
 */
export function labelValues(text: string | undefined): [pairs: string[] | null, keys: string[]] {
  if (text === undefined) return [null, []];
  const pairs: string[] = [];
  const keys: string[] = [];
  for (const one of text.split(',')) {
    const [key = '', value] = one.split('=', 2);
    if (value === undefined) keys.push(key);
    else pairs.push(JSON.stringify({ [key]: value }));
  }
  return [pairs, keys];
}
