import { operationsOf, type OpenApiDocument } from '@sluice/http';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

/**
 * The fields of all request bodies by the schema that declares them, sorted. A field in an object without a name of its own is written as a
 * path; `*` stands for the items of an array and the members of a map. A schema that several bodies share is listed once.
 */
export function requestFields(documents: readonly OpenApiDocument[]): Record<string, string[]> {
  const fields = new Map<string, Set<string>>();
  for (const document of documents) {
    for (const { operation } of operationsOf(document)) {
      const body = operation.requestBody as { content: Record<string, { schema: Schema }> } | undefined;
      for (const { schema } of Object.values(body?.content ?? {}))
        collect(schema, { document, fields, owner: operation.operationId, path: [] });
    }
  }
  return Object.fromEntries(
    [...fields]
      .filter(([, names]) => names.size > 0)
      .map(([schema, names]): [string, string[]] => [schema, [...names].sort()])
      .sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
}

interface Place {
  document: OpenApiDocument;
  fields: Map<string, Set<string>>;
  /** the named schema, or the operation for a body without one */
  owner: string;
  path: string[];
  /** schemas on the way here: a schema may contain itself */
  parents?: readonly string[];
}

function collect(schema: Schema, place: Place): void {
  if (schema.$ref !== undefined) {
    collectNamed(schema.$ref, place);
    return;
  }
  const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [], allOf = [] } = schema;
  for (const one of [items, additionalProperties])
    if (typeof one === 'object') collect(one, { ...place, path: [...place.path, '*'] });
  for (const one of [...oneOf, ...anyOf, ...allOf]) collect(one, place);
  for (const [name, property] of Object.entries(properties)) {
    const path = [...place.path, name];
    fieldsOf(place).add(path.join('/'));
    collect(property, { ...place, path });
  }
}

function collectNamed(reference: string, place: Place): void {
  const parents = place.parents ?? [];
  const owner = reference.slice(reference.lastIndexOf('/') + 1);
  if (parents.includes(owner)) return;
  const schema = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, token) => (node as Record<string, unknown>)[token], place.document);
  collect(schema as Schema, { ...place, owner, path: [], parents: [...parents, owner] });
}

function fieldsOf({ fields, owner }: Place): Set<string> {
  const names = fields.get(owner) ?? new Set<string>();
  fields.set(owner, names);
  return names;
}
