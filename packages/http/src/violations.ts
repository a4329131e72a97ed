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
  const limit = schemaAt(path, operation)?.[keyword];
  switch (keyword) {
    case 'required':
      return { code: 'required', message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { code: 'unknown_field', message: 'is not a field of this operation' };
    case 'type':
      return {
        code: 'wrong_type',
        message: `has to be ${limit === undefined ? 'of another type' : list(limit)}`,
      };
    case 'enum':
      return { code: 'not_allowed', message: `has to be one of ${list(limit)}` };
    case 'const':
      return { code: 'not_allowed', message: `has to be ${list(limit)}` };
    case 'minLength':
      return { code: 'too_short', message: `has to have at least ${list(limit)} characters` };
    case 'maxLength':
      return { code: 'too_long', message: `has to have at most ${list(limit)} characters` };
    case 'minItems':
      return { code: 'too_few', message: `has to have at least ${list(limit)} entries` };
    case 'maxItems':
      return { code: 'too_many', message: `has to have at most ${list(limit)} entries` };
    case 'uniqueItems':
      return { code: 'duplicate', message: 'has the same entry twice' };
    case 'minProperties':
      return { code: 'too_few', message: `has to have at least ${list(limit)} fields` };
    case 'maxProperties':
      return { code: 'too_many', message: `has to have at most ${list(limit)} fields` };
    case 'minimum':
      return { code: 'too_small', message: `has to be at least ${list(limit)}` };
    case 'exclusiveMinimum':
      return { code: 'too_small', message: `has to be more than ${list(limit)}` };
    case 'maximum':
      return { code: 'too_large', message: `has to be at most ${list(limit)}` };
    case 'multipleOf':
      return { code: 'not_a_multiple', message: `has to be a multiple of ${list(limit)}` };
    case 'format':
      return { code: 'wrong_format', message: `has to be a valid ${list(limit)}` };
    case 'pattern':
      return { code: 'wrong_format', message: `has to match ${list(limit)}` };
    case 'invalid':
      // the validator's query checks come without a keyword
      return message.startsWith('Unknown query parameter')
        ? { code: 'unknown_parameter', message: 'is not a parameter of this operation' }
        : { code: 'empty', message: 'must not be empty' };
    default:
      return { code: 'not_accepted', message: 'does not have an accepted form' };
  }
}

const list = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value);

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
