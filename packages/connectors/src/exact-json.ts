declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number as it was written, which `JSON.stringify` writes like that: a number of JavaScript would lose digits. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** JSON whose numbers are `RawNumber`s. @throws SyntaxError, or RangeError for what is nested too deep */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? JSON.rawJSON(context?.source ?? String(value)) : value,
  ) as unknown;
}

/** The digits of a number; undefined for anything else. */
export const digitsOf = (value: unknown): string | undefined =>
  JSON.isRawJSON(value) ? value.rawJSON : undefined;

/** The value below `path` in JSON; undefined where there is none. */
export function valueAt(json: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && !JSON.isRawJSON(value) && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    json,
  );
}
