/** Months of the calendar (UTC), by their first moments. */

/** The same day and time, months later; where that month is shorter, some days after its end. */
export function monthsAfter(time: Date, months: number): Date {
  const later = new Date(time);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later;
}

export const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * 86_400_000);

/** The number of a month's report, such as 202611. */
export const reportIdOf = (month: Date) => month.getUTCFullYear() * 100 + month.getUTCMonth() + 1;

/** The month of a report; undefined for a number that is none. */
export function monthOfReport(id: number): Date | undefined {
  const [year, month] = [Math.floor(id / 100), id % 100];
  return month >= 1 && month <= 12 ? new Date(Date.UTC(year, month - 1)) : undefined;
}

/** As people read it, such as `November 2026`. */
export const monthName = (month: Date) => monthFormat.format(month);
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
