import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, waits } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

export default function snapshots(command: Command, cli: Cli): void {
  const actions = () => import('./snapshots/snapshots.ts');

  addVerbs(command, cli, {
    one: 'snapshot',
    place: 'deployment',
    load: async () => (await actions()).snapshots,
    list: 'List the diagnostic reports of a deployment, one per node',
    show: 'Show how far a report is',
    remove: ['delete', 'Delete the report of a node'],
  });

  waits(changes(command.command('create').description('Have all nodes of a deployment examined')))
    .argument('[deployment]', placeWords)
    .option(
      '--no-redact-secrets',
      'take out only what the nodes know to be a secret, not all that looks like one',
    )
    .option('--no-include-broker', 'without what the broker stores, messages included')
    .action(async (at, options) => (await actions()).create(cli, at, options));

  command
    .command('download')
    .description('Write the ZIP of a report to a file')
    .argument('<snapshot>', 'its id')
    .argument('[deployment]', placeWords)
    .option('--out <file>', 'the new file, which only you can read (default snapshot-ID.zip)')
    .action(async (text, at, options) => (await actions()).download(cli, text, at, options));

  command
    .command('compare')
    .description('Show what two reports have found differently')
    .argument('<snapshot>', 'the id of the earlier one')
    .argument('<other>', 'the id of the later one')
    .argument('[deployment]', placeWords)
    .option('--figures', 'the figures behind what was found, too')
    .action(async (one, other, at, options) =>
      (await import('./snapshots/compare.ts')).compare(cli, [one, other], at, options),
    );
}
