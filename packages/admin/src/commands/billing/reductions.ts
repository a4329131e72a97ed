import { InvalidArgumentError, type Command } from 'commander';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Sql } from '@sluice/service';
import { usageError } from '@sluice/terminal/errors';
import type { Admin } from '../../admin.ts';
import { month, oneLine } from '../../arguments.ts';
import {
  endDiscount,
  giveCredit,
  giveDiscount,
  listCredits,
  listDiscounts,
  withdrawCredit,
  type Credit,
  type CreditTerms,
  type Discount,
  type DiscountTerms,
} from '../../billing-reductions.ts';

/** Credits and discounts. */
export function reductions(command: Command, admin: Admin): void {
  const tenant = ['<tenant>', 'its id', integer] as const;
  const why = ['--reason <text>', "why, for the tenant's audit log", oneLine] as const;
  const run = (work: (sql: Sql) => Promise<string>) => admin.change(work, 'main-api');

  const credit = command.command('credit').description('US dollars that later invoices of a tenant use up');
  changes(credit.command('give').description('Give a tenant a credit'))
    .argument(...tenant)
    .argument('<amount>', 'US dollars, such as 250.00', amount)
    .option('--expires <day>', 'its last day (UTC), such as 2027-12-31', lastDay)
    .requiredOption(...why)
    .action((id: number, dollars: string, terms: Pick<CreditTerms, 'expires' | 'reason'>) =>
      run((sql) => giveCredit(sql, { ...terms, tenant: id, amount: dollars }, admin.isDry)),
    );
  credit
    .command('list')
    .description('List the credits of a tenant')
    .argument(...tenant)
    .action((id: number) =>
      admin.withDatabase(
        async (sql) => admin.output.list(await listCredits(sql, id), creditsView),
        'main-api',
      ),
    );
  changes(credit.command('withdraw').description('Take back what is left of a credit'))
    .argument('<credit>', 'its id', integer)
    .action((id: number) => run((sql) => withdrawCredit(sql, id, admin.isDry)));

  const discount = command.command('discount').description('What a tenant pays less, for whole months (UTC)');
  changes(discount.command('give').description('Give a tenant a discount, for months that have no invoice'))
    .argument(...tenant)
    .argument('<percent>', 'from 0.01 to 100', percent)
    .requiredOption('--from <month>', 'its first month, such as 2027-01', month)
    .option('--to <month>', 'the month in which it is over; by default never', month)
    .requiredOption(...why)
    .action((id: number, share: string, terms: Pick<DiscountTerms, 'from' | 'to' | 'reason'>) => {
      if (terms.to && terms.to <= terms.from) throw usageError('--to has to be after --from.');
      return run((sql) => giveDiscount(sql, { ...terms, tenant: id, percent: share }, admin.isDry));
    });
  discount
    .command('list')
    .description('List the discounts of a tenant')
    .argument(...tenant)
    .action((id: number) =>
      admin.withDatabase(
        async (sql) => admin.output.list(await listDiscounts(sql, id), discountsView),
        'main-api',
      ),
    );
  changes(discount.command('end').description('End a discount'))
    .argument('<discount>', 'its id', integer)
    .requiredOption('--from <month>', 'the first month without it, such as 2028-01', month)
    .action((id: number, { from }: { from: Date }) => run((sql) => endDiscount(sql, id, from, admin.isDry)));
}

const decimal = /^\d{1,10}(\.\d{1,2})?$/;

function amount(text: string): string {
  if (!decimal.test(text) || Number(text) <= 0 || Number(text) > 1e9)
    throw new InvalidArgumentError(
      'It has to be US dollars above 0 with at most two digits behind the point, up to 1000000000.',
    );
  return text;
}

function percent(text: string): string {
  if (!decimal.test(text) || Number(text) <= 0 || Number(text) > 100)
    throw new InvalidArgumentError(
      'It has to be a number from 0.01 to 100, with at most two digits behind the point.',
    );
  return text;
}

/** @returns the end of the day (UTC) */
function lastDay(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(day > Date.now() - 86_400_000))
    throw new InvalidArgumentError('It has to be a day to come, such as 2027-12-31.');
  return new Date(day + 86_400_000);
}

const creditsView: View<Credit> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'USD', value: ({ amount: dollars }) => dollars },
    { header: 'LEFT', value: ({ left }) => left },
    { header: 'EXPIRES', value: ({ expires_at }) => expires_at?.toISOString() },
    { header: 'WITHDRAWN', value: ({ withdrawn_at }) => withdrawn_at?.toISOString() },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
  name: ({ id }) => `${id}`,
  empty: 'There are none.',
};

const discountsView: View<Discount> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'PERCENT', value: ({ percent: share }) => share },
    { header: 'FROM', value: ({ valid_from }) => valid_from.toISOString() },
    { header: 'TO', value: ({ valid_to }) => valid_to?.toISOString() },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
  name: ({ id }) => `${id}`,
  empty: 'There are none.',
};
