import type { PriceTerms } from '@sluice/contracts';

/** Prices under a number, which are never changed. */
export interface PriceList {
  number: number;
  terms: PriceTerms;
}
