/** Times at prices, and what they come to: a part of the naive program. */

/** A time at one price; cents a month by part. */
export interface Charged {
  from: number;
  to: number;
  cents: Record<string, bigint>;
}

export type Spans = [from: number, to: number][];

export const secondsPerPrice = 730n * 3600n;
export const totalOf = (cents: Record<string, bigint>) =>
  Object.values(cents).reduce((sum, part) => sum + part, 0n);

export const monthOf = (at: number): number => {
  const time = new Date(at * 1000);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth()) / 1000;
};
export const monthAfter = (at: number): number => {
  const time = new Date(at * 1000);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1) / 1000;
};

/** What was charged from one time to another, in cents a month times seconds. */
export function spentIn(charged: readonly Charged[], from: number, to: number): bigint {
  let sum = 0n;
  for (const span of charged) {
    const seconds = Math.min(span.to, to) - Math.max(span.from, from);
    if (seconds > 0) sum += BigInt(seconds) * totalOf(span.cents);
  }
  return sum;
}

export const secondsIn = (charged: readonly Charged[], from: number, to: number) =>
  charged.reduce((sum, span) => sum + Math.max(0, Math.min(span.to, to) - Math.max(span.from, from)), 0);

/** Whole cents, half up. */
export const centsOf = (centSeconds: bigint) => (centSeconds * 2n + secondsPerPrice) / (2n * secondsPerPrice);

/** What of a time is in spans. */
export const within = (span: Charged, spans: Spans): Charged[] =>
  spans
    .map(([from, to]) => ({ ...span, from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);
