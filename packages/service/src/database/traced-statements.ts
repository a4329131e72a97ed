import { beginInnerSpan, isTracing, type Span } from '@sluice/system/tracing';
import type pg from 'pg';

/** characters of a statement that are recorded */
const longestText = 500;

/** What libraries call with a statement, in one of several ways. */
type Query = (...given: unknown[]) => unknown;
type Answered = (error: Error | null, result: unknown) => void;

/**
 * Has the statements of a connection traced, as parts of the work that they are for. The span has the text of the statement, whose values are
 * parameters and are not recorded. Does nothing where nothing is traced.
 */
export function traceStatements(client: pg.ClientBase): void {
  if (!isTracing()) return;
  const run = client.query.bind(client) as Query;
  const query: Query = (...given) => {
    const span = beginInnerSpan('SQL', { kind: 'client', attributes: { 'db.system.name': 'postgresql' } });
    if (!span) return run(...given);
    describe(span, textOf(given[0]));
    const answered = given.at(-1);
    if (typeof answered !== 'function') return untilSettled(span, run(...given));
    return run(...given.slice(0, -1), (error: Error | null, result: unknown) => {
      span.end(error ?? undefined);
      (answered as Answered)(error, result);
    });
  };
  client.query = query as typeof client.query;
}

function describe(span: Span, text: string): void {
  const [word = ''] = /^\s*\w+/.exec(text) ?? [];
  if (word !== '') span.rename(`SQL ${word.trim().toUpperCase()}`);
  span.set({ 'db.query.text': text.trim().slice(0, longestText) });
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const { text } = (statement ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : '';
}

function untilSettled(span: Span, running: unknown): unknown {
  if (!(running instanceof Promise)) {
    span.end();
    return running;
  }
  return running.then(
    (result: unknown) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.end(error);
      throw error;
    },
  );
}
