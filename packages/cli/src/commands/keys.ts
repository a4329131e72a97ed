import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys, duration, list, secretOut } from '@sluice/terminal/options';
import { addVerbs } from './verbs.ts';

export default function keys(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'key',
    place: 'division',
    load: async () => (await import('./keys/keys.ts')).keys,
    list: 'List the API keys that you may see',
    show: 'Show an API key, without its token',
    remove: ['revoke', 'Delete an API key; its token is refused from now on'],
  });

  secretOut(changes(command.command('create').description('Create an API key, and show its token this once')))
    .argument('<name>', 'its name')
    .argument('[division]', 'the only division that it shall see')
    .requiredOption('--role <role>', 'the role whose permissions it has: its name or its id')
    .addOption(
      new Option('--for <duration>', 'for how long it works, such as 12h or 365d')
        .argParser(duration)
        .default(90 * 86_400_000, '90d'),
    )
    .option(
      '--allowed-ips <blocks>',
      'the only addresses that it may be used from; with commas, or several times',
      list,
    )
    .action(async (name, division, options) =>
      (await import('./keys/keys.ts')).create(cli, name, division, options),
    );

  secretOut(
    destroys(command.command('rotate').description('Give an API key a new token, and show it this once')),
  )
    .argument('<key>', 'its name or its id')
    .argument('[division]', 'the division that it is of; without it the tenant')
    .option('--grace <duration>', 'the token before works on for so long, such as 1h', duration)
    .action(async (key, division, options) =>
      (await import('./keys/keys.ts')).rotate(cli, key, division, options),
    );
}
