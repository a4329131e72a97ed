import {
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
} from './openapi/document.ts';
import { resolveReferences } from './openapi/references.ts';

const known = new WeakMap<OpenApiDocument, OpenApiDocument>();

/**
 * As much of a document as requests and answers are validated by, with all references resolved: no errors, which the
 * package itself writes, and no headers, which it reads itself.
 */
export function validatedDocument(document: OpenApiDocument): OpenApiDocument {
  const validated = known.get(document) ?? withWhatIsValidated(document);
  known.set(document, validated);
  return validated;
}

function withWhatIsValidated(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = httpMethods.flatMap((method) => {
      const { [method]: operation } = item;
      return operation ? [[method, withoutErrors(operation)] as const] : [];
    });
    return [path, withoutHeaders({ ...item, ...Object.fromEntries(operations) }, document)] as const;
  });
  return { ...document, components: {}, paths: Object.fromEntries(paths) };
}

function withoutErrors(operation: OperationObject): OperationObject {
  const successes = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status));
  return { ...operation, responses: Object.fromEntries(successes) };
}

function withoutHeaders(item: PathItem, document: OpenApiDocument): PathItem {
  const resolved = foldNull(resolveReferences(item, document)) as PathItem;
  const remove = (parameters: unknown[] = []) =>
    parameters.filter((parameter) => (parameter as { in: string }).in !== 'header');
  for (const part of [resolved, ...httpMethods.flatMap((method) => resolved[method] ?? [])])
    if (part.parameters) part.parameters = remove(part.parameters);
  return resolved;
}

/**
 * Writes "one of this and null" as one schema whose `type` has null among its values: the validator then says what is
 * wrong with a value, instead of that it is neither.
 */
function foldNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foldNull);
  if (typeof value !== 'object' || value === null) return value;
  const folded = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, foldNull(item)]));
  const { oneOf, ...rest } = folded;
  if (!Array.isArray(oneOf) || oneOf.length !== 2) return folded;
  const [schema, nothing] = oneOf as [Record<string, unknown>, Record<string, unknown>];
  if (nothing['type'] !== 'null' || typeof schema['type'] !== 'string') return folded;
  const values = Array.isArray(schema['enum']) && { enum: [...(schema['enum'] as unknown[]), null] };
  return { ...schema, ...values, ...rest, type: [schema['type'], 'null'] };
}
