import { Argument, Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, limited } from '@sluice/terminal/options';
import { addVerbs, divisionWords } from './verbs.ts';

const kinds = ['chat', 'webhook', 'email'];

export default function channels(command: Command, cli: Cli): void {
  const actions = () => import('./channels/channels.ts');
  command.description('Where notifications of events go. A channel without a subscription gets all events.');

  addVerbs(command, cli, {
    one: 'channel',
    place: 'division',
    load: async () => (await actions()).channels,
    list: 'List the channels of the tenant, or of a division',
    show: 'Show a channel with its destination and the key that signs its messages',
    remove: ['delete', 'Delete a channel with its subscriptions and its history'],
  }).addOption(new Option('--kind <kind>', 'only those of this kind').choices(kinds));

  const withDestination = (one: Command) =>
    one
      .option('--email <address>', 'email: where it leads to')
      .option('--url-file <file>', 'chat and webhook: a file with the address that it leads to; - for stdin')
      .option('--settings <file>', 'how its messages look, as YAML or JSON; - for stdin')
      .option('--remarks <text>', 'a text for people');

  withDestination(changes(command.command('create').description('Create a channel')))
    .addArgument(new Argument('<kind>', 'what it leads to').choices(kinds))
    .argument('<name>', 'its name')
    .argument('[division]', divisionWords)
    .addHelpText(
      'after',
      '\nThe address of a chat or webhook can be a secret: without --url-file it is asked for.',
    )
    .action(async (kind, name, at, options) => (await actions()).create(cli, kind, name, at, options));

  withDestination(changes(command.command('edit').description('Change a channel')))
    .argument('<channel>', 'its name or its id')
    .argument('[division]', divisionWords)
    .option('--name <name>', 'its new name')
    .option('--no-settings', 'its messages look as usual')
    .option('--no-remarks', 'it has no remarks any more')
    .option('--on', 'switch it on')
    .addOption(new Option('--off', 'switch it off').conflicts('on'))
    .action(async (text, at, options) => (await actions()).edit(cli, text, at, options));

  changes(command.command('test').description('Send a test message, and show what became of it'))
    .argument('<channel>', 'its name or its id')
    .argument('[division]', divisionWords)
    .action(async (text, at) => (await actions()).test(cli, text, at));

  limited(command.command('history').description('List the notifications of a channel, newest first'), 100)
    .argument('<channel>', 'its name or its id')
    .argument('[division]', divisionWords)
    .option('--type <type>', 'only those of this type of event')
    .action(async (text, at, options) => (await actions()).history(cli, text, at, options));
}
