import { problems, type ProblemCode } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { auditOf } from './audit.ts';
import { bodyBytesOf, sizeInWords } from './body-size.ts';
import { operationsOf, type DeclaredOperation, type OpenApiDocument } from './document.ts';
import { errorAnswersOf, isForAgents, isRepeatable, type ErrorAnswer } from './operation-errors.ts';
import { etagFieldsOf } from './conditional.ts';
import { deprecationHeadersOf } from './deprecation.ts';
import { declarationOf } from './permission.ts';
import { followed } from './references.ts';

/**
 * Adds to every operation what follows from its declaration, so that no file has to say it: how it is authenticated,
 * the headers that all operations of its kind take and answer, and its errors by status with their codes.
 * @throws Error when a declaration says what cannot be
 */
export function completeOperations(document: OpenApiDocument): void {
  for (const declared of operationsOf(document)) {
    const { operation } = declared;
    auditOf(declared);
    operation.security = securityOf(declared);
    if ('deprecation' in deprecationHeadersOf(declared)) operation.deprecated = true;
    describeBody(declared, document);
    if (isRepeatable(declared))
      operation.parameters = [...(operation.parameters ?? []), reference('parameters', 'IdempotencyKey')];
    const hasEtag = etagFieldsOf(declared, document) !== undefined;
    const accepted = [
      ...(hasEtag ? ['IfNoneMatch'] : []),
      ...(operation['x-waits'] === true ? ['PreferWait'] : []),
      ...(operation['x-if-match'] === true ? ['IfMatch'] : []),
      ...(operation['x-creates'] === true ? ['CreateOnly'] : []),
    ];
    if (accepted.length > 0)
      operation.parameters = [
        ...(operation.parameters ?? []),
        ...accepted.map((name) => reference('parameters', name)),
      ];
    for (const success of Object.values(operation.responses)) addHeaders(success, declared, document);
    if (hasEtag) operation.responses['304'] = reference('responses', 'NotModified');
    for (const answer of errorAnswersOf(declared))
      operation.responses[String(answer.status)] = errorResponse(answer, declared, document);
    operation.responses['default'] = reference('responses', 'Problem');
  }
}

/** Says how large a body may be, and whether it has to be there at all. */
function describeBody(declared: DeclaredOperation, document: OpenApiDocument): void {
  const { operation } = declared;
  if (operation.requestBody === undefined) return;
  const body = followed<{ required?: boolean; description?: string }>(operation.requestBody, document);
  const size = `JSON of up to ${sizeInWords(bodyBytesOf(declarationOf(declared)))}.`;
  operation.requestBody = {
    ...body,
    required: body.required ?? false,
    description: [body.description, size].filter(Boolean).join(' '),
  };
}

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Keys and sessions are accepted alike, unless the declaration says otherwise; sessions of browsers write with their CSRF token. */
function securityOf(declared: DeclaredOperation): Record<string, string[]>[] {
  const browser = { Session: [], ...(declared.method !== 'get' && { CsrfToken: [] }) };
  const sessions = [browser, { TerminalSession: [] }];
  switch (declarationOf(declared).kind) {
    case 'public':
      return [];
    case 'agent':
      return [{ AgentToken: [] }];
    case 'session':
      return sessions;
    default:
      return [{ ApiKey: [] }, ...sessions];
  }
}

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: { $ref?: string } }>;
}

function addHeaders(response: unknown, declared: DeclaredOperation, document: OpenApiDocument): void {
  const answer = response as Response;
  const schema = answer.content?.['application/json']?.schema;
  const isPage = schema?.$ref !== undefined && isPageSchema(followed(schema, document));
  const names = [
    ...(isPage ? ['Link'] : []),
    ...(etagFieldsOf(declared, document) ? ['ETag'] : []),
    ...(declared.operation['x-waits'] === true ? ['Preference-Applied'] : []),
    ...commonHeaders(declared),
    ...(isRepeatable(declared) ? ['idempotent-replayed'] : []),
  ];
  answer.headers = { ...answer.headers, ...headerReferences(names) };
}

const isPageSchema = ({ properties = {} }: { properties?: object }) => 'total_pages' in properties;

const commonHeaders = (declared: DeclaredOperation) => [
  ...['svc-request', 'svc-release'],
  ...(declared.operation.deprecated ? ['Deprecation'] : []),
  ...('sunset' in deprecationHeadersOf(declared) ? ['Sunset'] : []),
  ...(isForAgents(declared) ? ['svc-time'] : ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
];

const headerReferences = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, reference('headers', name)]));

/** A component for each set of codes that some operation answers with one status. */
function errorResponse(
  { status, name, codes }: ErrorAnswer,
  of: DeclaredOperation,
  document: OpenApiDocument,
) {
  const { responses = {}, schemas = {} } = (document.components ??= {});
  document.components = { ...document.components, responses, schemas };
  const schemaName = `${name}Problem`;
  const headers = [
    ...commonHeaders(of),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(codes.includes('idempotency_key_reused') ? ['idempotent-replayed'] : []),
  ];
  responses[name] ??= {
    description: codes.map((code) => `\`${code}\`: ${problems[code].detail}`).join('\n\n'),
    headers: headerReferences(headers),
    content: {
      'application/problem+json': {
        schema: reference('schemas', schemaName),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
  schemas[schemaName] ??= {
    description: `A problem of status ${status}.`,
    allOf: [
      reference('schemas', 'Problem'),
      { type: 'object', properties: { code: { type: 'string', enum: codes } } },
    ],
  };
  return reference('responses', name);
}

function exampleOf(code: ProblemCode) {
  const fieldIssues = [{ path: '/body/name', code: 'required', message: 'is required' }];
  const shown = problem(code, code === 'invalid_request' ? { fieldIssues } : {});
  return { summary: problems[code].title, value: shown.document('6f1d0c9e5b5b4f0c8a0f3f1f1a2b3c4d') };
}
