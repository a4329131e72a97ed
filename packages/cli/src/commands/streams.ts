import { Option, type Command } from 'commander';
import { onBroker } from './broker/options.ts';
import type { Cli } from '../cli.ts';
import { changes, destroys, duration, integer, limited, list, size } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function streams(command: Command, cli: Cli): void {
  const actions = () => import('./streams/streams.ts');
  const add = (verb: string, description: string) => onBroker(command.command(verb).description(description));
  const one = ['<stream>', 'its name'] as const;
  const place = ['[deployment]', placeWords] as const;

  limited(add('list', 'List the streams of a deployment').alias('ls'))
    .argument(...place)
    .option('--subject <subject>', 'only those that take this subject')
    .action(async (at, options) => (await actions()).list(cli, at, options));

  add('show', 'Show a stream: what it keeps, and what is in it')
    .argument(...one)
    .argument(...place)
    .action(async (name, at, options) => (await actions()).show(cli, name, at, options));

  changes(shaped(add('create', 'Create a stream')))
    .argument(...one)
    .argument(...place)
    .addOption(
      new Option(
        '--retention <policy>',
        'until when messages are kept: by limits, acknowledged by all consumers, or by one',
      ).choices(['limits', 'interest', 'workqueue']),
    )
    .addOption(new Option('--storage <kind>', 'where messages are').choices(['file', 'memory']))
    .addHelpText('after', '\nWithout --replicas it has three on a cluster of three nodes or more, else one.')
    .action(async (name, at, options) =>
      (await import('./streams/create.ts')).create(cli, name, at, options),
    );

  destroys(shaped(add('edit', 'Change a stream, and say before which messages that deletes')))
    .argument(...one)
    .argument(...place)
    .action(async (name, at, options) => (await import('./streams/edit.ts')).edit(cli, name, at, options));

  destroys(add('purge', 'Delete the messages of a stream; the stream stays'))
    .argument(...one)
    .argument(...place)
    .option('--subject <subject>', 'only those of this subject, which can have wildcards')
    .option('--before <sequence>', 'only those before this sequence', integer)
    .addOption(new Option('--keep <count>', 'all but the newest ones').argParser(integer).conflicts('before'))
    .action(async (name, at, options) => (await import('./streams/purge.ts')).purge(cli, name, at, options));

  destroys(add('delete', 'Delete a stream with its messages and consumers'))
    .argument(...one)
    .argument(...place)
    .action(async (name, at, options) => (await actions()).remove(cli, name, at, options));
}

/** What a stream can have from its creation on, and later. */
const shaped = (command: Command): Command =>
  command
    .option('--subjects <subjects>', 'what it takes, such as "orders.>"; with commas, or several times', list)
    .option('--description <text>', 'a text for people')
    .option('--max-messages <count>', 'so many messages at most', integer)
    .option('--max-messages-per-subject <count>', 'so many of each subject at most', integer)
    .option('--max-bytes <size>', 'so much at most, such as 512MiB', size)
    .option('--max-age <duration>', 'how long messages are kept, such as 7d', duration)
    .option('--max-message-size <size>', 'the largest message that it takes', size)
    .addOption(
      new Option(
        '--discard <which>',
        'what a full stream does: it deletes old messages, or refuses new ones',
      ).choices(['old', 'new']),
    )
    .option('--duplicate-window <duration>', 'for how long it knows the id of a message again', duration)
    .option('--replicas <count>', 'on how many nodes each message is', integer)
    .option(
      '--config <file>',
      'a configuration as NATS has it in JSON, or - for stdin; options go before it',
    );
