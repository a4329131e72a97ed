import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { destroys, duration, waits } from '../options.ts';
import { placeWords } from './verbs.ts';

export default function credentials(command: Command, cli: Cli): void {
  const actions = () => import('./credentials/credentials.ts');

  command
    .command('show')
    .description('Show the login of the clients, with its password')
    .argument('[deployment]', placeWords)
    .option('--out <file>', 'write it as JSON to this new file, which only you can read')
    .action(async (at, options) => (await actions()).show(cli, at, options));

  waits(destroys(command.command('rotate').description('Make a new login; the one before ends')))
    .argument('[deployment]', placeWords)
    .option('--grace <duration>', 'the login before works on for so long, such as 1h', duration)
    .option('--out <file>', 'with --wait: write the new login as JSON to this new file, which only you can read')
    .action(async (at, options) => (await actions()).rotate(cli, at, options));
}
