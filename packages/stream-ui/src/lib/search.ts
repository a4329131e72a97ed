import { ShownError } from '@sluice/ui/lib/problems.ts';
import type { StoredMessage } from '@sluice/streams';
import { jsonOf, textOf } from './payload.ts';

export type SearchKind = 'text' | 'jmespath';
export type Matches = (message: StoredMessage) => boolean;

const longestExpression = 1000;
const decoder = new TextDecoder();

/** What expressions see of a message. */
export const searched = (message: StoredMessage) => ({
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
 * What a search finds: a text in payload, headers or subject in any case, or messages for which a JMESPath expression is true.
 * @throws ShownError for an expression that is none
 */
export async function searchOf(kind: SearchKind, expression: string): Promise<Matches> {
  if (expression.length > longestExpression)
    throw new ShownError('long_expression', 'The expression is too long', `${longestExpression} at most.`);
  if (kind === 'text') {
    const wanted = expression.toLowerCase();
    return (message) => textParts(message).some((part) => part.toLowerCase().includes(wanted));
  }
  const { compile, TreeInterpreter } = await import('@jmespath-community/jmespath');
  let compiled: ReturnType<typeof compile>;
  try {
    compiled = compile(expression);
  } catch (error) {
    throw new ShownError('no_expression', 'This is no JMESPath expression', (error as Error).message);
  }
  return (message) => {
    try {
      return isTruth(TreeInterpreter.search(compiled, searched(message) as never));
    } catch {
      // such as a function that does not take what this message has
      return false;
    }
  };
}

function* parts(message: StoredMessage): Generator<string> {
  yield message.subject;
  for (const [name, values] of Object.entries(message.headers))
    for (const value of values) yield `${name}: ${value}`;
  yield textOf(message) ?? decoder.decode(message.data);
}
const textParts = (message: StoredMessage) => [...parts(message)];

/** As JMESPath has it: nothing, false, and what is empty are not true. */
function isTruth(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
