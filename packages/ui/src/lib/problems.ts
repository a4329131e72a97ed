import { SluiceError, type FieldIssue } from '@sluice/client';

/** What is shown of an error. */
export interface ShownProblem {
  code: string;
  title: string;
  detail: string;
  issues: readonly FieldIssue[];
  requestId: string | null;
  /** how long the API asks to wait before the same request; undefined where it does not say */
  retryAfterMs: number | undefined;
  /** whether the same request may succeed later */
  retryable: boolean;
}

/** A problem that is not an API's, with what people read of it. */
export class ShownError extends Error {
  readonly code: string;
  readonly title: string;

  constructor(code: string, title: string, detail: string) {
    super(detail);
    this.code = code;
    this.title = title;
  }
}

/** What to show of anything that was thrown. */
export function shownProblem(error: unknown): ShownProblem {
  if (error instanceof SluiceError)
    return {
      code: error.code,
      title: error.title,
      detail: error.detail,
      issues: error.field_issues,
      requestId: error.requestId,
      retryAfterMs: error.retryAfterMs,
      retryable: error.retryable,
    };
  if (error instanceof ShownError)
    return {
      code: error.code,
      title: error.title,
      detail: error.message,
      issues: [],
      requestId: null,
      retryAfterMs: undefined,
      retryable: true,
    };
  return {
    code: 'console_error',
    title: 'The console has failed',
    detail: error instanceof Error ? error.message : String(error),
    issues: [],
    requestId: null,
    retryAfterMs: undefined,
    retryable: true,
  };
}

/** The name of the form field that an issue is about: `/body/storage/size` is `storage.size`. Undefined where it is not of the body. */
export function fieldOf({ path }: FieldIssue): string | undefined {
  const [, part, ...names] = path.split('/');
  return part === 'body' && names.length > 0 ? names.join('.') : undefined;
}

/** The name of the object was changed by someone else since it was read. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof SluiceError && error.status === 412;
