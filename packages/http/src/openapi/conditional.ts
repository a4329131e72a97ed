import { declarationOf } from './permission.ts';
import type { DeclaredOperation, OpenApiDocument } from './document.ts';
import { followed } from './references.ts';

interface Schema {
  type?: string;
  properties?: object;
}

interface Success {
  content?: Record<string, { schema?: unknown }>;
}

/**
 * Which fields do not count for the ETag of an operation's answers; undefined where these have none. What reads one thing has one: an
 * object that is no page. `x-etag-without` names the fields.
 */
export function etagFieldsOf(
  { method, operation }: DeclaredOperation,
  document: OpenApiDocument,
): readonly string[] | undefined {
  const { kind } = declarationOf({ path: '', method, operation });
  const success = operation.responses['200'] as Success | undefined;
  const given = success?.content?.['application/json']?.schema;
  if (method !== 'get' || kind === 'public' || kind === 'agent' || given === undefined) return undefined;
  const { type, properties = {} } = followed<Schema>(given, document);
  if (type !== 'object' || 'total_pages' in properties) return undefined;
  return (operation['x-etag-without'] as string[] | undefined) ?? [];
}
