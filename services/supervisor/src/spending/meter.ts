import { firstOfMonth, hoursPerMonth } from '@sluice/contracts';
/** What a deployment has cost in a month of the calendar (UTC), counted by the second. */
export interface Meter {
  /** the first moment of the month */
  month: Date;
  /** what was counted until `meteredTo`: cents a month times seconds, which is exact */
  centSeconds: number;
  meteredTo: Date;
  /** the price that runs since then; 0 while nothing does */
  monthlyCents: number;
}

export const secondsPerPrice = hoursPerMonth * 3600;

/** Begins with the next whole second: so do all that follow. */
export function newMeter(now: Date): Meter {
  const meteredTo = new Date(Math.ceil(now.getTime() / 1000) * 1000);
  return { month: firstOfMonth(now), centSeconds: 0, meteredTo, monthlyCents: 0 };
}

/** Counts what has run until now. A clock that has gone back, such as another replica's, counts nothing twice. */
export function advanced(meter: Meter, now: Date): Meter {
  const month = firstOfMonth(now);
  const isNewMonth = month > meter.month;
  const from = isNewMonth ? month : meter.meteredTo;
  // what is left of a second is counted with the next
  const seconds = Math.max(0, Math.floor((now.getTime() - from.getTime()) / 1000));
  const before = isNewMonth ? 0 : meter.centSeconds;
  return {
    month: isNewMonth ? month : meter.month,
    centSeconds: before + seconds * meter.monthlyCents,
    meteredTo: new Date(from.getTime() + seconds * 1000),
    monthlyCents: meter.monthlyCents,
  };
}

/** In US cents. */
export const spentCents = ({ centSeconds }: Meter) => centSeconds / secondsPerPrice;

/** months of which one has 31 days */
const monthsAhead = 3;

/** When the cost of a month is as much as the limit, if nothing changes; null: never. */
export function reachesAt(meter: Meter, limitCents: number): Date | null {
  const { month, centSeconds, meteredTo, monthlyCents } = meter;
  if (monthlyCents === 0) return null;
  const after = (from: Date, left: number) =>
    new Date(from.getTime() + Math.ceil(Math.max(0, left) / monthlyCents) * 1000);
  const whole = limitCents * secondsPerPrice;
  const thisMonth = after(meteredTo, whole - centSeconds);
  if (thisMonth < firstOfMonth(month, 1)) return thisMonth;
  for (let ahead = 1; ahead <= monthsAhead; ahead++) {
    const at = after(firstOfMonth(month, ahead), whole);
    if (at < firstOfMonth(month, ahead + 1)) return at;
  }
  return null;
}
