import type { OperationObject } from './openapi/document.ts';

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

interface Description {
  code: string;
  message: string;
}

/** By keyword: the code, and the words, in which `{}` is the value that the schema asks for. */
const descriptions = new Map<string, [code: string, message: string]>([
  ['required', ['required', 'is required']],
  ['additionalProperties', ['unknown_field', 'is not a field of this operation']],
  ['unevaluatedProperties', ['unknown_field', 'is not a field of this operation']],
  ['type', ['wrong_type', 'has to be {}']],
  ['enum', ['not_allowed', 'has to be one of {}']],
  ['const', ['not_allowed', 'has to be {}']],
  ['minLength', ['too_short', 'has to have at least {} characters']],
  ['maxLength', ['too_long', 'has to have at most {} characters']],
  ['minItems', ['too_few', 'has to have at least {} entries']],
  ['maxItems', ['too_many', 'has to have at most {} entries']],
  ['uniqueItems', ['duplicate', 'has the same entry twice']],
  ['minProperties', ['too_few', 'has to have at least {} fields']],
  ['maxProperties', ['too_many', 'has to have at most {} fields']],
  ['propertyNames', ['wrong_name', 'has a field with a wrong name: a name {}']],
  ['minimum', ['too_small', 'has to be at least {}']],
  ['exclusiveMinimum', ['too_small', 'has to be more than {}']],
  ['maximum', ['too_large', 'has to be at most {}']],
  ['multipleOf', ['not_a_multiple', 'has to be a multiple of {}']],
  ['format', ['wrong_format', 'has to be a valid {}']],
  ['pattern', ['wrong_format', 'has to match {}']],
]);

/**
 * Says in Sluice's own words what a JSON Schema keyword found wrong, with the value that the schema asks for.
 * @param path JSON pointer of the issue, led by `/body`, `/query` or `/path`
 */
export function describeViolation(
  keyword: string,
  path: string,
  operation: OperationObject,
  message: string,
): Description {
  // the validator's query checks come without a keyword
  if (keyword === 'invalid')
    return message.startsWith('Unknown query parameter')
      ? { code: 'unknown_parameter', message: 'is not a parameter of this operation' }
      : { code: 'empty', message: 'must not be empty' };
  const [code, words] = descriptions.get(keyword) ?? ['not_accepted', 'does not have an accepted form'];
  const limit = schemaAt(path, operation)?.[keyword];
  if (keyword === 'type' && limit === undefined) return { code, message: fill(words, 'of another type') };
  return { code, message: fill(words, keyword === 'propertyNames' ? rulesOf(limit) : list(limit)) };
}

/** A pattern may hold what `replace` would take for a reference. */
const fill = (words: string, asked: string) => words.replace('{}', () => asked);

/** What a schema of names asks for, in words. */
function rulesOf(schema: unknown): string {
  const rules = Object.entries((schema ?? {}) as Schema).flatMap(([keyword, limit]) => {
    const [, words] = descriptions.get(keyword) ?? [];
    return words === undefined ? [] : [fill(words, list(limit))];
  });
  return rules.join(', and ');
}

function list(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

function schemaAt(path: string, operation: OperationObject): Schema | undefined {
  const [place, ...tokens] = path.slice(1).split('/');
  if (place === 'body') return descend(bodySchema(operation), tokens);
  const name = tokens.shift();
  const parameters = (operation.parameters ?? []) as { name: string; in: string; schema: Schema }[];
  return descend(
    parameters.find((parameter) => parameter.name === name && parameter.in === place)?.schema,
    tokens,
  );
}

function bodySchema(operation: OperationObject): Schema | undefined {
  const body = operation.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined;
  return body?.content?.['application/json']?.schema;
}

function descend(schema: Schema | undefined, [token, ...rest]: string[]): Schema | undefined {
  if (schema === undefined || token === undefined) return schema;
  const { properties, items, additionalProperties } = schema;
  const property = properties && Object.hasOwn(properties, token) ? properties[token] : undefined;
  const next = property ?? (/^\d+$/.test(token) ? items : undefined);
  if (next) return descend(next, rest);
  return typeof additionalProperties === 'object' ? descend(additionalProperties, rest) : undefined;
}
