import { InvalidArgumentError, type Command } from 'commander';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Sql } from '@sluice/service';
import type { Admin } from '../../admin.ts';
import { instant, month as monthOf, oneLine } from '../../arguments.ts';
import { closeMonth, exportInvoices, type Draft } from '../../billing-invoices.ts';
import {
  endDiscount,
  giveCredit,
  giveDiscount,
  listCredits,
  listDiscounts,
  withdrawCredit,
  type Credit,
  type Discount,
} from '../../billing-reductions.ts';

export function invoices(command: Command, admin: Admin): void {
  changes(command.command('close').description('Issue the invoices until a month, whatever regions have not reported'))
    .requiredOption('--month <month>', 'such as 2026-11; it has to be over', monthOf)
    .action(({ month }: { month: Date }) =>
      admin.withDatabase(async (sql) => {
        const closed = await closeMonth(sql, month, admin.isDry);
        if (!admin.output.isForPeople) return await admin.output.value(closed);
        if (closed.drafts && closed.drafts.length > 0) await admin.output.list(closed.drafts, draftsView);
        admin.say(`${closed.invoices} invoices ${admin.isDry ? 'would be issued next' : 'are issued'}.`);
      }, 'main-api'),
    );
  command
    .command('export')
    .description('Write invoices as CSV, for accounting')
    .option('--month <month>', 'those of one, such as 2026-11', monthOf)
    .action(({ month }: { month?: Date }) =>
      admin.withDatabase(async (sql) => {
        for await (const lines of exportInvoices(sql, month)) admin.io.stdout.write(lines);
      }, 'main-api'),
    );
  credits(command.command('credit').description('Amounts that later invoices of a tenant use up'), admin);
  discounts(command.command('discount').description('What a tenant does not pay, in whole months (UTC)'), admin);
}

const tenant = ['<tenant>', 'its id', integer] as const;
const reason = ['--reason <text>', 'why, for the audit log of the tenant', oneLine] as const;
const saying = (admin: Admin) => (work: (sql: Sql) => Promise<string>) =>
  admin.withDatabase(async (sql) => admin.say(await work(sql)), 'main-api');

function credits(command: Command, admin: Admin): void {
  const run = saying(admin);
  changes(command.command('give').description('Give a tenant a credit'))
    .argument(...tenant)
    .argument('<amount>', 'US dollars, such as 250.00', dollars)
    .requiredOption(...reason)
    .option('--expires <day>', 'the last day, such as 2027-12-31', lastDay)
    .action((id: number, amount: string, flags: { reason: string; expires?: Date }) =>
      run((sql) => giveCredit(sql, id, amount, flags, admin.isDry)),
    );
  command
    .command('list')
    .description('List the credits of a tenant')
    .argument(...tenant)
    .action((id: number) =>
      admin.withDatabase(async (sql) => admin.output.list(await listCredits(sql, id), creditsView), 'main-api'),
    );
  changes(command.command('withdraw').description('Take back what is left of a credit'))
    .argument('<credit>', 'its id', integer)
    .action((id: number) => run((sql) => withdrawCredit(sql, id, admin.isDry)));
}

function discounts(command: Command, admin: Admin): void {
  const run = saying(admin);
  changes(command.command('give').description('Give a tenant a discount, for months without an invoice'))
    .argument(...tenant)
    .argument('<percent>', 'such as 10', percent)
    .requiredOption('--from <time>', 'the first moment of a month', instant)
    .option('--to <time>', 'the first moment of the month behind the last', instant)
    .requiredOption(...reason)
    .action((id: number, part: string, flags: { from: Date; to?: Date; reason: string }) =>
      run((sql) => giveDiscount(sql, id, part, flags, admin.isDry)),
    );
  command
    .command('list')
    .description('List the discounts of a tenant')
    .argument(...tenant)
    .action((id: number) =>
      admin.withDatabase(async (sql) => admin.output.list(await listDiscounts(sql, id), discountsView), 'main-api'),
    );
  changes(command.command('end').description('End a discount'))
    .argument('<discount>', 'its id', integer)
    .requiredOption('--from <time>', 'the first moment of the first month without it', instant)
    .action((id: number, { from }: { from: Date }) => run((sql) => endDiscount(sql, id, from, admin.isDry)));
}

const mostDollars = 1_000_000_000;

function dollars(text: string): string {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text) || !/[1-9]/.test(text) || Number.parseInt(text, 10) >= mostDollars)
    throw new InvalidArgumentError('It has to be US dollars with at most two digits behind the point, such as 250.00.');
  return text;
}

function percent(text: string): string {
  const whole = Number.parseInt(text, 10);
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text) || !/[1-9]/.test(text) || whole > 100 || (whole === 100 && /\.0*[1-9]/.test(text)))
    throw new InvalidArgumentError('It has to be percent from 0.01 to 100, with at most two digits behind the point.');
  return text;
}

const day = 86_400_000;

/** @returns the end of that day (UTC) */
function lastDay(text: string): Date {
  const begin = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(begin > Date.now() - day)) throw new InvalidArgumentError('It has to be a day to come, such as 2027-12-31.');
  return new Date(begin + day);
}

const draftsView: View<Draft> = {
  columns: [
    { header: 'TENANT', value: ({ tenant_id }) => tenant_id },
    { header: 'MONTH', value: ({ month }) => month.slice(0, 'yyyy-mm'.length) },
    { header: 'SUBTOTAL', value: ({ subtotal }) => subtotal },
    { header: 'DISCOUNT', value: ({ discount }) => discount },
    { header: 'CREDIT', value: ({ credit }) => credit },
    { header: 'TAX', value: ({ tax }) => tax },
    { header: 'TOTAL', value: ({ total }) => total },
    {
      header: 'BEHIND',
      value: ({ missing }) => missing.map(({ cloud, region }) => `${cloud}/${region}`).join(', '),
    },
  ],
  name: ({ tenant_id }) => String(tenant_id),
};

const creditsView: View<Credit> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'USD', value: ({ amount }) => amount },
    { header: 'LEFT', value: ({ left }) => left },
    { header: 'EXPIRES', value: ({ expires_at }) => expires_at?.toISOString() ?? '' },
    { header: 'WITHDRAWN', value: ({ withdrawn_at }) => withdrawn_at?.toISOString() ?? '' },
    { header: 'REASON', value: (credit) => credit.reason },
  ],
  name: ({ id }) => String(id),
};

const discountsView: View<Discount> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'PERCENT', value: (discount) => discount.percent },
    { header: 'FROM', value: ({ valid_from }) => valid_from.toISOString() },
    { header: 'TO', value: ({ valid_to }) => valid_to?.toISOString() ?? '' },
    { header: 'REASON', value: (discount) => discount.reason },
  ],
  name: ({ id }) => String(id),
};
