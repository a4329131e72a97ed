import type pg from 'pg';

type Answered = (error: Error | null, result: pg.QueryResult) => void;
/** `client.query`, as libraries call it: awaited, with a function to call, or with a thing that submits itself. */
type Query = (statement: unknown, values?: unknown, answered?: Answered) => unknown;

/**
 * Has a connection answer through callbacks, also where its promise is awaited. The rows of pg's own promises survive the quick collections of garbage
 * by the megabyte, so that reading much in pieces takes more and more memory (docs/decisions/090-rows-that-are-soon-forgotten.md).
 */
export function answerByCallback(client: pg.ClientBase): void {
  const run = client.query.bind(client) as Query;
  const query: Query = (statement, values, answered) => {
    if (isAnswered(statement) || typeof values === 'function' || answered)
      return run(statement, values, answered);
    return new Promise<pg.QueryResult>((resolve, reject) => {
      run(statement, values, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    }).catch((error: Error) => {
      // as pg does: where it was asked, and not where the answer was read
      Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = query as typeof client.query;
}

/** Cursors and copies are their own answer. */
const isAnswered = (statement: unknown) =>
  typeof statement === 'object' &&
  statement !== null &&
  'submit' in statement &&
  typeof statement.submit === 'function';
