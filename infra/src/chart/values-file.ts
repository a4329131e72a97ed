import { Document, isMap, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Values } from './values.ts';

interface Described {
  description?: string;
  properties?: Record<string, Described>;
}

/** `values.yaml`: the defaults, each with its description from the schema. */
export function valuesText(schema: object, values: Values): string {
  const document = new Document(values);
  document.commentBefore = ' What each value may be: values.schema.json';
  describe(document.contents as unknown as YAMLMap, schema);
  return document.toString({ lineWidth: 0 });
}

function describe(map: YAMLMap, { properties = {} }: Described): void {
  for (const pair of map.items as Pair<Scalar<string>>[]) {
    const property = properties[pair.key.value];
    if (!property) continue;
    if (property.description !== undefined) pair.key.commentBefore = ` ${property.description}`;
    if (isMap(pair.value)) describe(pair.value, property);
  }
}
