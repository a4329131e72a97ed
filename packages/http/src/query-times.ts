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
  const { instant, isWithin } = read(parameter, text);
  return isWithin ? millisecondAfter(instant) : instant;
}

/** The first whole millisecond that is later than an instant of a query. @throws Problem `invalid_request` */
export const firstAfter = (parameter: string, text: string): Date =>
  millisecondAfter(read(parameter, text).instant);

const millisecondAfter = (instant: Date) => new Date(instant.getTime() + 1);

/** The whole millisecond, and whether the instant lies behind its beginning. */
function read(parameter: string, text: string): { instant: Date; isWithin: boolean } {
  if (date.safeParse(text).success) return { instant: new Date(`${text}T00:00:00Z`), isWithin: false };
  if (!time.safeParse(text).success) {
    const message = 'has to be an ISO 8601 date, or a time with `Z` or an offset';
    throw problem('invalid_request', {
      fieldIssues: [{ path: `/query/${parameter}`, code: 'wrong_format', message }],
    });
  }
  return { instant: new Date(text), isWithin: /\.\d{3}\d*[1-9]/.test(text) };
}
