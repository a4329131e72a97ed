import { operationsOf, resolveReferences, type DeclaredOperation, type OpenApiDocument } from '@sluice/http';
import { schemaChanges, type Schema } from './schema-changes.ts';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Body {
  required?: boolean;
  content?: Record<string, { schema?: Schema }>;
}

interface Response extends Body {
  headers?: object;
}

/** What a document breaks for clients of a former one, a line each. */
export function breakingChanges(was: OpenApiDocument, is: OpenApiDocument): string[] {
  const [former, present] = [operationsByAddress(was), operationsByAddress(is)];
  return [...former].flatMap(([address, operation]) => {
    const now = present.get(address);
    if (!now) return [`${address} is gone`];
    return operationChanges(operation, now).map((change) => `${address} ${change}`);
  });
}

/** Names of path parameters do not matter to clients. */
function operationsByAddress(document: OpenApiDocument): Map<string, DeclaredOperation> {
  const resolved = resolveReferences({ paths: document.paths }, document) as Pick<OpenApiDocument, 'paths'>;
  return new Map(
    operationsOf(resolved).map((declared) => {
      const { parameters = [] } = resolved.paths[declared.path] ?? {};
      const operation = {
        ...declared.operation,
        parameters: [...parameters, ...(declared.operation.parameters ?? [])],
      };
      const path = declared.path.replaceAll(/\{\w+\}/g, '{}');
      return [`${declared.method.toUpperCase()} ${path}`, { ...declared, operation }];
    }),
  );
}

function operationChanges(
  { operation: was }: DeclaredOperation,
  { operation: is }: DeclaredOperation,
): string[] {
  return [
    ...(was.operationId === is.operationId ? [] : [`is called ${is.operationId} now`]),
    ...parameterChanges(was.parameters as Parameter[], is.parameters as Parameter[]),
    ...bodyChanges(was.requestBody as Body | undefined, is.requestBody as Body | undefined),
    ...answerChanges(was.responses as Record<string, Response>, is.responses as Record<string, Response>),
  ];
}

function parameterChanges(was: Parameter[], is: Parameter[]): string[] {
  // those of paths have their places
  const named = (parameters: Parameter[]) =>
    new Map(parameters.filter((one) => one.in !== 'path').map((one) => [`${one.in} ${one.name}`, one]));
  const [former, present] = [named(was), named(is)];
  const changed = [...former].flatMap(([name, { schema }]) => {
    const now = present.get(name);
    return now ? schemaChanges(schema, now.schema, 'request', name) : [`${name}: is gone`];
  });
  const stricter = [...present].filter(([name, { required }]) => required && !former.get(name)?.required);
  return [...changed, ...stricter.map(([name]) => `${name}: is required now`)];
}

function bodyChanges(was: Body | undefined, is: Body | undefined): string[] {
  if (!is) return was ? ['body: is gone'] : [];
  const stricter = is.required && !was?.required ? ['body: is required now'] : [];
  return [...stricter, ...(was ? contentChanges(was, is, 'request', 'body') : [])];
}

function contentChanges(was: Body, is: Body, direction: 'request' | 'answer', at: string): string[] {
  return Object.entries(was.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const now = is.content?.[type];
    return now ? schemaChanges(schema, now.schema ?? {}, direction, at) : [`${at}: is no ${type} any more`];
  });
}

/** Of successes: what refusals may be is said by their codes, and 304 answers only who has asked for it. */
function answerChanges(was: Record<string, Response>, is: Record<string, Response>): string[] {
  const successes = (responses: object) =>
    Object.keys(responses).filter((status) => /^[23]/.test(status) && status !== '304');
  const added = successes(is).filter((status) => !(status in was));
  return [
    ...added.map((status) => `answers ${status} now`),
    ...successes(was).flatMap((status) => {
      const [former, present] = [was[status], is[status]];
      if (!former || !present) return [`no longer answers ${status}`];
      const headers = Object.keys(former.headers ?? {}).filter((name) => !(name in (present.headers ?? {})));
      return [
        ...headers.map((name) => `${status}: has no header ${name} any more`),
        ...contentChanges(former, present, 'answer', status),
      ];
    }),
  ];
}
