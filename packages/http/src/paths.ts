/** A path of a document, such as `/tenants/{tenant_id}`, and what belongs to it. */
interface Template<Value> {
  /** literal, or the name of what may stand there */
  segments: ({ literal: string } | { parameter: string })[];
  value: Value;
}

/**
 * Finds which of a document's paths is asked for. It compares only those with as many segments, where a router that takes
 * all kinds of patterns tries each in turn: a service has up to a hundred. Case and every slash count.
 */
export class Paths<Value> {
  readonly #byLength = new Map<number, Template<Value>[]>();

  /** @param path with `{name}` for whole segments; of two that both fit, the first that was added is found */
  add(path: string, value: Value): void {
    const segments = path.split('/').map((segment) => {
      const [, parameter] = /^\{(\w+)\}$/.exec(segment) ?? [];
      return parameter === undefined ? { literal: segment } : { parameter };
    });
    const others = this.#byLength.get(segments.length) ?? [];
    this.#byLength.set(segments.length, [...others, { segments, value }]);
  }

  /** @throws URIError when a parameter cannot be decoded */
  find(path: string): { value: Value; parameters: Record<string, string> } | undefined {
    const asked = path.split('/');
    const found = this.#byLength
      .get(asked.length)
      ?.find(({ segments }) =>
        segments.every((segment, i) =>
          'literal' in segment ? segment.literal === asked[i] : asked[i] !== '',
        ),
      );
    if (!found) return undefined;
    const parameters: Record<string, string> = {};
    found.segments.forEach((segment, i) => {
      if ('parameter' in segment) parameters[segment.parameter] = decodeURIComponent(asked[i] ?? '');
    });
    return { value: found.value, parameters };
  }
}
