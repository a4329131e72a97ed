import { declarationOf } from './permission.ts';
import type { DeclaredOperation, OpenApiDocument } from './document.ts';
import { followed } from './references.ts';
import type { EtagFields } from '../etag.ts';

interface Schema {
  type?: string;
  properties?: object;
}

interface Success {
  content?: Record<string, { schema?: unknown }>;
}

/**
 * What does not count for the ETag of an operation's answers (`x-etag-without`), and for `If-Match` (`x-if-match-without`); undefined
 * where these have no ETag. What reads one thing has one: an object that is no page.
 */
export function etagFieldsOf(
  { method, operation }: DeclaredOperation,
  document: OpenApiDocument,
): EtagFields | undefined {
  const { kind } = declarationOf({ path: '', method, operation });
  const success = operation.responses['200'] as Success | undefined;
  const given = success?.content?.['application/json']?.schema;
  if (method !== 'get' || kind === 'public' || kind === 'agent' || given === undefined) return undefined;
  const { type, properties = {} } = followed<Schema>(given, document);
  if (type !== 'object' || 'total_pages' in properties) return undefined;
  const named = (fields: unknown) => (fields as string[] | undefined) ?? [];
  return { ignored: named(operation['x-etag-without']), unset: named(operation['x-if-match-without']) };
}
