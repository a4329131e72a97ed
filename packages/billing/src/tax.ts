import type { Seller, VatRates } from './seller.ts';
import type { TaxRule } from './invoice.ts';

const euCountries = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

export interface Tax {
  rule: TaxRule;
  country: string;
  /** percent */
  rate: number;
}

/**
 * The value-added tax of an invoice (directive 2006/112/EC, articles 44, 58 and 196): in the seller's country its rate; in another country of the
 * EU none for a customer with a tax id, who accounts for it, and otherwise that country's rate; elsewhere none. A customer without
 * a country is taken for one of the seller's.
 */
export function taxOf(
  seller: Pick<Seller, 'country'>,
  rates: VatRates,
  customer: { country: string | null; tax_id: string | null },
): Tax {
  const country = customer.country ?? seller.country;
  const home = rates[seller.country] ?? 0;
  if (country === seller.country) return { rule: 'domestic', country, rate: home };
  if (!euCountries.has(seller.country) || !euCountries.has(country))
    return { rule: 'outside', country, rate: 0 };
  if (customer.tax_id !== null) return { rule: 'reverse_charge', country, rate: 0 };
  return { rule: 'destination', country, rate: rates[country] ?? home };
}
