import type { Command } from 'commander';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { changes } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Admin } from '../../admin.ts';
import { month as monthOf } from '../../arguments.ts';
import { closeMonth, exportInvoices, type Closed, type Draft } from '../../billing-invoices.ts';

export function invoices(command: Command, admin: Admin): void {
  changes(
    command.command('close').description('Issue the invoices of a month that is over, and of those before'),
  )
    .requiredOption('--month <month>', 'such as 2026-11', monthOf)
    .action(({ month }: { month: Date }) =>
      admin.withDatabase(async (sql) => {
        const closed = await closeMonth(sql, month, admin.isDry);
        if (!closed)
          return admin.say(
            'main-api has not done it yet; it does so when it runs, if it has BILLING_SELLER.',
          );
        if (!admin.output.isForPeople) await admin.output.value(closed);
        else if (closed.drafts && closed.drafts.length > 0) await admin.output.list(closed.drafts, view);
        if (admin.output.isForPeople)
          admin.say(`${closed.invoices} invoices ${admin.isDry ? 'would be issued next' : 'are issued'}.`);
        refuseFailed(closed);
      }, 'main-api'),
    )
    .addHelpText('after', '\nIt does not wait for regions that have not reported all usage.');

  command
    .command('export')
    .description('Write invoices as CSV, for accounting')
    .option('--month <month>', 'such as 2026-11; by default all', monthOf)
    .action(({ month }: { month?: Date }) =>
      admin.withDatabase(async (sql) => {
        for await (const piece of exportInvoices(sql, month)) await admin.output.raw(piece);
      }, 'main-api'),
    );
}

function refuseFailed({ failed = [] }: Closed): void {
  if (failed.length === 0) return;
  throw new CliError({
    exitCode: exitCodes.partlyApplied,
    message: `Invoices of these tenants could not be made: ${failed.join(', ')}.`,
    next: "The log of main-api says why ('an invoice could not be issued').",
  });
}

const view: View<Draft> = {
  columns: [
    { header: 'TENANT', value: ({ tenant_id }) => tenant_id },
    { header: 'MONTH', value: ({ month }) => month.slice(0, 'yyyy-mm'.length) },
    { header: 'SUBTOTAL', value: ({ subtotal }) => subtotal },
    { header: 'DISCOUNT', value: ({ discount }) => discount },
    { header: 'CREDIT', value: ({ credit }) => credit },
    { header: 'TAX', value: ({ tax }) => tax },
    { header: 'TOTAL USD', value: ({ total }) => total },
    {
      header: 'BEHIND',
      value: ({ missing }) => missing.map(({ cloud, region }) => `${cloud}/${region}`).join(', '),
    },
  ],
  name: ({ tenant_id }) => `${tenant_id}`,
};
