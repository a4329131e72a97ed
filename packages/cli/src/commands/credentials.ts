import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { destroys, duration, secretOut } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function credentials(command: Command, cli: Cli): void {
  const actions = () => import('./credentials/credentials.ts');

  secretOut(command.command('show').description('Show the login of the clients, with its password'))
    .argument('[deployment]', placeWords)
    .action(async (at, options) => (await actions()).show(cli, at, options));

  secretOut(
    destroys(command.command('rotate').description('Make a new login, and show it; the one before ends')),
  )
    .argument('[deployment]', placeWords)
    .option('--grace <duration>', 'the login before works on for so long, such as 1h', duration)
    .action(async (at, options) => (await actions()).rotate(cli, at, options));
}
