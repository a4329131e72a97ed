import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../../admin.ts';
import { listNumber, time } from '../../arguments.ts';
import { diffPrices, publishPrices, type PriceChange, type Publication } from '../../billing/prices.ts';

/** `sluice-admin billing prices` */
export function prices(command: Command, admin: Admin): void {
  const noun = command.command('prices').description('Price lists.');
  const add = (verb: string, description: string) =>
    noun
      .command(verb)
      .description(description)
      .option('--tenant <id>', 'the list of this tenant, and not that of all others', integer);

  add('diff', 'Show what differs between the prices of a file and those that are valid')
    .requiredOption('--file <path>', 'a catalogue, or - for stdin')
    .action(({ file, tenant }: { file: string; tenant?: number }) =>
      admin.withDatabase(async (sql) => show(admin, await diffPrices(sql, file, tenant)), 'main-api'),
    );

  changes(add('publish', 'Announce a price list, valid from a second on that is at least ten minutes ahead'))
    .option('--file <path>', 'a catalogue with the prices, or - for stdin')
    .option('--list <number>', 'a list that there is; general: that of all tenants again', listNumber)
    .requiredOption('--from <time>', 'such as 2027-01-01T00:00:00Z', time)
    .action((publication: Publication) =>
      admin.withDatabase(
        async (sql) => show(admin, await publishPrices(sql, publication, admin.isDry)),
        'main-api',
      ),
    );
}

async function show(admin: Admin, { text, changes: all }: { text: string; changes: PriceChange[] }): Promise<void> {
  admin.say(text);
  if (all.length > 0 || !admin.output.isForPeople) await admin.output.list(all, view);
}

const view: View<PriceChange> = {
  columns: [
    { header: 'FIELD', value: ({ field }) => field },
    { header: 'FROM', value: ({ from }) => from },
    { header: 'TO', value: ({ to }) => to },
  ],
  name: ({ field }) => field,
};
