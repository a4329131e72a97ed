import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { BillingInfo, Invoice, InvoiceLine } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button, buttonClass } from '@sluice/ui/button.tsx';
import { actionsColumn } from '@sluice/ui/columns.tsx';
import { Card, DescriptionList, Money, Time } from '@sluice/ui/data.tsx';
import { ErrorState, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { Intervals } from './intervals.tsx';
import { lineText, monthName, shownInvoice } from './invoices.ts';
import { invoiceLinesQuery, invoiceQuery, pdfAddress } from './queries.ts';
import styles from './billing.module.css';

const route = getRouteApi('/t/$tenantId/billing/invoices/$invoiceId');

/** One invoice, down to the intervals of its lines. */
export function InvoiceTab() {
  const { tenantId, invoiceId } = route.useParams();
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(tenantId, invoiceId));
  return (
    <div className={layout.stack}>
      <p>
        <Link to="/t/$tenantId/billing/invoices" params={{ tenantId }}>
          All invoices
        </Link>
      </p>
      {invoice ? (
        <Opened tenantId={tenantId} invoice={invoice} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={8} />
      )}
    </div>
  );
}

function Opened({ tenantId, invoice }: { tenantId: number; invoice: Invoice }) {
  const { id, reference, paid_at: paid, due_at: due, missing } = invoice;
  const { kind, word } = shownInvoice(invoice, new Date());
  return (
    <>
      <Card
        title={`Invoice ${reference}`}
        actions={
          <span className={layout.row}>
            <AsCode
              command={['billing', 'invoices', 'show', reference]}
              request={{ method: 'GET', path: `/tenants/${tenantId}/billing/invoices/${id}` }}
            />
            <a
              className={buttonClass('plain', 'small')}
              href={pdfAddress(tenantId, id)}
              download={`${reference}.pdf`}
            >
              Download the PDF
            </a>
          </span>
        }
      >
        <div className={layout.pair}>
          <DescriptionList
            items={[
              ['Month', monthName(invoice.from)],
              [
                'Status',
                <Status key="status" kind={kind}>
                  {word}
                </Status>,
              ],
              paid === null ? ['Due', <Time key="due" at={due} />] : ['Paid', <Time key="paid" at={paid} />],
              ['Issued', <Time key="issued" at={invoice.issued_at} isExact />],
            ]}
          />
          <DescriptionList
            items={[
              ['From', invoice.seller.name],
              ['To', customerText(invoice.customer)],
              ['Tax', taxText(invoice)],
            ]}
          />
        </div>
      </Card>
      {missing.length > 0 && (
        <PartialState>
          {missing.map(({ region }) => region).join(', ')} had not reported all usage of the month. What comes
          later is corrected on a later invoice.
        </PartialState>
      )}
      <Lines tenantId={tenantId} invoice={invoice} />
    </>
  );
}

const customerText = ({ company, name, address, city, country }: BillingInfo) =>
  [company, name, address, city, country].filter((part) => part !== null && part !== '').join(', ') ||
  'nobody named yet';

const taxRules = {
  domestic: 'that of the seller’s country',
  destination: 'that of the country of the customer',
  reverse_charge: 'the customer accounts for it',
  outside: 'none',
} as const;

const taxText = ({ tax: { rule, country, rate } }: Invoice) =>
  rule === 'domestic' || rule === 'destination'
    ? `${rate} % (${country}), ${taxRules[rule]}`
    : taxRules[rule];

function Lines({ tenantId, invoice }: { tenantId: number; invoice: Invoice }) {
  const { table } = usePages(invoiceLinesQuery(tenantId, invoice.id));
  const [opened, setOpened] = useState<InvoiceLine>();
  const columns = useMemo(() => columnsOf(setOpened), []);
  return (
    <Card title="Lines" flush>
      <DataTable
        name="invoice-lines"
        label="Lines of the invoice"
        {...table}
        columns={columns}
        rowKey={({ n }) => n}
        onOpen={(line) => hasIntervals(line) && setOpened(line)}
        isBare

        empty={<p className={layout.pad}>It has no lines: nothing was used.</p>}
      />
      <dl className={styles.totals}>
        <dt>Subtotal</dt>
        <dd>
          <Money amount={invoice.subtotal_usd} />
        </dd>
        <dt>Discount</dt>
        <dd>
          <Money amount={invoice.discount_usd} />
        </dd>
        <dt>Credit</dt>
        <dd>
          <Money amount={invoice.credit_usd} />
        </dd>
        <dt>Tax</dt>
        <dd>
          <Money amount={invoice.tax_usd} />
        </dd>
        <dt>Total</dt>
        <dd>
          <Money amount={invoice.total_usd} />
        </dd>
      </dl>
      {opened && (
        <Intervals tenantId={tenantId} invoice={invoice} line={opened} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  );
}

/** Lines of usage are made of intervals. */
const hasIntervals = ({ deployment }: InvoiceLine) => deployment !== undefined;

const columnsOf = (onOpen: (line: InvoiceLine) => void): readonly Column<InvoiceLine>[] => [
  {
    id: 'about',
    title: 'About',
    isFixed: true,
    cell: (line) => <span className={layout.name}>{lineText(line)}</span>,
  },
  { id: 'region', title: 'Region', wideOnly: true, cell: ({ region }) => region ?? '–' },
  {
    id: 'ran',
    title: 'Ran',
    align: 'end',
    wideOnly: true,
    cell: ({ seconds }) => (seconds === undefined ? '–' : durationText(seconds * 1000)),
  },
  {
    id: 'amount',
    title: 'Amount',
    align: 'end',
    isFixed: true,
    cell: ({ amount_usd: amount }) => <Money amount={amount} />,
  },
  actionsColumn(
    (line) =>
      hasIntervals(line) && (
        <Button size="small" onPress={() => onOpen(line)}>
          Intervals
        </Button>
      ),
  ),
];
