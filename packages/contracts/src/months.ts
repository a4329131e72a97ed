/** The first moment of the month of the calendar (UTC) that `time` is in, or of a month that is `months` later. */
export const firstOfMonth = (time: Date, months = 0): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));
