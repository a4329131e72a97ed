/** One thing that is wrong with a request. `path` is a JSON pointer that begins with `body`, `query` or `path`. */
export interface FieldIssue {
  path: string;
  code: string;
  message: string;
}

/** What the client itself reports; everything else is a code of the API (docs/errors.md). */
export type ClientCode =
  /** no answer: the connection was refused or broke */
  | 'connection_failed'
  /** no answer within `timeoutMs` */
  | 'request_timed_out'
  /** the answer is no problem document: something else than Sluice has answered, or it is older than the operation */
  | 'unexpected_answer'
  /** 304: it is as `If-None-Match` says */
  | 'not_modified'
  /** the answer has more than `maxResponseBytes` */
  | 'response_too_large'
  /** an address that the call needs is neither configured nor known to the Main API */
  | 'address_unknown'
  /** an address of plain HTTP beside a Main API with HTTPS: the credential is not sent there */
  | 'address_insecure'
  /** a credential that no header can hold, such as one with a line break in it */
  | 'credential_invalid'
  /** `waitFor…` has waited as long as it may */
  | 'wait_timed_out'
  /** what was waited for has failed */
  | 'wait_failed'
  /** a stream that the server has ended for good */
  | 'stream_ended';

interface Described {
  code: string;
  detail: string;
  /** the HTTP status; 0 without an answer */
  status?: number;
  title?: string;
  retryable?: boolean;
  field_issues?: FieldIssue[];
  /** the request id */
  instance?: string | null;
}

/**
 * A request that failed: the problem document of the API (RFC 9457), or what kept it from being answered. It holds neither headers nor
 * the query of the request, which can contain secrets.
 */
export class SluiceError extends Error {
  override readonly name = 'SluiceError';
  /** stable; of the API (docs/errors.md) or a `ClientCode` */
  readonly code: string;
  /** the HTTP status; 0 without an answer */
  readonly status: number;
  readonly title: string;
  /** what went wrong, for people */
  readonly detail: string;
  /** whether the same request can succeed later */
  readonly retryable: boolean;
  /** what is wrong with which field; empty if it is not about fields */
  readonly field_issues: FieldIssue[];
  /** by which the operator finds the request in logs; null without an answer */
  readonly requestId: string | null;
  /** how long the server asks to wait, in milliseconds */
  readonly retryAfterMs: number | undefined;
  /** method and path */
  readonly request: string | undefined;
  readonly #problem: Record<string, unknown> | null;

  constructor(
    described: Described,
    more: {
      cause?: unknown;
      problem?: Record<string, unknown> | null;
      request?: string | undefined;
      retryAfterMs?: number | undefined;
    } = {},
  ) {
    const { code, detail, status = 0, title = detail, retryable = false } = described;
    const issues = described.field_issues ?? [];
    const where = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
    const requestId = described.instance ?? null;
    const about = [code, more.request, requestId && `request ${requestId}`].filter(Boolean).join(', ');
    super(
      `${where === '' ? detail : `${title}: ${where}.`} (${about})`,
      'cause' in more ? { cause: more.cause } : {},
    );
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.retryable = retryable;
    this.field_issues = issues;
    this.requestId = requestId;
    this.retryAfterMs = more.retryAfterMs;
    this.request = more.request;
    this.#problem = more.problem ?? null;
  }

  /** the problem document with all its fields, such as those of `limit_reached`; null without one */
  get problem(): Record<string, unknown> | null {
    return this.#problem;
  }
}

/** What the client itself has found. */
export const clientError = (
  code: ClientCode,
  detail: string,
  more: { cause?: unknown; request?: string; retryable?: boolean } = {},
): SluiceError => new SluiceError({ code, detail, retryable: more.retryable ?? false }, more);

/** Reads an answer that is no success. `text`: its body */
export function errorOf(response: Response, text: string, request: string): SluiceError {
  const { status, headers } = response;
  const instance = headers.get('svc-request');
  const more = { request, retryAfterMs: retryAfter(headers.get('retry-after')) };
  const problem = problemOf(text);
  if (problem)
    return new SluiceError(
      { ...problem, status, instance: problem.instance ?? instance },
      { ...more, problem: { ...problem } },
    );
  if (status === 304)
    return new SluiceError(
      { code: 'not_modified', status, instance, detail: 'It is as `If-None-Match` says.' },
      more,
    );
  const detail = describeForeign(response);
  const retryable = [408, 425, 429, 502, 503, 504].includes(status);
  return new SluiceError({ code: 'unexpected_answer', detail, status, retryable, instance }, more);
}

function describeForeign({ status, type, headers }: Response): string {
  if (type === 'opaqueredirect') return 'The address redirects to another one. Use that one.';
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return `The address redirects to ${location.split('?')[0]}. Use that one.`;
  return `The answer with status ${status} is not of Sluice. Check the address, and what is between here and there.`;
}

function problemOf(text: string): Described | undefined {
  try {
    const body = JSON.parse(text) as Described | null;
    const isProblem = typeof body?.code === 'string' && typeof body.detail === 'string';
    return isProblem && Array.isArray(body.field_issues ?? []) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
