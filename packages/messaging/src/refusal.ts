import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';

export type Refusal = 'wrong' | 'held up' | 'stream away';

/**
 * What a message that was not taken says: that it is wrong itself and no later attempt will do (too large, malformed);
 * that something about it is not allowed yet, which a person can change, or there are too many like it; or that the stream cannot be reached, is not
 * there, or takes no message at all now.
 */
export function refusalOf(error: unknown): Refusal {
  const reason = reasonOf(error);
  if (reason instanceof errors.InvalidArgumentError || reason instanceof errors.InvalidSubjectError)
    return 'wrong';
  if (reason instanceof JetStreamApiError) {
    if (/per subject exceeded/.test(reason.message)) return 'held up';
    return reason.status === 400 ? 'wrong' : 'stream away';
  }
  return reason instanceof errors.PermissionViolationError ? 'held up' : 'stream away';
}

/** The client wraps some of what a server answers to a request. */
export function reasonOf(error: unknown): unknown {
  return error instanceof errors.RequestError ? (error.cause ?? error) : error;
}
