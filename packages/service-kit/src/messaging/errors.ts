/** What the handler of a message throws when no later attempt can succeed: the message is put aside at once. */
export class PermanentError extends Error {
  /** @param reason stands in the log and in the dead letter: no secrets */
  constructor(reason: string) {
    super(reason);
    this.name = 'PermanentError';
  }
}

/**
 * What the handler of a message throws when something outside is not ready for it: the message is tried again later,
 * with growing pauses, and others are handled meanwhile.
 */
export class RetryLater extends Error {
  /** @param reason stands in the log and, when time is up, in the dead letter: no secrets */
  constructor(reason: string) {
    super(reason);
    this.name = 'RetryLater';
  }
}

const shortestPause = 500;
const longestPause = 5 * 60 * 1000;

/**
 * How long to wait before a message is tried again: half of its age. So pauses grow by themselves, whichever replica
 * tries it, and a restart does not begin anew. All in milliseconds.
 */
export function pauseAt(age: number): number {
  return Math.round(Math.min(Math.max(age / 2, shortestPause), longestPause));
}
