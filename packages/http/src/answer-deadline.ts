import { type Log, problem, currentContext } from '@sluice/service';

/** How long requests may take in all. */
export interface AnswerDeadline {
  /** from the first check of the caller to the answer; streams are limited until they begin */
  seconds: number;
  log: Log;
}

/**
 * Waits for `answer` until the deadline. After it the request's unit of work commits nothing (`refuseAfterDeadline`).
 * A commit that had begun by then may still succeed.
 * @throws Problem `deadline_exceeded`
 */
export async function withinDeadline<T>(
  { seconds, log }: AnswerDeadline,
  answer: () => Promise<T>,
): Promise<T> {
  const context = currentContext();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const answered = answer();
  const timer = setTimeout(() => {
    if (context) context.isPastDeadline = true;
    const ended = (outcome: string) => log.warn('a request ended after its deadline', { outcome });
    answered.then(
      () => ended('answered'),
      () => ended('failed'),
    );
    reject(problem('deadline_exceeded'));
  }, seconds * 1000);
  try {
    return await Promise.race([answered, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
