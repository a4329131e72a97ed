import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { integer, list } from '@sluice/terminal/options';

export default function events(command: Command, cli: Cli): void {
  command
    .option('-f, --follow', 'go on with changes as they come, until Ctrl-C')
    .option('--limit <count>', 'end after so many changes', integer)
    .option('--kind <kinds>', 'only changes of these, such as deployment,task', list)
    .addHelpText(
      'after',
      '\nChanges are those from now on, of the Main API and of each region with deployments of the tenant. Without --follow the first one is shown.',
    )
    .action(async (options) => (await import('./events/events.ts')).events(cli, options));
}
