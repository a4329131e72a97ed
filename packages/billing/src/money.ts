import { centSecondsPerDollar, costParts, type CostPart } from '@sluice/contracts';
import { Decimal } from 'decimal.js';

/** Amounts of usage: exact until they are shown. */

const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

export const zero: Exact = new Exact(0);
export const exact = (value: Decimal.Value): Exact => new Exact(value);
export const sumOf = (amounts: Iterable<Exact>): Exact =>
  [...amounts].reduce((sum, amount) => sum.plus(amount), zero);

/** US cents a month times seconds, by the parts of the price. */
export type CentSeconds = Record<CostPart, Decimal.Value>;

export const dollarsOf = (amount: Decimal.Value): Exact => exact(amount).div(centSecondsPerDollar);
export const totalOf = (amounts: CentSeconds): Exact =>
  dollarsOf(sumOf(costParts.map((part) => exact(amounts[part]))));

/** Rounded half up, to cents. */
export const toCents = (amount: Exact): Exact => amount.toDecimalPlaces(2);
/** As answers have money that is charged. */
export const shownCents = (amount: Exact): string => amount.toFixed(2);
/** As answers have parts of it: exact to a millionth. */
export const shownExactly = (amount: Exact): string => amount.toFixed(6);

export function shownParts(amounts: CentSeconds): Record<`${CostPart}_usd`, string> {
  const parts = costParts.map((part) => [`${part}_usd`, shownExactly(dollarsOf(amounts[part]))]);
  return Object.fromEntries(parts) as Record<`${CostPart}_usd`, string>;
}

/** What a month of 730 hours costs. @param cents of a month, by the parts of the price */
export function shownMonthly(cents: Record<CostPart, Decimal.Value>): Record<`${CostPart}_usd`, string> {
  const parts = costParts.map((part) => [`${part}_usd`, shownExactly(exact(cents[part]).div(100))]);
  return Object.fromEntries(parts) as Record<`${CostPart}_usd`, string>;
}
