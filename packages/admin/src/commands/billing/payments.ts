import { changes, integer } from '@sluice/terminal/options';
import type { Command } from 'commander';
import type { Admin } from '../../admin.ts';
import { between, oneLine } from '../../arguments.ts';
import {
  changeTenant,
  endAgreement,
  payInvoice,
  resume,
  setAgreement,
  suspend,
  type TenantChange,
} from '../../billing/payments.ts';

/** the longest term of an agreement */
const mostTermDays = 365;

/** `sluice-admin billing agreement`, `paid`, `suspend` and `resume` */
export function payments(command: Command, admin: Admin): void {
  const agreement = command.command('agreement').description('Tenants that pay by invoice, and not by card.');
  const add = (parent: Command, verb: string, description: string) =>
    changes(parent.command(verb).description(description)).argument('<tenant>', 'its id', integer);
  const change = (id: number, apply: TenantChange) =>
    admin.withDatabase(async (sql) => admin.say(await changeTenant(sql, id, apply, admin.isDry)), 'main-api');

  add(agreement, 'set', 'Have a tenant pay by invoice')
    .requiredOption('--term <days>', 'how long after its issue an invoice is due', between(0, mostTermDays))
    .action((id: number, { term }: { term: number }) => change(id, setAgreement(term)));

  add(agreement, 'end', 'End the agreement').action((id: number) => change(id, endAgreement));

  changes(command.command('paid').description('Record that an invoice was paid by transfer'))
    .argument('<invoice>', 'such as INV-000042')
    .action((reference: string) =>
      admin.withDatabase(async (sql) => admin.say(await payInvoice(sql, reference, admin.isDry)), 'main-api'),
    );

  add(command, 'suspend', 'Stop the deployments of a tenant, which keep their data, and let it create none')
    .requiredOption('--reason <text>', 'what the tenant reads of it', oneLine)
    .action((id: number, { reason }: { reason: string }) => change(id, suspend(reason)));

  add(command, 'resume', 'Start them again').action((id: number) => change(id, resume));
}
