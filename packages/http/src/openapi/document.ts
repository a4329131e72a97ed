/** As much of OpenAPI 3.1 as this package reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string; [member: string]: unknown };
  tags?: Tag[];
  'x-tagGroups'?: { name: string; tags: string[] }[];
  paths: Record<string, PathItem>;
  components?: Components;
  [member: string]: unknown;
}

export interface Tag {
  name: string;
  description?: string;
}

export type Components = Record<string, Record<string, unknown>>;

export const httpMethods = ['get', 'put', 'post', 'delete', 'patch'] as const;
export type HttpMethod = (typeof httpMethods)[number];
export type PathItem = Partial<Record<HttpMethod, OperationObject>> & { parameters?: unknown[] };

export interface OperationObject {
  operationId: string;
  /** who may call it; see `Declaration` */
  'x-permission'?: unknown;
  /** what it is recorded as; see `Audited` */
  'x-audit'?: unknown;
  /** the codes of its own refusals, besides those that follow from its declaration */
  'x-errors'?: unknown;
  /** whether it accepts a body of any kind, and does not look at it */
  'x-ignores-body'?: boolean;
  /** takes as long as it has to, or limits its time by itself */
  'x-without-deadline'?: boolean;
  /** fields of its answer that change without a meaning: they do not count for its ETag */
  'x-etag-without'?: unknown;
  /** fields of its answer that are no settings: `If-Match` of a change does not compare them */
  'x-if-match-without'?: unknown;
  /** whether it waits for a change of the deployment of its path, with `Prefer: wait=N` */
  'x-waits'?: boolean;
  /** whether it is refused where `If-Match` names another representation */
  'x-if-match'?: boolean;
  /** whether it creates what is not there yet, and `If-None-Match: *` has it do only that */
  'x-creates'?: boolean;
  /** since when it is deprecated, and when it goes; see `deprecationHeadersOf` */
  'x-deprecated'?: unknown;
  /** follows from `x-deprecated` */
  deprecated?: boolean;
  tags?: string[];
  security?: Record<string, string[]>[];
  requestBody?: unknown;
  parameters?: unknown[];
  responses: Record<string, unknown>;
  [member: string]: unknown;
}

export interface DeclaredOperation {
  path: string;
  method: HttpMethod;
  operation: OperationObject;
}

export function operationsOf({ paths }: Pick<OpenApiDocument, 'paths'>): DeclaredOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}
