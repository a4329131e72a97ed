import { problem } from '../problem.ts';

const largest = 2n ** 63n - 1n;

/**
 * Checks every `…_id` of a path: digits up to 2^63-1 are well-formed.
 * @throws Problem `malformed_id` for anything else
 */
export function checkPathIds(parameters: Record<string, string>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!name.endsWith('_id')) continue;
    if (!/^\d{1,19}$/.test(value) || BigInt(value) > largest) {
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
