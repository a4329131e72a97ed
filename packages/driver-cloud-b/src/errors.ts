import { LinkRefused } from '@sluice/drivers';

/** The cloud is still about something: it is to be looked at again. No failure. */
export class UnderWay extends Error {
  constructor() {
    super('the cloud is still about it');
  }
}

export class CloudError extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

interface ApiAnswer {
  status?: unknown;
  data?: { error?: { message?: unknown; errors?: { reason?: unknown }[] } | string };
}

/**
 * An error of the client library with what it is about and nothing else: it carries the request, with its credentials. Others as they are.
 */
export function asCloudError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('response' in error && error.response !== undefined) {
    const { status, data } = error.response as ApiAnswer;
    // who gives out tokens has another form, and says nothing about what was asked of the API
    if (typeof data?.error === 'string') return new CloudError('credentials', 0, data.error);
    const { message, errors } = data?.error ?? {};
    const reason = errors?.[0]?.reason;
    return new CloudError(
      typeof reason === 'string' ? reason : String(status),
      typeof status === 'number' ? status : 0,
      typeof message === 'string' ? message.slice(0, 500) : 'no reason is given',
    );
  }
  if (!('config' in error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unreachable';
  return new CloudError(code, 0, error.message);
}

export const isAbsent = (error: unknown) => error instanceof CloudError && error.status === 404;

/** Whether the same request will do in a moment: another one is about the same thing. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof CloudError)) return false;
  if (error.status === 409 || error.status === 412) return true;
  return /not.?ready|in progress/i.test(`${error.code} ${error.message}`);
}

/**
 * An error as people may read it: what the API says can name accounts and projects of the operator.
 * @param theirs whether the request was of what the customer has said, so that a refusal is about that
 */
export function asPeopleReadIt(error: unknown, theirs = false): unknown {
  if (!(error instanceof CloudError)) return error;
  if (theirs && error.status === 400)
    return new LinkRefused(`the cloud refuses it (${error.code}: ${error.message})`, { cause: error });
  return new Error(`the cloud could not do it (${error.code})`, { cause: error });
}
