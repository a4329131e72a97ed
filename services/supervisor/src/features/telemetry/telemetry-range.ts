import { queryInstant } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Resolution } from '../../stores/telemetry.store.ts';

/** What a query says of time. */
export interface TimeQuery {
  from?: string;
  to?: string;
}

export interface Range {
  from: Date;
  /** not included */
  to: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/**
 * The range that a query asks for, as far as there is anything: until now, and `defaultMilliseconds` before that when it says nothing.
 * @param since from which time on anything is shown
 * @throws Problem `invalid_request` for what is no time, or when `to` is before `from`
 */
export function rangeOf(query: TimeQuery, since: Date, now: Date, defaultMilliseconds: number): Range {
  // what is told at this moment belongs to the range
  const latest = new Date(now.getTime() + 1);
  const to = query.to === undefined ? latest : queryInstant('to', query.to);
  const from =
    query.from === undefined
      ? new Date(to.getTime() - defaultMilliseconds)
      : queryInstant('from', query.from);
  if (from > to) {
    throw problem('invalid_request', {
      fieldIssues: [{ path: '/query/to', code: 'too_small', message: 'has to be `from` or later' }],
    });
  }
  return { from: from < since ? since : from, to: to < latest ? to : latest };
}

export const lastHour = hour;
export const lastDay = day;

/**
 * What an entry of a range covers, so that each thing that is watched has hundreds of entries and not thousands.
 * @param sampleDays for how many days each sample is kept
 */
export function resolutionOf({ from, to }: Range, now: Date, sampleDays: number): Resolution {
  const length = to.getTime() - from.getTime();
  const isSampled = now.getTime() - from.getTime() < sampleDays * day - day;
  if (length <= 2 * hour + 1 && isSampled) return 0;
  if (length <= 2 * day + 1) return 300;
  return length <= 31 * day + 1 ? 3_600 : 86_400;
}
