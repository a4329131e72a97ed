import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, duration, list } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

export default function access(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'rule',
    place: 'deployment',
    load: async () => (await import('./access/access.ts')).rules,
    list: 'List the rules by which clients may connect to a deployment',
    show: 'Show a rule',
    remove: ['remove', 'Remove a rule; connections that only it allowed are closed'],
  });

  changes(command.command('add').description('Let addresses connect to a deployment'))
    .argument('[deployment]', placeWords)
    .option('--me', 'your own address, as the Main API sees it')
    .option(
      '--cidr <blocks>',
      'IPv4 addresses or blocks such as 192.0.2.0/24; with commas, or several times',
      list,
    )
    .option('--name <name>', 'the name of the rule; with --me it can be left out')
    .option('--protocols <names>', 'tcp, http, websocket, udp: what is let in', list, ['tcp'])
    .option('--for <duration>', 'until when: for so long from now, such as 2h', duration)
    .option('--remarks <text>', 'a text for people')
    .action(async (at, options) => (await import('./access/access.ts')).add(cli, at, options));

  changes(
    command
      .command('edit')
      .description('Change a rule; connections that it still allows stay, and the others are closed'),
  )
    .argument('<rule>', 'its name or its id')
    .argument('[deployment]', placeWords)
    .option('--name <name>', 'its new name')
    .option('--cidr <blocks>', 'these addresses or blocks in place of those that it has', list)
    .option('--add-cidr <blocks>', 'further addresses or blocks', list)
    .addOption(
      new Option('--remove-cidr <blocks>', 'addresses or blocks that it is to have no more')
        .argParser(list)
        .conflicts('cidr'),
    )
    .option('--me', 'your own address as well, as the Main API sees it')
    .option('--protocols <names>', 'tcp, http, websocket, udp: what is let in', list)
    .option('--for <duration>', 'until when: for so long from now, such as 2h', duration)
    .addOption(new Option('--forever', 'without an end').conflicts('for'))
    .option('--remarks <text>', 'a text for people')
    .option('--no-remarks', 'without it')
    .action(async (rule, at, options) => (await import('./access/access.ts')).edit(cli, rule, at, options));
}
