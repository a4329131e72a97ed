import isoCountries from 'i18n-iso-countries';
import { z } from 'zod';

const line = z.string().trim().min(1).max(200);
const country = z.string().refine((code) => /^[A-Z]{2}$/.test(code) && isoCountries.isValid(code));

const sellerSchema = z.strictObject({
  name: line,
  /** below the name, one line each */
  address: z.array(line).min(1).max(6),
  country,
  tax_id: line.optional(),
  /** at the foot of the page: how to pay, the register, a contact */
  footer: z.array(line).max(4).default([]),
});
/** Who issues invoices. */
export type Seller = z.infer<typeof sellerSchema>;

/** Percent, by country. */
export type VatRates = Partial<Record<string, number>>;
const ratesSchema = z.record(country, z.number().min(0).max(100).multipleOf(0.01));

/** A setting that is JSON. */
const jsonSetting = <Schema extends z.ZodType>(schema: Schema, form: string) =>
  z.string().transform((text, context): z.output<Schema> => {
    const result = schema.safeParse(parsed(text));
    if (result.success) return result.data;
    const places = result.error.issues.map(({ path }) => path.join('.')).filter(Boolean);
    const where = places.length > 0 ? `; look at ${places.join(', ')}` : '';
    context.addIssue({ code: 'custom', message: `has to be JSON: ${form}${where}` });
    return z.NEVER;
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The settings of the company that issues invoices. */
export const invoiceSettings = {
  BILLING_SELLER: jsonSetting(sellerSchema, '{name, address: [lines], country, tax_id?, footer?: [lines]}')
    .optional()
    .describe(
      'who issues invoices, as JSON: {name, address: [lines], country, tax_id?, footer?: [lines]}; without it there are none',
    ),
  BILLING_VAT_RATES: jsonSetting(ratesSchema, '{country: percent}')
    .prefault('{}')
    .describe(
      "value-added tax in percent by country (ISO 3166-1 alpha-2), as JSON; the seller's rate where a country has none",
    ),
  BILLING_TERM_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(365)
    .default(30)
    .describe('days until an invoice is due'),
  BILLING_NUMBER_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9/_-]{0,20}$/)
    .default('INV-')
    .describe('what stands before the number of an invoice'),
};

/** What invoices are issued with. */
export interface InvoiceTerms {
  seller: Seller;
  vatRates: VatRates;
  termDays: number;
  prefix: string;
  /** US dollars: the least that the payment provider charges */
  leastCharge: string;
}

/** Undefined where no invoices are issued. @param provider null: no card is charged */
export function invoiceTermsOf(
  settings: {
    BILLING_SELLER?: Seller | undefined;
    BILLING_VAT_RATES: VatRates;
    BILLING_TERM_DAYS: number;
    BILLING_NUMBER_PREFIX: string;
  },
  provider: { leastCharge: string } | null,
): InvoiceTerms | undefined {
  const { BILLING_SELLER: seller, BILLING_VAT_RATES: vatRates } = settings;
  return (
    seller && {
      ...{ seller, vatRates },
      ...{ termDays: settings.BILLING_TERM_DAYS, prefix: settings.BILLING_NUMBER_PREFIX },
      leastCharge: provider?.leastCharge ?? '0',
    }
  );
}
