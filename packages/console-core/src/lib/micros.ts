/** Sums of money, exactly: in millionths of a dollar, since prices of the API have at most ten digits and shown ones six. */

/** @throws RangeError for a text that is no decimal */
export function microsOf(amount: string): bigint {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!found) throw new RangeError(`'${amount}' is no decimal`);
  const [, sign = '', whole = '', fraction = ''] = found;
  const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
  return sign === '' ? micros : -micros;
}

/** The sum in whole cents, as the API writes amounts. */
export function dollarsOf(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const cents = (size + 5000n) / 10_000n;
  const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
  return micros < 0n && cents > 0n ? `-${text}` : text;
}

/** The part of a whole in percent, from 0 to 100. */
export const percentOf = (part: bigint, whole: bigint): number =>
  whole <= 0n ? 0 : Math.max(0, Math.min(100, Number((part * 1000n) / whole) / 10));
