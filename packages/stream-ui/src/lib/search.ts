import type { StoredMessage } from '@sluice/streams';
import { jsonOf, textOf } from './payload.ts';

export type SearchKind = 'text' | 'regexp' | 'jmespath';
export type Matches = (message: StoredMessage) => boolean;
/** Whether each of some messages fits. */
export type Fits = (messages: readonly StoredMessage[]) => Promise<boolean[]>;

/** An expression is none. It has a name, since errors lose their class on the way out of a worker. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const longestExpression = 1000;
const decoder = new TextDecoder();

/** What JMESPath sees of a message. */
const searched = (message: StoredMessage) => ({
  sequence: message.sequence,
  time: message.time,
  subject: message.subject,
  size: message.size,
  // of each header the last value, and under `all_headers` all of them
  headers: Object.fromEntries(
    Object.entries(message.headers).map(([name, values]) => [name, values.at(-1) ?? '']),
  ),
  all_headers: message.headers,
  data: jsonOf(message) ?? textOf(message) ?? null,
});

/**
 * What a search finds: a text in payload, headers or subject in any case; what a regular expression of JavaScript matches there; or messages
 * for which a JMESPath expression is true. An expression of a person can take for ever: docs/decisions/175.
 * @throws ExpressionError for one that is none
 */
export async function searchOf(kind: SearchKind, expression: string): Promise<Matches> {
  if (expression.length > longestExpression)
    throw new ExpressionError(`It is too long: ${longestExpression} characters at most.`);
  if (kind === 'jmespath') return await jmespathOf(expression);
  if (kind === 'text') {
    const wanted = expression.toLowerCase();
    return (message) => parts(message).some((part) => part.toLowerCase().includes(wanted));
  }
  const pattern = orThrow(() => new RegExp(expression, 'mu'));
  return (message) => parts(message).some((part) => pattern.test(part));
}

async function jmespathOf(expression: string): Promise<Matches> {
  const { compile, TreeInterpreter } = await import('@jmespath-community/jmespath');
  const compiled = orThrow(() => compile(expression));
  return (message) => {
    try {
      return isTruth(TreeInterpreter.search(compiled, searched(message) as never));
    } catch {
      // such as a function that does not take what this message has
      return false;
    }
  };
}

function orThrow<Compiled>(compile: () => Compiled): Compiled {
  try {
    return compile();
  } catch (error) {
    throw new ExpressionError((error as Error).message);
  }
}

/** Where a text is looked for. */
const parts = (message: StoredMessage): string[] => [
  message.subject,
  ...Object.entries(message.headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`)),
  textOf(message) ?? decoder.decode(message.data),
];

/** As JMESPath has it: nothing, false, and what is empty are not true. */
function isTruth(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
