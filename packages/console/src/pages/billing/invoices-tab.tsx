import { getRouteApi } from '@tanstack/react-router';
import type { InvoiceItem } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Money, Time } from '@sluice/ui/data.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { monthName, shownInvoice } from './invoices.ts';
import { invoicesQuery, pdfAddress } from './queries.ts';

const route = getRouteApi('/t/$tenantId/billing/invoices');

/** The invoices of the tenant, the newest first. */
export function InvoicesTab() {
  const { tenantId } = route.useParams();
  const navigate = route.useNavigate();
  const { table } = usePages(invoicesQuery(tenantId));
  return (
    <DataTable
      name="invoices"
      label="Invoices"
      {...table}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) =>
        void navigate({
          to: '/t/$tenantId/billing/invoices/$invoiceId',
          params: { tenantId, invoiceId: id },
        })
      }
      toolbar={
        <AsCode
          command={['billing', 'invoices', 'list']}
          request={{ method: 'GET', path: `/tenants/${tenantId}/billing/invoices` }}
        />
      }
      empty={
        <EmptyState title="No invoices yet">
          The invoice of a month is made in the first days of the next one.
        </EmptyState>
      }
    />
  );
}

function ReferenceLink({ invoice: { id, reference } }: { invoice: InvoiceItem }) {
  return (
    <Link
      to="/t/$tenantId/billing/invoices/$invoiceId"
      params={{ tenantId: useTenantId(), invoiceId: id }}
      className={layout.name}
    >
      {reference}
    </Link>
  );
}

function PdfLink({ invoice: { id, reference } }: { invoice: InvoiceItem }) {
  return (
    <a href={pdfAddress(useTenantId(), id)} download={`${reference}.pdf`} aria-label={`PDF of ${reference}`}>
      PDF
    </a>
  );
}

const columns: readonly Column<InvoiceItem>[] = [
  {
    id: 'reference',
    title: 'Invoice',
    isFixed: true,
    cell: (invoice) => <ReferenceLink invoice={invoice} />,
  },
  { id: 'month', title: 'Month', cell: ({ from }) => monthName(from) },
  {
    id: 'status',
    title: 'Status',
    cell: (invoice) => {
      const { kind, word } = shownInvoice(invoice, new Date());
      return <Status kind={kind}>{word}</Status>;
    },
  },
  { id: 'due', title: 'Due', wideOnly: true, cell: ({ due_at: at }) => <Time at={at} /> },
  { id: 'issued', title: 'Issued', wideOnly: true, cell: ({ issued_at: at }) => <Time at={at} /> },
  {
    id: 'total',
    title: 'Total',
    align: 'end',
    isFixed: true,
    cell: ({ total_usd: total }) => <Money amount={total} />,
  },
  { id: 'pdf', title: 'PDF', wideOnly: true, cell: (invoice) => <PdfLink invoice={invoice} /> },
];
