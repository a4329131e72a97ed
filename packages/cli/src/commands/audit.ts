import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys, limited, list, moment } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function audit(command: Command, cli: Cli): void {
  const actions = () => import('./audit/audit.ts');

  filtered(limited(command.command('list').alias('ls').description('List what was done, newest first'), 100))
    .option(
      '--search <words>',
      'only with words that begin so in the type or in the names of who did it and what it is about',
    )
    .action(async (options) => (await actions()).list(cli, options));

  filtered(command.command('export').description('Write the whole log, or a part of it, to stdout or a file'))
    .addOption(new Option('--format <format>', 'of the lines').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--out <file>', 'write it to this new file, which only you can read')
    .action(async (options) => (await actions()).exportLog(cli, options));

  filtered(command.command('tail').description('Show entries as they come, until Ctrl-C')).action(
    async (options) => (await import('./audit/tail.ts')).tail(cli, options),
  );

  command
    .command('verify')
    .description('Compute the chain of the log on this machine, and name the first entry that does not fit')
    .argument(
      '[files...]',
      'exports, or objects of a sink, in the order of the log; without them the log is exported now',
    )
    .option('--partial', 'it was filtered: entries may be left out')
    .option('--heads <files>', 'heads of the log that were published; with commas, or several times', list)
    .option('--key <file>', 'the public key that heads have to be signed with')
    .addHelpText(
      'after',
      '\nNothing of what it finds rests on the word of the server. It ends with 1 where an entry does not fit.',
    )
    .action(async (files, options) => (await import('./audit/verify.ts')).verify(cli, files, options));

  sink(command.command('sink').description('Where the log is sent as it is written'), cli);
}

function sink(command: Command, cli: Cli): void {
  const actions = () => import('./audit/sink.ts');
  const add = (verb: string, description: string) => command.command(verb).description(description);

  add('show', 'Show the sink, and how far it is').action(async () => (await actions()).show(cli));

  changes(add('edit', 'Change the sink, or make it, in an editor or from a file'))
    .option('--file <file>', 'all its settings, as YAML or JSON; - for stdin')
    .action(async (options) => (await actions()).edit(cli, options));

  changes(add('test', 'Send something that is no entry, and show what came of it')).action(async () =>
    (await actions()).test(cli),
  );

  destroys(add('delete', 'Have the log sent no more')).action(async (options) =>
    (await actions()).destroy(cli, options),
  );
}

const filtered = (command: Command): Command =>
  command
    .option('--since <duration or time>', 'from then on, such as 2h or 2026-03-14', moment)
    .option('--until <duration or time>', 'until then', moment)
    .option('--types <types>', 'only these, such as deployment_created; with commas, or several times', list)
    .option('--deployment <place>', `only of this deployment: ${placeWords}`)
    .option('--member <member>', 'only what this member did: their address or their id')
    .option('--correlation <id>', 'only what one request or workflow has caused');
