import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { duration } from '@sluice/terminal/options';

export default function watch(command: Command, cli: Cli): void {
  command
    .argument('[place]', 'only deployments in this division or environment')
    .option('--interval <duration>', 'how often the list is read', duration, 2_000)
    .addHelpText(
      'after',
      '\nKeys: q quits, arrows or j and k select, s sorts by the next column, / filters, Esc ends the filter.',
    )
    .action(async (at, options) => (await import('./watch/watch.ts')).watch(cli, at, options));
}
