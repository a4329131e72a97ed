import {
  problems,
  type FieldIssue,
  type ProblemCode,
  type ProblemDocument,
  type RefusedType,
} from '@sluice/contracts';

/** the field issues that a problem lists at most */
const mostIssues = 50;

export interface ProblemExtras {
  /** a text more precise than the code's own */
  detail?: string;
  fieldIssues?: FieldIssue[];
  headers?: Record<string, string>;
  /** further members of the document, such as a limit's name and value */
  extensions?: Record<string, unknown>;
  /** what the attempt is recorded as, where the code alone does not say it; not part of the response */
  recordedAs?: RefusedType;
}

/** The one error that a caller gets to see (interface, section 7). */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(extras.detail ?? problems[code].detail);
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return problems[this.code].status;
  }

  /** The RFC 9457 document of this problem. */
  document(requestId: string): ProblemDocument {
    const { fieldIssues, extensions } = this.extras;
    const unlisted = (fieldIssues?.length ?? 0) - mostIssues;
    return {
      // every service has the page
      type: `/docs/errors#${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.message,
      instance: requestId,
      retryable: [408, 425, 429, 500, 502, 503, 504].includes(this.status),
      ...(fieldIssues && { field_issues: fieldIssues.slice(0, mostIssues) }),
      ...(unlisted > 0 && { unlisted_issues: unlisted }),
      ...extensions,
    };
  }
}

/** `throw problem('name_taken')`: the way in which every rule refuses. */
export function problem(code: ProblemCode, extras?: ProblemExtras): Problem {
  return new Problem(code, extras);
}

/** A single bad body field, found by a rule that the OpenAPI document cannot express. */
export function fieldProblem(field: string, code: string, message: string): Problem {
  return problem('invalid_request', { fieldIssues: [{ path: `/body/${field}`, code, message }] });
}

/** Thrown by a readiness check whose text an operator may read. */
export class NotReady extends Error {}
