import type { Sql } from '@sluice/service';
import type { AskedOf } from './arguments.ts';
import { alignedRows } from './table.ts';
import { untilDone } from './until-done.ts';
import { UsageError } from './usage.ts';

/** Months that main-api closes when it is asked to, and the invoices that it has issued. */

interface Draft {
  tenant_id: number;
  month: string;
  missing: { cloud: string; region: string }[];
  subtotal: string;
  discount: string;
  credit: string;
  tax: string;
  total: string;
}

interface Closed {
  invoices: number;
  drafts?: Draft[];
}

/**
 * Has main-api issue the invoices of a month and those before, whatever regions have not reported; or say what it would issue.
 * @throws UsageError when the month is not over, or main-api issues no invoices
 */
export async function closeMonth(
  sql: Sql,
  { names, month, dryRun, json }: AskedOf<'billing'>,
): Promise<string> {
  if (names.length > 0) throw new UsageError(`'billing close' takes no '${names[0]}'.`);
  if (!month) throw new UsageError('Say which month: --month 2026-11.');
  const [asked] = await sql.query<{ id: number }>(
    'INSERT INTO closing_requests (month, dry_run) VALUES ($1, $2) RETURNING id',
    [month, dryRun],
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
  if (!result) return 'main-api has not done it yet; it does so when it runs, if it has BILLING_SELLER.';
  if ('refused' in result) throw new UsageError(result.refused);
  if (json) return JSON.stringify(result, null, 2);
  if (!dryRun) return `${result.invoices} invoices are issued.`;
  const rows = (result.drafts ?? []).map((draft) => [
    ...[
      `tenant ${draft.tenant_id}`,
      draft.month.slice(0, 7),
      `${draft.subtotal} - ${draft.discount} discount`,
    ],
    ...[`- ${draft.credit} credit`, `+ ${draft.tax} tax`, `= ${draft.total} USD`],
    draft.missing.map(({ cloud, region }) => `${cloud}/${region} is behind`).join(', '),
  ]);
  return [
    `${result.invoices} invoices would be issued next.`,
    ...(rows.length > 0 ? [alignedRows(rows)] : []),
  ].join('\n');
}

const exported = [
  ...(['reference', 'number', 'tenant_id', 'month', 'currency', 'subtotal', 'discount', 'credit'] as const),
  ...(['tax', 'total', 'tax_rule', 'tax_country', 'tax_rate'] as const),
  ...(['customer', 'customer_country', 'customer_tax_id', 'issued_at', 'due_at', 'paid_at'] as const),
];
type Exported = Record<(typeof exported)[number], string | number | null>;

/** invoices that are in memory at a time */
const batch = 1_000;

/** The invoices of a month, or all of them, as CSV for accounting. */
export async function exportInvoices(sql: Sql, { names, month }: AskedOf<'billing'>): Promise<string> {
  if (names.length > 0) throw new UsageError(`'billing export' takes no '${names[0]}'.`);
  const lines = [exported.join(',')];
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
    lines.push(...rows.map((row) => exported.map((name) => field(row[name])).join(',')));
    const last = rows.at(-1);
    if (!last) return lines.join('\n');
    after = Number(last.number);
  }
}

/** A field of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
function field(value: string | number | null): string {
  const text = typeof value === 'string' && /^[=+@\t-]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
