import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { limited, list, moment } from '../options.ts';
import { placeWords } from './verbs.ts';

export default function audit(command: Command, cli: Cli): void {
  const actions = () => import('./audit/audit.ts');

  filtered(
    limited(command.command('list').alias('ls').description('List what was done, newest first'), 100),
  ).action(async (options) => (await actions()).list(cli, options));

  filtered(command.command('export').description('Write the whole log, or a part of it, to stdout or a file'))
    .addOption(new Option('--format <format>', 'of the lines').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--out <file>', 'write it to this new file, which only you can read')
    .action(async (options) => (await actions()).exportLog(cli, options));
}

const filtered = (command: Command): Command =>
  command
    .option('--since <duration or time>', 'from then on, such as 2h or 2026-03-14', moment)
    .option('--until <duration or time>', 'until then', moment)
    .option('--types <types>', 'only these, such as deployment_created; with commas, or several times', list)
    .option('--deployment <place>', `only of this deployment: ${placeWords}`)
    .option('--member <member>', 'only what this member did: their address or their id')
    .option('--correlation <id>', 'only what one request or workflow has caused');
