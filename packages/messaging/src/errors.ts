/** What the handler of a message throws when no later attempt can succeed: the message becomes a dead letter at once. */
export class PermanentError extends Error {
  /** @param reason stands in the log and in the dead letter: no secrets */
  constructor(reason: string) {
    super(reason);
    this.name = 'PermanentError';
  }
}

/** A message is signed with a key that is not trusted: for some minutes it may become so. */
export class UntrustedKeyError extends PermanentError {
  override readonly name = 'UntrustedKeyError';
}

/**
 * What the handler of a message throws when something outside is not ready for it: the message is retried later, with
 * growing delays, and others are handled meanwhile.
 */
export class RetryLater extends Error {
  /** @param reason stands in the log and, when time is up, in the dead letter: no secrets */
  constructor(reason: string) {
    super(reason);
    this.name = 'RetryLater';
  }
}

/**
 * What the handler of a message throws for content that a newer release may understand: a kind or a value that this one
 * does not know. The message waits for the upgrade: it is retried with growing delays for as long as it takes, and others
 * are handled meanwhile.
 */
export class NotUnderstood extends Error {
  /** @param reason stands in the log: no secrets */
  constructor(reason: string) {
    super(reason);
    this.name = 'NotUnderstood';
  }
}

const shortestDelay = 500;
const longestDelay = 5 * 60 * 1000;

/**
 * How long to wait before a message is retried, in milliseconds: half of its age. So the delay grows by itself, whichever
 * replica retries it, and is not reset by a restart.
 */
export function retryDelay(age: number): number {
  return Math.round(Math.min(Math.max(age / 2, shortestDelay), longestDelay));
}
