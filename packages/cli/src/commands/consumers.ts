import type { Command } from 'commander';
import { onBroker } from './broker/options.ts';
import { position } from './broker/positions.ts';
import type { Cli } from '../cli.ts';
import { destroys, limited } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function consumers(command: Command, cli: Cli): void {
  const actions = () => import('./consumers/consumers.ts');
  const add = (verb: string, description: string) =>
    onBroker(command.command(verb).description(description)).argument('<stream>', 'the stream');

  limited(add('list', 'List the consumers of a stream: how far they are').alias('ls'))
    .argument('[deployment]', placeWords)
    .action(async (stream, at, options) => (await actions()).list(cli, stream, at, options));

  add('show', 'Show a consumer')
    .argument('<consumer>', 'its name')
    .argument('[deployment]', placeWords)
    .action(async (stream, name, at, options) => (await actions()).show(cli, stream, name, at, options));

  destroys(
    add('reset', 'Have a consumer begin again at a message, and say before what that repeats or skips'),
  )
    .argument('<consumer>', 'its name')
    .argument('[deployment]', placeWords)
    .requiredOption(
      '--to <position>',
      'the next message that it gets: a sequence, or the first at a time or after it, such as 1200, 2h, 2026-03-14',
      position,
    )
    .option('--recreate', 'delete the consumer and create it again, where the broker cannot reset it')
    .action(async (stream, name, at, options) =>
      (await import('./consumers/reset.ts')).reset(cli, stream, name, at, options),
    );
}
