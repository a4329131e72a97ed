import { InvalidArgumentError, type Command } from 'commander';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Admin } from '../../admin.ts';
import { instant } from '../../arguments.ts';
import { diffPrices, publishPrices, type Difference, type PriceChange } from '../../billing-prices.ts';

export function prices(command: Command, admin: Admin): void {
  const group = command.command('prices').description('Price lists');
  const forTenant = (one: Command) => one.option('--tenant <id>', 'for this tenant alone', integer);
  const file = ['--file <catalogue.yaml>', 'a catalogue with the prices; - for stdin'] as const;

  forTenant(group.command('diff').description('Compare the prices of a file with those that are valid'))
    .requiredOption(...file)
    .action(({ file: name, tenant }: { file: string; tenant?: number }) =>
      admin.withDatabase(async (sql) => {
        const { valid, differences } = await diffPrices(sql, name, tenant);
        admin.say(
          differences.length === 0
            ? `The file says what the valid list ${valid} says.`
            : `Against list ${valid}, which is valid:`,
        );
        await show(admin, differences);
      }, 'main-api'),
    );

  changes(forTenant(group.command('publish').description('Announce a price list, valid from a second on')))
    .option(...file)
    .option('--list <number>', 'a list that exists, or general: the one of all tenants', listNumber)
    .requiredOption('--from <time>', 'at least ten minutes ahead, such as 2027-01-01T00:00:00Z', instant)
    .action((change: PriceChange) =>
      admin.withDatabase(async (sql) => {
        const { done, differences } = await publishPrices(sql, change, admin.isDry);
        admin.say(done);
        await show(admin, differences);
      }, 'main-api'),
    );
}

const listNumber = (text: string): number | 'general' => {
  if (text === 'general') return text;
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError('It has to be the number of a list, or general.');
  return integer(text);
};

const show = async ({ output }: Admin, differences: Difference[]) =>
  differences.length === 0 && output.isForPeople ? undefined : await output.list(differences, view);

const view: View<Difference> = {
  columns: [
    { header: 'PRICE', value: ({ price }) => price },
    { header: 'BEFORE', value: ({ before }) => before },
    { header: 'AFTER', value: ({ after }) => after },
  ],
  name: ({ price }) => price,
  empty: 'Nothing differs.',
};
