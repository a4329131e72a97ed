import type { Invoice, InvoiceLine, UsageInterval } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { dollarsOf, microsOf } from '@sluice/console-core/lib/micros.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Money, Time } from '@sluice/ui/data.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { lineText } from './invoices.ts';
import { intervalsQuery } from './queries.ts';

interface IntervalsProps {
  tenantId: number;
  invoice: Invoice;
  line: InvoiceLine;
  onClose: () => void;
}

/** The times at one price each that a line of an invoice is made of. */
export function Intervals({ tenantId, invoice: { id, reference }, line, onClose }: IntervalsProps) {
  const { table } = usePages(intervalsQuery(tenantId, id, line.n));
  return (
    <Dialog
      title={lineText(line)}
      isOpen
      wide
      onOpenChange={(isOpen) => !isOpen && onClose()}
      buttons={(close) => (
        <Button kind="primary" onPress={close}>
          Close
        </Button>
      )}
    >
      <p>Each line is a time in which it ran at one price. “A month” is what 730 hours at that price cost.</p>
      <DataTable
        name="intervals"
        label="Intervals of the line"
        {...table}
        columns={columns}
        rowKey={({ from, to }) => `${from} ${to}`}
        toolbar={
          <AsCode
            command={['billing', 'invoices', 'intervals', reference, String(line.n)]}
            request={{
              method: 'GET',
              path: `/tenants/${tenantId}/billing/invoices/${id}/lines/${line.n}/intervals`,
            }}
          />
        }
        empty={<EmptyState title="It has no intervals" />}
      />
    </Dialog>
  );
}

const monthOf = ({ month }: UsageInterval) =>
  dollarsOf(Object.values(month).reduce((sum, part) => sum + microsOf(part), 0n));

const columns: readonly Column<UsageInterval>[] = [
  { id: 'from', title: 'From', isFixed: true, cell: ({ from }) => <Time at={from} isExact /> },
  { id: 'ran', title: 'Ran', align: 'end', cell: ({ seconds }) => durationText(seconds * 1000) },
  {
    id: 'shape',
    title: 'Size',
    wideOnly: true,
    cell: ({ nodes, tier, storage_size: size }) => `${nodes} × ${tier}${size === null ? '' : `, ${size} GB`}`,
  },
  {
    id: 'month',
    title: 'A month',
    align: 'end',
    wideOnly: true,
    cell: (interval) => <Money amount={monthOf(interval)} />,
  },
  {
    id: 'total',
    title: 'Cost',
    align: 'end',
    isFixed: true,
    cell: ({ total_usd: total }) => <Money amount={dollarsOf(microsOf(total))} />,
  },
];
