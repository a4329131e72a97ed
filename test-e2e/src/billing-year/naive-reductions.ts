import { monthAfter } from './charged.ts';
import type { Plan } from './plan.ts';

/** What discounts and credits take off invoices, by the plan; in cents. */

/** Of what a tenant used in a month, half up. @param cents of the whole month */
export function discountOn(
  { discounts }: Pick<Plan, 'discounts'>,
  tenant: number,
  month: number,
  cents: bigint,
) {
  const found = discounts.find(
    (one) => one.tenant === tenant && one.from <= month && (one.to === null || month < one.to),
  );
  return (cents * BigInt(found?.percent ?? 0) + 5_000n) / 10_000n;
}

/** An invoice without its credits. */
export interface Net {
  month: number;
  issuedAt: number;
  net: bigint;
}

/** What of credits each of a tenant's invoices uses up: those first that expire first, while the month of the invoice ends before they do. */
export function creditsUsed(
  { credits }: Pick<Plan, 'credits'>,
  tenant: number,
  invoices: readonly Net[],
): bigint[] {
  const left = credits
    .filter((credit) => credit.tenant === tenant)
    .map((credit) => ({ ...credit, expires: credit.expiresAt ?? Infinity, cents: BigInt(credit.cents) }))
    .toSorted((one, other) =>
      one.expires === other.expires ? one.at - other.at : one.expires < other.expires ? -1 : 1,
    );
  return invoices.map(({ month, issuedAt, net }) => {
    let used = 0n;
    for (const credit of left) {
      if (credit.at > issuedAt || credit.expires < monthAfter(month)) continue;
      const use = credit.cents < net - used ? credit.cents : net - used;
      credit.cents -= use;
      used += use;
    }
    return used;
  });
}
