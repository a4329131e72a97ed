import { problems, type ProblemCode } from '@sluice/contracts';
import type { DeclaredOperation } from './document.ts';
import { declarationOf, type Declaration } from './permission.ts';

/** What decides which errors an operation can answer. */
interface Circumstances {
  declaration: Declaration;
  pathParameters: string[];
  /** changes something: not GET */
  writes: boolean;
  hasBody: boolean;
  /** refuses parameters that it does not know */
  strict: boolean;
  repeatable: boolean;
  hasDeadline: boolean;
  ifMatch: boolean;
}

interface Rule {
  /** tells answers of the same status with other codes apart */
  label: string;
  applies(to: Circumstances): boolean;
  codes: ProblemCode[];
}

const acceptsSessions = ({ declaration: { kind } }: Circumstances) => kind !== 'public' && kind !== 'agent';
const hasIds = ({ pathParameters }: Circumstances) => pathParameters.some((name) => name.endsWith('_id'));

/** The errors that follow from the declaration of an operation. */
const rules: Rule[] = [
  { label: '', applies: ({ strict }) => strict, codes: ['invalid_request', 'unknown_parameter'] },
  { label: 'Lenient', applies: ({ strict }) => !strict, codes: ['invalid_request'] },
  { label: 'Path', applies: ({ pathParameters }) => pathParameters.length > 0, codes: ['malformed_request'] },
  { label: 'Id', applies: (to) => hasIds(to) && acceptsSessions(to), codes: ['malformed_id', 'not_found'] },
  {
    label: 'Body',
    applies: ({ hasBody }) => hasBody,
    codes: [
      'unknown_field',
      'body_required',
      'body_too_complex',
      'malformed_json',
      'malformed_request',
      'request_timeout',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  { label: '', applies: ({ declaration }) => declaration.kind !== 'public', codes: ['unauthenticated'] },
  { label: '', applies: acceptsSessions, codes: ['credential_frozen', 'ip_not_allowed'] },
  {
    label: 'Place',
    applies: (to) =>
      acceptsSessions(to) &&
      (to.declaration.kind === 'permission' || to.pathParameters.includes('tenant_id')),
    codes: ['forbidden'],
  },
  {
    label: 'Session',
    applies: ({ declaration }) => declaration.kind === 'session',
    codes: ['session_required'],
  },
  { label: 'Owner', applies: ({ declaration }) => declaration.kind === 'owner', codes: ['owner_only'] },
  { label: 'Write', applies: (to) => acceptsSessions(to) && to.writes, codes: ['csrf_token_invalid'] },
  {
    label: '',
    applies: ({ repeatable }) => repeatable,
    codes: ['idempotency_key_reused', 'idempotent_request_in_progress', 'idempotent_answer_lost'],
  },
  { label: '', applies: ({ ifMatch }) => ifMatch, codes: ['changed_meanwhile'] },
  { label: '', applies: () => true, codes: ['rate_limited'] },
  { label: '', applies: () => true, codes: ['internal', 'unavailable', 'database_busy', 'tenant_busy'] },
  { label: '', applies: ({ hasDeadline }) => hasDeadline, codes: ['deadline_exceeded'] },
];

/** All errors of one status that an operation can answer. */
export interface ErrorAnswer {
  status: number;
  /** says what sets it apart from other answers of this status, in PascalCase */
  name: string;
  codes: ProblemCode[];
}

/**
 * The errors that an operation can answer, by status: those that follow from its declaration, and its own, which
 * `x-errors` lists.
 * @throws Error when `x-errors` names a code that does not exist, or that follows from the declaration
 */
export function errorAnswersOf(declared: DeclaredOperation): ErrorAnswer[] {
  const own = ownCodes(declared);
  const circumstances = circumstancesOf(declared);
  const applying = rules.filter((rule) => rule.applies(circumstances));
  const derived = new Set(applying.flatMap(({ codes }) => codes));
  const derivable = own.find((code) => derived.has(code));
  if (derivable)
    throw new Error(`${nameOf(declared)} needs no '${derivable}' in x-errors: it follows from the rest`);
  const statuses = new Set([...derived, ...own].map((code) => problems[code].status));
  return [...statuses].sort().map((status) => {
    const here = (code: ProblemCode) => problems[code].status === status;
    const codes = [...derived, ...own].filter(here);
    const labels = applying.filter((rule) => rule.codes.some(here)).map(({ label }) => label);
    return { status, codes, name: answerName(status, codes, [...labels, ...own.filter(here).map(pascal)]) };
  });
}

function answerName(status: number, [code, ...further]: ProblemCode[], parts: string[]): string {
  if (code && further.length === 0) return pascal(code);
  return [phrases[status] ?? `Status${status}`, ...parts].join('');
}

const phrases: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  429: 'TooManyRequests',
  503: 'Unavailable',
};

const pascal = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function ownCodes(declared: DeclaredOperation): ProblemCode[] {
  const own = declared.operation['x-errors'] ?? [];
  if (!Array.isArray(own)) throw new Error(`x-errors of ${nameOf(declared)} is not a list`);
  return own.map((code: unknown) => {
    if (typeof code === 'string' && isProblemCode(code)) return code;
    throw new Error(`x-errors of ${nameOf(declared)} names '${String(code)}', which is no code`);
  });
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

const nameOf = ({ path, method }: DeclaredOperation) => `${method.toUpperCase()} ${path}`;

function circumstancesOf(declared: DeclaredOperation): Circumstances {
  const { path, method, operation } = declared;
  const declaration = declarationOf(declared);
  return {
    declaration,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    writes: method !== 'get',
    hasBody: operation.requestBody !== undefined,
    strict: operation['x-eov-allow-unknown-query-parameters'] !== true,
    repeatable: isRepeatable(declared),
    hasDeadline: operation['x-without-deadline'] !== true,
    ifMatch: operation['x-if-match'] === true,
  };
}

/** Whether an `Idempotency-Key` has an effect: on what API keys and sessions create or change. */
export function isRepeatable(declared: DeclaredOperation): boolean {
  const { kind } = declarationOf(declared);
  const known = kind !== 'public' && kind !== 'agent';
  return known && (declared.method === 'post' || declared.method === 'put');
}

/** The API of agents does not return how much of their limit is left. */
export function isForAgents({ path }: DeclaredOperation): boolean {
  return path.startsWith('/agent/');
}
