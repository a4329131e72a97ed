import { Document, visit } from 'yaml';
import { visibleJson } from './escape.ts';

/** A value as YAML, in which controls of terminals are escapes. */
export function yamlOf(value: unknown): string {
  const document = new Document(value ?? null);
  visit(document, {
    Scalar(_key, scalar) {
      // only between these quotes a control can be written as an escape
      if (typeof scalar.value === 'string' && visibleJson(scalar.value) !== scalar.value)
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return visibleJson(document.toString({ lineWidth: 0 }));
}
