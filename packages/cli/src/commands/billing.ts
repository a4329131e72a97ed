import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys, integer, limited, moment } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

export default function billing(command: Command, cli: Cli): void {
  const actions = () => import('./billing/usage.ts');

  command
    .command('current')
    .description('Show what the running month costs until now, and what it will cost')
    .action(async () => (await actions()).current(cli));

  command
    .command('cost')
    .description('Show what a deployment costs in the running month')
    .argument('[deployment]', placeWords)
    .action(async (at) => (await actions()).cost(cli, at));

  inRange(command.command('usage').description('Show what was used in a time, in lines of a day each'))
    .addOption(
      new Option('--granularity <length>', 'how long a line is')
        .choices(['hour', 'day', 'month'])
        .default('day'),
    )
    .addOption(
      new Option('--group-by <what>', 'what a line is about, in place of all of the tenant').choices([
        'division',
        'environment',
        'deployment',
        'component',
      ]),
    )
    .addOption(
      new Option('--label <key>', 'a line for each value of this label of deployments').conflicts('groupBy'),
    )
    .action(async (options) => (await actions()).usage(cli, options));

  inRange(command.command('export').description('Write the usage of a time, each interval with its cost'))
    .addOption(
      new Option('--format <format>', 'of the lines; focus: as CSV in the columns of FOCUS')
        .choices(['ndjson', 'csv', 'focus'])
        .default('ndjson'),
    )
    .option('--out <file>', 'write it to this new file, which only you can read')
    .action(async (options) => (await actions()).exportLines(cli, options));

  invoices(command.command('invoices').description('Invoices of the tenant'), cli);
  budgets(command.command('budgets').description('What months may cost, before notifications are sent'), cli);
  info(command.command('info').description('Whom invoices are made out to'), cli);
  paymentMethod(command.command('payment-method').description('How invoices are paid'), cli);
}

function invoices(command: Command, cli: Cli): void {
  const actions = () => import('./billing/invoices.ts');
  const invoice = ['<invoice>', 'its reference, such as INV-000007, or its id'] as const;

  addVerbs(command, cli, {
    one: 'invoice',
    load: async () => (await actions()).invoices,
    list: 'List the invoices, newest first',
    show: 'Show an invoice with its lines',
  });

  command
    .command('pdf')
    .description('Write an invoice as a PDF to a file')
    .argument(...invoice)
    .option('--out <file>', 'the new file, which only you can read (default REFERENCE.pdf)')
    .action(async (text, options) => (await actions()).pdf(cli, text, options));

  limited(command.command('intervals').description('List the usage that a line of an invoice is made of'))
    .argument(...invoice)
    .argument('<line>', 'its number in the invoice', integer)
    .action(async (text, line, options) => (await actions()).intervals(cli, text, line, options));
}

function budgets(command: Command, cli: Cli): void {
  const actions = () => import('./billing/budgets.ts');

  addVerbs(command, cli, {
    one: 'budget',
    load: async () => (await actions()).budgets,
    list: 'List the budgets, newest first',
    show: 'Show a budget with what its month has cost, and will cost',
    remove: ['delete', 'Delete a budget; nothing is notified any more'],
  });

  changes(command.command('create').description('Create a budget: notifications at 50, 80 and 100 % of it'))
    .argument('<name>', 'its name')
    .requiredOption('--amount <dollars>', 'what a month may cost, in US dollars')
    .option('--division <division>', 'only of this division')
    .addOption(new Option('--environment <environment>', 'only of this environment').conflicts('division'))
    .addOption(
      new Option('--label <key=value>', 'only of deployments with this label').conflicts([
        'division',
        'environment',
      ]),
    )
    .action(async (name, options) => (await actions()).create(cli, name, options));

  changes(command.command('edit').description('Change a budget; what it covers stays'))
    .argument('<budget>', 'its name or its id')
    .option('--amount <dollars>', 'what a month may cost, in US dollars')
    .option('--name <name>', 'its new name')
    .action(async (text, options) => (await actions()).edit(cli, text, options));
}

function info(command: Command, cli: Cli): void {
  const actions = () => import('./billing/info.ts');

  command
    .command('show')
    .description('Show whom invoices are made out to')
    .action(async () => (await actions()).show(cli));

  changes(command.command('edit').description('Change whom later invoices are made out to'))
    .option('--file <file>', 'all of it, as YAML or JSON; - for stdin; without it an editor is opened')
    .action(async (options) => (await actions()).edit(cli, options));
}

function paymentMethod(command: Command, cli: Cli): void {
  const actions = () => import('./billing/payment-method.ts');

  command
    .command('show')
    .description('Show how invoices are paid')
    .action(async () => (await actions()).show(cli));

  changes(
    command.command('setup').description('Print the address of a page on which a card is entered'),
  ).action(async () => (await actions()).setup(cli));

  destroys(command.command('delete').description('Delete the card that invoices are paid with')).action(
    async (options) => (await actions()).destroy(cli, options),
  );
}

const inRange = (command: Command): Command =>
  command
    .option(
      '--from <duration or time>',
      'from then on, such as 7d or 2026-11-01; without it since the month began',
      moment,
    )
    .option('--to <duration or time>', 'until then; without it until now', moment);
