import type { Cloud } from '@sluice/contracts';
import type { Seller } from './seller.ts';

export type TaxRule = 'domestic' | 'destination' | 'reverse_charge' | 'outside';
export type LineKind = 'usage' | 'correction' | 'discount' | 'credit' | 'tax';

/** A region that had not reported all of a month, with the end of what it had reported. */
export interface Missing {
  cloud: Cloud;
  region: string;
  usage_to: string | null;
}

type Lines<Name extends string> = Record<Name, string | null>;

/** An invoice but for its lines. Amounts are exact decimals, as text. */
export interface Invoice {
  reference: string;
  month: Date;
  currency: 'USD';
  subtotal: string;
  total: string;
  tax_rule: TaxRule;
  seller: Seller;
  /** whom it is made out to */
  customer: Lines<'name' | 'company' | 'address' | 'city' | 'state' | 'postal_code' | 'country' | 'tax_id'>;
  missing: Missing[];
  issued_at: Date;
  due_at: Date;
}

export interface InvoiceLine extends Lines<
  'name' | 'division_name' | 'environment_name' | 'cloud' | 'region' | 'seconds' | 'percent'
> {
  kind: LineKind;
  month: Date | null;
  amount: string;
}
