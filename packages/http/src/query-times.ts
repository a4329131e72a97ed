import { z } from 'zod';
import { problem } from '@sluice/service';

const date = z.iso.date();
const time = z.iso.datetime({ offset: true });

/**
 * Reads an instant of a query: an ISO 8601 time with `Z` or an offset, or a date, which is its midnight in UTC. What is stored has
 * whole milliseconds, so one within a millisecond means the same as the next whole one.
 * @throws Problem `invalid_request`
 */
export function queryInstant(parameter: string, text: string): Date {
  if (date.safeParse(text).success) return new Date(`${text}T00:00:00Z`);
  if (!time.safeParse(text).success) {
    const message = 'has to be an ISO 8601 date, or a time with `Z` or an offset';
    throw problem('invalid_request', {
      fieldIssues: [{ path: `/query/${parameter}`, code: 'wrong_format', message }],
    });
  }
  const millisecond = new Date(text);
  const isWithin = /\.\d{3}\d*[1-9]/.test(text);
  return isWithin ? new Date(millisecond.getTime() + 1) : millisecond;
}
