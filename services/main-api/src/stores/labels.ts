import type { Labels } from '@sluice/contracts';

/** What a list asks of labels: these values, and these keys with any value. */
interface LabelSelector {
  values: Labels;
  keys: string[];
}

/** Reads `key=value` and `key`, separated by commas, as the document has checked it. */
function selectorOf(text: string): LabelSelector {
  const selector: LabelSelector = { values: {}, keys: [] };
  for (const one of text.split(',')) {
    const [key = '', value] = one.split('=', 2);
    if (value === undefined) selector.keys.push(key);
    else selector.values[key] = value;
  }
  return selector;
}

/** The condition that labels fit what `labelValues` gives, at this position and the next. */
export const labelCondition = (position: number) =>
  `($${position}::jsonb IS NULL OR labels @> $${position} AND labels ?& $${position + 1}::text[])`;

/** @param text undefined: everything fits */
export function labelValues(text: string | undefined): [values: string | null, keys: string[]] {
  if (text === undefined) return [null, []];
  const { values, keys } = selectorOf(text);
  return [JSON.stringify(values), keys];
}
