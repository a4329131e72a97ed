import type { FieldIssue } from '@sluice/contracts';
import type { OperationObject } from './openapi/document.ts';

const largest = 2n ** 63n - 1n;

/** Whether text is a number as paths and queries have them: decimal digits alone, up to 2^63-1. */
export function isWholeNumber(text: string): boolean {
  return /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= largest;
}

interface Parameter {
  name: string;
  in: string;
  schema?: { type?: unknown };
}

/**
 * The parameters of a query that have to be integers and are written in another way. The validator would take 1e2, 0x10 and
 * an empty text for numbers, too.
 * @param operation with all references resolved
 */
export function malformedNumbers(query: object, operation: OperationObject): FieldIssue[] {
  const given = query as Record<string, unknown>;
  const integers = ((operation.parameters ?? []) as Parameter[]).filter(
    (parameter) => parameter.in === 'query' && parameter.schema?.type === 'integer',
  );
  return integers.flatMap(({ name }) => {
    const value = given[name];
    if (typeof value !== 'string' || value === '' || isWholeNumber(value)) return [];
    return { path: `/query/${name}`, code: 'wrong_type', message: 'has to be digits alone, up to 2^63-1' };
  });
}
