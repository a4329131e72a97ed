/** References within an OpenAPI document: `#/components/schemas/Id`. */

/** What a reference leads to. @throws Error when that is nothing */
export function componentAt(reference: string, document: { components?: unknown }): unknown {
  let target: unknown = document;
  for (const token of reference.replace(/^#\//, '').split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    target =
      typeof target === 'object' && target !== null ? (target as Record<string, unknown>)[key] : undefined;
  }
  if (target === undefined) throw new Error(`The OpenAPI document has no '${reference}'`);
  return target;
}

/** Every reference anywhere in `value`. */
export function pointersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [item] : pointersIn(item),
  );
}

/** `value` itself, or what it refers to if it is a reference. */
export function followed<T extends object>(value: unknown, document: { components?: unknown }): T {
  const isReference = typeof value === 'object' && value !== null && '$ref' in value;
  return (isReference ? componentAt(String(value.$ref), document) : value) as T;
}

/** `value` with every `$ref` replaced by what it refers to in `document`. */
export function resolveReferences(
  value: unknown,
  document: { components?: unknown },
  trail: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, document, trail));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const reference = value.$ref;
    if (trail.includes(reference))
      throw new Error(`The OpenAPI document refers to '${reference}' in a circle`);
    return resolveReferences(componentAt(reference, document), document, [...trail, reference]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(item, document, trail)]),
  );
}
