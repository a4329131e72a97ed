import { Option, type Command } from 'commander';
import { onBroker } from './broker/options.ts';
import { position } from './broker/positions.ts';
import type { Cli } from '../cli.ts';
import { integer } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function messages(command: Command, cli: Cli): void {
  const actions = () => import('./messages/messages.ts');
  command.description(
    'Messages that a stream has stored. They are read without a consumer: nothing is acknowledged, and a stream of type workqueue keeps them.',
  );
  const add = (verb: string, description: string) =>
    onBroker(command.command(verb).description(description)).argument('<stream>', 'its name');
  const ranged = (verb: Command) =>
    verb
      .argument('[deployment]', placeWords)
      .option('--from <position>', 'from a sequence, or from a time on: 1200, 2h, 2026-03-14', position)
      .option('--to <position>', 'up to and with a sequence, or before a time', position)
      .option('--subject <subject>', 'only those of this subject, which can have wildcards');

  ranged(add('list', 'List messages, oldest first; without --from the newest ones').alias('ls'))
    .addOption(new Option('--limit <count>', 'so many at most').argParser(integer).default(20))
    .action(async (stream, at, options) => (await actions()).list(cli, stream, at, options));

  add('get', 'Show a message')
    .argument('<which>', 'its sequence; first, last, or a time: the first message from then on')
    .argument('[deployment]', placeWords)
    .option('--subject <subject>', 'the first or the last one of this subject, which can have wildcards')
    .option('--raw', 'its payload only, byte for byte')
    .action(async (stream, which, at, options) => (await actions()).get(cli, stream, which, at, options));

  ranged(add('export', 'Write messages as NDJSON, one per line; payloads that are no text in base64'))
    .option('--out <file>', 'write them to this new file, which only you can read')
    .action(async (stream, at, options) => (await actions()).exportMessages(cli, stream, at, options));
}
