import type { Sql } from '@sluice/service';
import { conflict } from '@sluice/terminal/errors';
import { untilDone } from './until-done.ts';

/** Months that main-api closes when it is asked to, and the invoices that it has issued. */

export interface Draft {
  tenant_id: number;
  month: string;
  missing: { cloud: string; region: string }[];
  subtotal: string;
  discount: string;
  credit: string;
  tax: string;
  total: string;
}

export interface Closed {
  invoices: number;
  drafts?: Draft[];
  /** tenants whose invoice could not be made, at most 1,000; an older main-api does not say it */
  failed?: number[];
}

/**
 * Has main-api issue the invoices of a month and those before, also where regions have not reported; or say what it would issue.
 * @returns undefined when main-api has not done it yet
 * @throws CliError when the month is not over, or main-api issues no invoices
 */
export async function closeMonth(sql: Sql, month: Date, isDry: boolean): Promise<Closed | undefined> {
  const [asked] = await sql.query<{ id: number }>(
    'INSERT INTO closing_requests (month, dry_run) VALUES ($1, $2) RETURNING id',
    [month, isDry],
  );
  await sql.query("SELECT pg_notify('closing_requests', '')");
  const look = async () =>
    (
      await sql.query<{ result: Closed | { refused: string } }>(
        'SELECT result FROM closing_requests WHERE id = $1 AND done_at IS NOT NULL',
        [asked?.id],
      )
    )[0]?.result;
  const result = await untilDone(look, (found) => found !== undefined);
  if (result && 'refused' in result) throw conflict(result.refused);
  return result;
}

const exported = [
  ...(['reference', 'number', 'tenant_id', 'month', 'currency', 'subtotal', 'discount', 'credit'] as const),
  ...(['tax', 'total', 'tax_rule', 'tax_country', 'tax_rate'] as const),
  ...(['customer', 'customer_country', 'customer_tax_id', 'issued_at', 'due_at', 'paid_at'] as const),
];
type Exported = Record<(typeof exported)[number], string | number | null>;

/** invoices that are in memory at a time */
const batch = 1_000;

/** The invoices of a month, or all of them, as CSV for accounting. @returns pieces of whole lines */
export async function* exportInvoices(sql: Sql, month: Date | undefined): AsyncGenerator<string> {
  yield `${exported.join(',')}\n`;
  for (let after = 0; ;) {
    const rows = await sql.query<Exported>(
      `SELECT i.*, to_char(month AT TIME ZONE 'UTC', 'YYYY-MM') AS month, ${['issued_at', 'due_at', 'paid_at']
        .map((name) => `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ${name}`)
        .join(', ')},
         coalesce(customer ->> 'company', customer ->> 'name') AS customer, customer ->> 'country' AS customer_country,
         customer ->> 'tax_id' AS customer_tax_id
       FROM invoices i WHERE number > $1 AND ($2::timestamptz IS NULL OR i.month = $2) ORDER BY number LIMIT ${batch}`,
      [after, month ?? null],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => `${exported.map((name) => field(row[name])).join(',')}\n`).join('');
    after = Number(last.number);
  }
}

/** A field of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
function field(value: string | number | null): string {
  const text = typeof value === 'string' && /^[=+@\t-]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
