import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { integer, list, moment } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function metrics(command: Command, cli: Cli): void {
  command
    .argument('[deployment]', placeWords)
    .option(
      '-m, --metric <names>',
      'which, such as broker.connections or cpu_percent; with commas, or several times',
      list,
    )
    .option('--all', 'all that there are')
    .option('--since <duration or time>', 'from then on, such as 6h or 2026-03-14T09:00:00Z', moment)
    .option('--node <id>', 'only of this node', integer)
    .addHelpText(
      'after',
      '\nWithout --since the last hour is shown. What only grows is shown as a rate per second. -o json has the points.',
    )
    .action(async (at, options) => (await import('./metrics/metrics.ts')).metrics(cli, at, options));
}
