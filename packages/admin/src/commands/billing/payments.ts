import type { Command } from 'commander';
import { changes, integer } from '@sluice/terminal/options';
import type { Sql } from '@sluice/service';
import type { Admin } from '../../admin.ts';
import { between, oneLine } from '../../arguments.ts';
import { agree, endAgreement, markPaid, resume, suspend } from '../../payments.ts';

/** the longest term of an agreement */
const mostTermDays = 365;

export function payments(command: Command, admin: Admin): void {
  const tenant = ['<tenant>', 'its id', integer] as const;
  const run = (work: (sql: Sql) => Promise<string>) => admin.change(work, 'main-api');

  const agreement = command.command('agreement').description('Tenants that pay invoices, and not by card');
  changes(agreement.command('set').description('Have a tenant pay invoices so many days after their issue'))
    .argument(...tenant)
    .requiredOption(
      '--term <days>',
      'after how many days an invoice is due, such as 30',
      between(1, mostTermDays),
    )
    .action((id: number, { term }: { term: number }) => run((sql) => agree(sql, id, term, admin.isDry)));
  changes(agreement.command('end').description('End the agreement with a tenant'))
    .argument(...tenant)
    .action((id: number) => run((sql) => endAgreement(sql, id, admin.isDry)));

  changes(command.command('paid').description('Note that an invoice was paid by transfer'))
    .argument('<invoice>', 'such as INV-000042')
    .action((reference: string) => run((sql) => markPaid(sql, reference, admin.isDry)));

  changes(command.command('suspend').description('Stop the deployments of a tenant, which keep their data'))
    .argument(...tenant)
    .requiredOption('--reason <text>', 'why, for the tenant to read', oneLine)
    .action((id: number, { reason }: { reason: string }) =>
      run((sql) => suspend(sql, id, reason, admin.isDry)),
    );
  changes(command.command('resume').description('Start the deployments of a suspended tenant again'))
    .argument(...tenant)
    .action((id: number) => run((sql) => resume(sql, id, admin.isDry)));
}
