import { problem } from '@sluice/service';
import { isWholeNumber } from './whole-numbers.ts';

/**
 * Checks every `…_id` of a path: digits up to 2^63-1, without leading zeros, are well-formed.
 * @throws Problem `malformed_id` for anything else
 */
export function checkPathIds(parameters: Record<string, string>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!name.endsWith('_id')) continue;
    if (!isWholeNumber(value)) {
      throw problem('malformed_id', {
        fieldIssues: [
          { path: `/path/${name}`, code: 'malformed_id', message: 'has to be an integer up to 2^63-1' },
        ],
      });
    }
  }
}

/** Whether an id can exist at all: Sluice generates ids from 1 to 2^53-1. */
export function canExist(value: string): boolean {
  return value !== '0' && Number.isSafeInteger(Number(value));
}
