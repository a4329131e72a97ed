/** As much of an OpenAPI document as the walk reads. References are resolved here. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  [keyword: string]: unknown;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  'x-audit'?: string | string[];
  'x-permission':
    | string
    | {
        scope: string;
        permission?: string;
        owner?: boolean;
        or?: { scope: string; permission: string };
        division_keys?: boolean;
        anywhere?: boolean;
      };
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
  [member: string]: unknown;
}

export interface WalkedOperation {
  id: string;
  name: string;
  /** the types that it is recorded as; none of those that read */
  audit: string[];
  method: string;
  path: string;
  permission: Operation['x-permission'];
  pathParameters: string[];
  queryParameters: Parameter[];
  body: Schema | undefined;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** Every operation of the API at `url`, from the document that it serves itself. */
export async function operationsAt(url: string): Promise<WalkedOperation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const resolve = <T extends { $ref?: string }>(value: T): T => {
    if (value.$ref === undefined) return value;
    const tokens = value.$ref.slice(2).split('/');
    return resolve(
      tokens.reduce<unknown>((node, token) => (node as Record<string, unknown>)[token], document) as T,
    );
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): WalkedOperation[] => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
      const schema = operation.requestBody?.content['application/json']?.schema;
      const body = schema && resolve(schema);
      const properties = Object.entries(body?.properties ?? {}).map(
        ([name, property]) => [name, resolve(property)] as const,
      );
      return [
        {
          id: operation.operationId,
          audit: [operation['x-audit'] ?? []].flat().filter((type) => type !== 'none'),
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          permission: operation['x-permission'],
          pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
          queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
          body: body && { ...body, properties: Object.fromEntries(properties) },
        },
      ];
    }),
  );
}

/** A value that no type of `schema` accepts. */
export function wrongValueFor({ type }: Schema): unknown {
  const types = Array.isArray(type) ? type : [type];
  return types.includes('string') ? 12.5 : types.includes('object') ? 'text' : { wrong: true };
}
