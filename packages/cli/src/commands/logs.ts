import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { integer, moment } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function logs(command: Command, cli: Cli): void {
  command
    .argument('[deployment]', placeWords)
    .option('-f, --follow', 'go on with lines as they come, until Ctrl-C')
    .option('--since <duration or time>', 'lines from then on, such as 1h or 2026-03-14T09:00:00Z', moment)
    .addOption(
      new Option('--level <level>', 'only lines of this level and of graver ones').choices([
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .addOption(
      new Option('--runtime <runtime>', 'only lines of this part').choices([
        'node',
        'agent',
        'gateway',
        'broker',
        'connectors',
      ]),
    )
    .option('--node <id>', 'only lines of this node', integer)
    .option('-q, --search <text>', 'only lines with this text')
    .option(
      '--limit <count>',
      'the newest lines, so many at most; with --follow those before the first new one',
      integer,
    )
    .addHelpText(
      'after',
      '\nWithout --since the newest 100 lines of the last day are shown; with --follow, new ones only.',
    )
    .action(async (at, options) => (await import('./logs/logs.ts')).logs(cli, at, options));
}
